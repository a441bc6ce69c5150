/** A file that is malformed where it is written is of no use any more, and says so from then on; one damaged record is not that. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { toBatch } from "../../batch.ts";
import type { Database } from "../../database.ts";
import { Store } from "../../store.ts";
import { ANN, hold, recordOf } from "../../testing/database-pair.ts";
import { openSqlite } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-malformed-"));
after(() => rmSync(folder, { recursive: true }));

const add = async (database: Database, run: string): Promise<readonly string[]> => {
  const claim = await hold(database, `run:${run}`, "one");
  const session = { id: "s", ...ANN, createdAt: 1, updatedAt: 1 };
  const messages = { ...ANN, session: "s", run, messages: ['"hi"'] };
  const batch = toBatch(run, 1, ["1"]);
  const record = recordOf(run, { status: "ended" });
  return database.commit([{ claim, creates: true, run: record, batch, session, messages }]);
};

/** The file of a closed store with one run. */
async function makeStore(): Promise<string> {
  const path = join(folder, crypto.randomUUID(), "baton.db");
  await using database = await openSqlite({ path });
  await add(database, "a");
  return path;
}

/** A store, one of whose tables or indexes has lost its first page. */
async function openWithout(name: string): Promise<Store> {
  const path = await makeStore();
  const reader = new DatabaseSync(path);
  const page = Number(reader.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(name)?.["rootpage"]);
  const size = Number(reader.prepare("PRAGMA page_size").get()?.["page_size"]);
  reader.close();
  writeFileSync(path, readFileSync(path).fill(0, (page - 1) * size, page * size));
  return Store.open({ database: await openSqlite({ path }) });
}

for (const [name, use] of [
  ["runs", (database: Database) => database.runs.prune({ maxRuns: 0 })],
  ["runs_by_status", (database: Database) => database.runs.interrupted(["crew"])],
  ["batches", (database: Database) => add(database, "b")],
  ["claims", (database: Database) => hold(database, "run:b", "one")],
  ["definitions", (database: Database) => database.definitions.save("h", "1")],
  ["keys", (database: Database) => database.keys.list()],
] as const) {
  test(`a store whose ${name} are malformed is not healthy once that was met, and says what to do`, async () => {
    await using store = await openWithout(name);
    assert.equal(store.healthy, true);
    await assert.rejects(Promise.resolve(use(store.database)), { code: "damaged" });
    await store.database.claims.renew("one", 1_000);
    assert.equal(store.problem?.code, "damaged");
    assert.match(store.problem.message, /is damaged .*malformed.*: put a backup in its place/);
  });
}

test("a malformed page fails only the reads that need it", async () => {
  await using store = await openWithout("messages");
  await assert.rejects(store.database.sessions.messages(ANN, "s"), { code: "damaged" });
  assert.equal(store.problem, undefined);
});

test("a store with a damaged record is healthy", async () => {
  const path = await makeStore();
  const editor = new DatabaseSync(path);
  editor.exec("UPDATE runs SET body = substr(body, 2); DELETE FROM heads");
  editor.close();
  await using store = await Store.open({ database: await openSqlite({ path }) });
  await assert.rejects(store.database.runs.find("a"), { code: "damaged" });
  await assert.rejects(store.database.logs.length("a"), { code: "damaged" });
  assert.deepEqual(await add(store.database, "b"), []);
  assert.equal(await store.database.runs.prune({ maxRuns: 0 }), 2);
  assert.equal(store.healthy, true);
});
