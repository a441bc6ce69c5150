/** Documents come to a database that had none, and writers in Postgres do not wait for each other for ever. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { ANN, recordOf, save } from "../testing/database-pair.ts";
import { openPostgres } from "./index.ts";
import { PostgresServer } from "./embedded-server.ts";

describe("Postgres with documents", { timeout: 300_000 }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(async () => server[Symbol.asyncDispose]());

  const cases: readonly [title: string, play: () => Promise<void>][] = [
    [
      "tables of a Baton without documents are brought up to date, and keep what they have",
      async () => {
        const url = await server.newSchema();
        {
          await using database = await openPostgres({ url });
          await save(database, [recordOf("r1")]);
        }
        const dropped =
          "drop table baton_inbox, baton_document_keys, baton_documents; drop sequence baton_document_versions";
        await server.run(`${dropped}; update baton_schema set version = 3`, url);
        await using database = await openPostgres({ url });
        assert.deepEqual(await database.runs.find("r1"), recordOf("r1"));
        await database.documents(ANN).put("facts", { id: "a", data: 1, text: "gold" });
        assert.equal((await database.documents(ANN).search("facts", { text: "go" })).length, 1);
      },
    ],
    [
      "tables without an index of what is due are brought up to date, and have what was due before",
      async () => {
        const url = await server.newSchema();
        {
          await using database = await openPostgres({ url });
          await database.documents(ANN).put("plans", { id: "a", data: 1, index: { dueAt: 5 } });
        }
        const index = "baton_document_keys_collection_key_tenant_user_name_id_idx";
        await server.run(`drop table baton_inbox; drop index ${index}; update baton_schema set version = 4`, url);
        await using database = await openPostgres({ url });
        assert.equal((await database.due("plans", { upTo: 5, limit: 9 })).length, 1);
        await server.run(`drop index ${index}`, url);
      },
    ],
    [
      "messages that runs had not heard are moved from their records to the inbox",
      async () => {
        const url = await server.newSchema();
        {
          await using database = await openPostgres({ url });
          await save(database, [recordOf("r1", { status: "paused" }), recordOf("r2", { status: "ended" })]);
        }
        const mail = `update baton_runs set body = jsonb_set(body::jsonb, '{mail}', '["one", "two \\"2\\""]')::text`;
        await server.run(`${mail}; drop table baton_inbox; update baton_schema set version = 6`, url);
        await using database = await openPostgres({ url });
        const kept = (await database.inbox.list("r1")).map(({ fate, command }): [unknown, unknown] => [
          fate,
          JSON.parse(command),
        ]);
        assert.deepEqual(kept, [
          ["taken", { type: "say", text: "one" }],
          ["taken", { type: "say", text: 'two "2"' }],
        ]);
        assert.deepEqual(await database.inbox.list("r2"), []);
      },
    ],
    [
      "writers of the same documents in different orders all succeed",
      async () => {
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
      },
    ],
  ];
  for (const [title, play] of inSlice(cases)) test(title, play);
});
