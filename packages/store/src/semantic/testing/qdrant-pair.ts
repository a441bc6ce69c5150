/** Qdrant pair: two servers of Baton on one store and one Qdrant. */
import { randomUUID } from "node:crypto";
import { SimulatedClock } from "@baton/core/testing";
import { withDocumentLayers } from "../../documents/document-layer.ts";
import { SharedMemory } from "../../sqlite/memory.ts";
import type { DatabasePair } from "../../testing/database-pair.ts";
import { countRows } from "../../testing/shared-memory.ts";
import { QdrantIndex } from "../qdrant-index.ts";
import { withQdrant } from "../with-qdrant.ts";
import type { QdrantServer } from "./qdrant-server.ts";

/** Opens a pair; its collections in Qdrant are its own. */
export function openQdrantPair(server: QdrantServer) {
  const clock = new SimulatedClock(1);
  const data = new SharedMemory({ now: () => clock.now() });
  const warnings: string[] = [];
  const prefix = `test${randomUUID().slice(0, 8)}`;
  const openOne = () => {
    const warn = (text: string) => warnings.push(text);
    const index = new QdrantIndex({ url: `${server.url}?prefix=${prefix}`, clock, warn });
    return withDocumentLayers(data.open(), {
      wrap: (documents, owner) => withQdrant(documents, { index, owner }),
      layers: [
        {
          sessionDeleted: async (owner) => index.distrustOwner(owner),
          ownerDeleted: (owner) => index.removeOwner(owner),
          transferred: (from) => index.removeOwner(from),
        },
      ],
    });
  };
  const pair: DatabasePair = {
    first: openOne(),
    second: openOne(),
    pass: (ms) => clock.advance(ms),
    now: () => clock.now(),
    countRequests: async () => countRows(data, "requests"),
    countDocuments: async () => countRows(data, "documents"),
    [Symbol.asyncDispose]: async () => {},
  };
  return { ...pair, clock, data, warnings, prefix };
}
