/** Documents with an index in Qdrant keep every promise of documents while Qdrant fails, in each of its ways. */
import { after, before, describe } from "node:test";
import { inSlice } from "@baton/core/testing";
import { testFinding } from "../testing/document-finding-suite.ts";
import { testDocuments } from "../testing/document-suite.ts";
import { openQdrantPair } from "./testing/qdrant-pair.ts";
import { QdrantServer } from "./testing/qdrant-server.ts";

for (const mood of inSlice(["empty", "500", "html"] as const)) {
  describe(`documents are documents while Qdrant answers with ${mood}`, () => {
    let server: QdrantServer;
    before(async () => {
      server = await QdrantServer.start();
      server.mood = mood;
    });
    after(() => server[Symbol.asyncDispose]());
    testDocuments(async () => openQdrantPair(server));
    testFinding(async () => openQdrantPair(server));
  });
}
