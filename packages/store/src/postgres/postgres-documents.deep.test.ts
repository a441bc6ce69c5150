/** Writers of documents in Postgres do not wait for each other for ever. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { ANN } from "../testing/database-pair.ts";
import { openPostgres } from "./index.ts";
import { PostgresServer } from "./embedded-server.ts";

describe("Postgres with documents", { timeout: 300_000 }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(async () => server[Symbol.asyncDispose]());

  const play = async (): Promise<void> => {
    const url = await server.newSchema();
    await using one = await openPostgres({ url });
    await using other = await openPostgres({ url });
    const forth = Array.from({ length: 40 }, (_, id) => ({ id: `${id}`, data: id, index: { id } }));
    const writes = [one, other, one, other].flatMap((database) =>
      [forth, forth.toReversed()].map((documents) => database.documents(ANN).putAll("facts", documents)),
    );
    await Promise.all(writes);
    const { documents } = await one.documents(ANN).list("facts", { orderBy: "id" });
    assert.deepEqual(
      documents.map(({ data }) => data),
      forth.map(({ data }) => data),
    );
  };
  for (const one of inSlice([play])) test("writers of the same documents in different orders all succeed", one);
});
