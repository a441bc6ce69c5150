/** Memory keeps its promises on every store. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import type { Database } from "@baton/store";
import { openPostgres } from "@baton/store/postgres";
import { PostgresServer } from "@baton/store/postgres/embedded";
import { openMemory, openSqlite } from "@baton/store/sqlite";
import { testMemory } from "./testing/memory-suite.ts";
import type { MemoryUnderTest } from "./testing/memory-use.ts";

function toStore(database: Database, close: () => void = () => {}): MemoryUnderTest {
  return {
    documents: (owner) => database.documents(owner),
    deleteSession: (owner, session) => database.sessions.delete(owner, session),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      close();
    },
  };
}

describe("memory in this process", () => testMemory(async () => toStore(openMemory())));

describe("memory in SQLite", () =>
  testMemory(async () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-memory-"));
    const database = await openSqlite({ path: join(folder, "data.sqlite") });
    return toStore(database, () => rmSync(folder, { recursive: true, force: true }));
  }));

describe("memory in Postgres", { timeout: 120_000 }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(async () => server[Symbol.asyncDispose]());
  testMemory(async () => toStore(await openPostgres({ url: await server.newSchema() })));
});
