/** A run that is damaged stops no other: its session continues, and it is removed in time. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { DurableEngine } from "../engine/durable-engine.ts";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { script, solo, waits } from "../testing/small-crews.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-damaged-"));
after(() => rmSync(folder, { recursive: true }));

/** An engine on a file, until it is disposed of. */
async function openEngine(path: string, delayMs: number) {
  const store = await Store.open({ database: await openSqlite({ path }) });
  const model = script({ a: [{ say: "Done.", delayMs }], b: [{ say: "Bye." }] });
  const engine = new DurableEngine({ store, crews: [solo, waits], model });
  return {
    engine,
    store,
    [Symbol.asyncDispose]: async () => {
      await engine.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Leaves a run in a session, running or paused, and changes what is stored of it. */
async function leaveDamaged(path: string, crew: typeof solo, sql: string): Promise<void> {
  {
    await using left = await openEngine(path, crew === solo ? 60_000 : 0);
    const run = await left.engine.start(crew, { input: "hi", id: "r", session: "s" });
    if (crew !== solo) await run.result;
  }
  using editor = new DatabaseSync(path);
  editor.exec(sql);
}

for (const [what, crew, sql] of [
  ["whose record is damaged", solo, "UPDATE runs SET body = substr(body, 2)"],
  ["whose length is damaged", solo, "UPDATE heads SET length = length + 9"],
  ["whose length is lost", solo, "DELETE FROM heads"],
  ["whose log has lost a row", solo, "DELETE FROM batches"],
  ["that waits and whose record is damaged", waits, "UPDATE runs SET body = substr(body, 2)"],
] as const) {
  test(`a run ${what} has ended, its session continues, and it is removed when its retention is over`, async () => {
    const path = join(folder, crypto.randomUUID(), "baton.db");
    await leaveDamaged(path, crew, sql);
    await using next = await openEngine(path, 0);
    const { result: outcome } = await next.engine.start(solo, { input: "next", id: "n", session: "s" });
    assert.equal((await outcome).outcome, "done");
    await next.engine.recover();
    const { database } = next.store;
    const listed = await database.runs.list({ status: "ended" });
    assert.deepEqual(
      listed.map(({ id, error }) => [id, error?.code]),
      [
        ["n", undefined],
        ["r", "damaged"],
      ],
    );
    assert.equal(await database.runs.prune({ maxRuns: 0 }), 2);
    assert.deepEqual(await database.runs.list({}), []);
  });
}
