/** Memory keeps its promises on the stores that outlive the process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { inSlice } from "@baton/core/testing";
import { openPostgres } from "@baton/store/postgres";
import { PostgresServer } from "@baton/store/postgres/embedded";
import { openSqlite } from "@baton/store/sqlite";
import { testMemory } from "./testing/memory-suite.ts";
import { toMemoryUnderTest } from "./testing/memory-use.ts";

function testSqlite(): void {
  testMemory(async () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-memory-"));
    const database = await openSqlite({ path: join(folder, "data.sqlite") });
    return toMemoryUnderTest(database, () => rmSync(folder, { recursive: true, force: true }));
  });
}

function testPostgres(): void {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(async () => server[Symbol.asyncDispose]());
  testMemory(async () => toMemoryUnderTest(await openPostgres({ url: await server.newSchema() })));
}

for (const suite of inSlice([
  { name: "SQLite", add: testSqlite },
  { name: "Postgres", add: testPostgres },
])) {
  describe(`memory in ${suite.name}`, { timeout: 120_000 }, suite.add);
}
