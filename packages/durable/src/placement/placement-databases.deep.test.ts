import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite } from "node:test";
import { SystemClock } from "@baton/core/ports";
import { inSlice } from "@baton/core/testing";
import type { Database } from "@baton/store";
import { openPostgres } from "@baton/store/postgres";
import { PostgresServer } from "@baton/store/postgres/embedded";
import { openSqlite } from "@baton/store/sqlite";
import { LeasePlacement } from "./placement.ts";
import { type PlacementLab, testPlacement } from "../testing/placement-suite.ts";

const SUITES = [["on SQLite", onSqlite] as const, ["on Postgres", onPostgres] as const];
for (const [name, play] of inSlice(SUITES)) suite(name, play);

function onSqlite(): void {
  testPlacement(async () => {
    const folder = await mkdtemp(join(tmpdir(), "baton-placement-"));
    return toLab(
      () => openSqlite({ path: join(folder, "baton.db") }),
      () => rm(folder, { recursive: true, force: true }),
    );
  });
}

function onPostgres(): void {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server[Symbol.asyncDispose]());
  testPlacement(async () => {
    const url = await server.newSchema();
    return toLab(
      () => openPostgres({ url }),
      () => Promise.resolve(),
    );
  });
}

/** In real time, with a shorter lease than processes have by default. */
function toLab(open: () => Promise<Database>, close: () => Promise<unknown>): PlacementLab {
  const databases = new AsyncDisposableStack();
  return {
    clock: new SystemClock(),
    leaseMs: 1_500,
    open: async () => databases.use(await open()),
    link: (role) =>
      Promise.resolve({ placement: new LeasePlacement(role), crash: () => {}, freeze: () => {}, wake: () => {} }),
    run: (work) => work,
    [Symbol.asyncDispose]: async () => {
      await databases.disposeAsync();
      await close();
    },
  };
}
