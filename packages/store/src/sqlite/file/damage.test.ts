/** Whatever happens to the files of a store, it gives back what was written or says that it cannot. */
import { BatonError } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { toBatch, toLines } from "../../batch.ts";
import type { Database } from "../../database.ts";
import type { Change, RunRecord } from "../../record.ts";
import { hold, linesOf, recordOf } from "../../testing/database-pair.ts";
import { openSqlite } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-damage-"));
/** A store that was closed, and one whose process was killed: with a WAL, and without what closing does. */
const closed = join(folder, "closed");
const killed = join(folder, "killed");
const RUNS = ["a", "b", "c", "d", "e", "f"];

before(async () => {
  const path = join(closed, "baton.db");
  await fill(path, "closed");
  const crashing = join(folder, "crashing");
  cpSync(closed, crashing, { recursive: true });
  await fill(join(crashing, "baton.db"), "killed");
});
after(() => rmSync(folder, { recursive: true }));

/** Writes what `expected` says; if it is to be killed, its files are copied before it can close. */
async function fill(path: string, end: "closed" | "killed"): Promise<void> {
  await using database = await openSqlite({ path });
  const claim = await hold(database, `run:${end}`, end);
  const seq = end === "closed" ? 1 : 4;
  for (const run of RUNS) {
    const changes: Change[] = [
      { claim, run: recordTo(run, seq), batch: toBatch(run, seq, linesTo(run, seq + 1).slice(seq - 1)) },
      { claim, batch: toBatch(run, seq + 2, linesTo(run, seq + 2).slice(seq + 1)) },
    ];
    for (const change of changes) await database.commit([change]);
  }
  await database.claims.leave(end);
  if (end === "killed") cpSync(join(path, ".."), killed, { recursive: true });
}

function recordTo(run: string, turns: number): RunRecord {
  return recordOf(run, { turns, input: `What is ${run}? `.repeat(5), costUsd: turns / 7 });
}

function linesTo(run: string, length: number): readonly string[] {
  return Array.from({ length }, (_, index) => JSON.stringify({ run, seq: index + 1, text: run.repeat(40 + index) }));
}

type Seen = "same" | "noticed";

/** Reads a run in every way there is; fails if something else comes back than was written. */
async function look(database: Database, run: string, seq: number): Promise<Seen> {
  const seen = await Promise.allSettled([
    database.runs.find(run).then((record) => checkRecord(record, run)),
    checkLog(database, run, linesTo(run, seq + 2)),
    database.runs.list({}).then((records) => {
      for (const record of records) {
        if (record.error?.code === "damaged") throw new BatonError("damaged", record.error.message);
        checkRecord(record, record.id);
      }
    }),
  ]);
  return seen.map(outcomeOf).includes("noticed") ? "noticed" : "same";
}

/** A flipped bit in a record that is still JSON of its shape is not noticed; it is never the record of another run. */
function checkRecord(record: RunRecord | undefined, run: string): void {
  if (record !== undefined) assert.equal(record.id, run, "the record of another run");
}

async function checkLog(database: Database, run: string, lines: readonly string[]): Promise<void> {
  const stored = toLines(run, 0, await database.logs.batches(run, 0, 1_000_000));
  const length = await database.logs.length(run);
  if (stored.length !== length) throw new BatonError("damaged", "a reader who compares them notices");
  assert.deepEqual(stored, lines, "other lines");
}

function outcomeOf(result: PromiseSettledResult<void>): Seen {
  if (result.status === "fulfilled") return "same";
  const error: unknown = result.reason;
  if (error instanceof BatonError) return "noticed";
  throw error;
}

/** Opens a copy of a store whose files were changed, and reads all of it. */
async function trial(store: string, change: (folder: string) => void): Promise<Seen> {
  const copy = join(folder, "trial");
  rmSync(copy, { recursive: true, force: true });
  cpSync(store, copy, { recursive: true });
  change(copy);
  try {
    await using database = await openSqlite({ path: join(copy, "baton.db") });
    const seen: Seen[] = [];
    for (const run of RUNS) seen.push(await look(database, run, store === closed ? 1 : 4));
    return seen.includes("noticed") ? "noticed" : "same";
  } catch (error) {
    return outcomeOf({ status: "rejected", reason: error });
  }
}

/** Cuts a file off, or flips some bits of it; only those that are part of something, as most of a small file is empty. */
function damage(path: string, below: (bound: number) => number): void {
  const bytes = readFileSync(path);
  if (below(4) === 0) return writeFileSync(path, bytes.subarray(0, 1 + below(bytes.length - 1)));
  for (let flips = 1 + below(3); flips > 0; flips--) {
    let index = below(bytes.length);
    while (bytes[index] === 0) index = below(bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << below(8));
  }
  writeFileSync(path, bytes);
}

for (const [name, store, file] of [
  ["a store that was closed", closed, "baton.db"],
  ["a store whose process was killed", killed, "baton.db"],
  ["the WAL of a store whose process was killed", killed, "baton.db-wal"],
] as const) {
  test(`bits that flip and ends that are missing ${name} are noticed or do no harm`, async () => {
    assert.equal(await trial(store, () => {}), "same");
    const clock = new SimulatedClock(7);
    const below = (bound: number): number => Math.floor(clock.random() * bound);
    const counts = { same: 0, noticed: 0 };
    for (let number = 0; number < 120; number++)
      counts[await trial(store, (copy) => damage(join(copy, file), below))]++;
    assert.ok(counts.same > 0 && counts.noticed > 0, JSON.stringify(counts));
  });
}

test("acknowledged commits that went with the WAL are missed at the next open, until the operator accepts that", async () => {
  const copy = join(folder, "cut");
  cpSync(killed, copy, { recursive: true });
  const path = join(copy, "baton.db");
  writeFileSync(`${path}-wal`, "");
  for (let tries = 0; tries < 2; tries++)
    await assert.rejects(openSqlite({ path }), { code: "damaged", message: /lost its last 12 commits.*-tip/ });
  rmSync(`${path}-tip`);
  await using database = await openSqlite({ path });
  assert.equal(await look(database, "a", 1), "same");
});

/** Opens a copy of the closed store after running this SQL in it. */
async function openEdited(sql: string): Promise<Database> {
  const copy = mkdtempSync(join(folder, "edited-"));
  cpSync(closed, copy, { recursive: true });
  const path = join(copy, "baton.db");
  const editor = new DatabaseSync(path);
  editor.exec(sql);
  editor.close();
  return openSqlite({ path });
}

const ROW_OF_A = "run = (SELECT id FROM heads WHERE run = 'a')";
for (const [what, sql] of [
  ["the first row of its log", `DELETE FROM batches WHERE ${ROW_OF_A} AND first = 1`],
  ["the last row of its log", `DELETE FROM batches WHERE ${ROW_OF_A} AND first > 1`],
  ["all rows of its log", `DELETE FROM batches WHERE ${ROW_OF_A}`],
  ["its length", "DELETE FROM heads WHERE run = 'a'"],
] as const) {
  test(`a run that has lost ${what} is damaged, and the others are not`, async () => {
    await using database = await openEdited(sql);
    assert.equal(await look(database, "a", 1), "noticed");
    for (const run of RUNS.slice(1)) await checkLog(database, run, linesTo(run, 3));
  });
}

for (const [what, sql] of [
  ["a length", "UPDATE heads SET length = 2 WHERE run = 'a'"],
  ["a row", `UPDATE batches SET body = replace(body, 'aaa', 'aba') WHERE ${ROW_OF_A}`],
  [
    "a row that was another run's",
    `DELETE FROM batches WHERE ${ROW_OF_A};
      UPDATE batches SET run = (SELECT id FROM heads WHERE run = 'a') WHERE run = (SELECT id FROM heads WHERE run = 'b')`,
  ],
  ["a record that is not JSON any more", "UPDATE runs SET body = replace(body, '{', '[') WHERE id = 'a'"],
  ["a record without its status", `UPDATE runs SET body = replace(body, '"status"', '"statis"') WHERE id = 'a'`],
  ["a record that was another run's", "UPDATE runs SET body = (SELECT body FROM runs WHERE id = 'b') WHERE id = 'a'"],
] as const) {
  test(`${what} that was changed is noticed`, async () => {
    await using database = await openEdited(`DROP INDEX batches_by_run; ${sql}`);
    assert.equal(await look(database, "a", 1), "noticed");
  });
}

test("a run whose length is damaged is lost to its writer, and the others are written", async () => {
  await using database = await openEdited("UPDATE heads SET length = 2 WHERE run = 'a'");
  const a = await hold(database, "run:a", "one");
  const b = await hold(database, "run:b", "one");
  const changes = [
    { claim: a, batch: toBatch("a", 4, ["4"]) },
    { claim: b, batch: toBatch("b", 4, ["4"]) },
  ];
  assert.deepEqual(await database.commit(changes), ["run:a"]);
  assert.deepEqual(await linesOf(database, "b"), [...linesTo("b", 3), "4"]);
});

test("a run that begins after the newest length was lost does not meet the remaining rows of that run", async () => {
  await using database = await openEdited("DELETE FROM heads WHERE id = (SELECT max(id) FROM heads)");
  const claim = await hold(database, "run:new", "one");
  assert.deepEqual(await database.commit([{ claim, creates: true, run: recordOf("new") }]), []);
  assert.deepEqual(await database.commit([{ claim, batch: toBatch("new", 1, ["1"]) }]), []);
  assert.deepEqual(await linesOf(database, "new"), ["1"]);
});

for (const [what, sql] of [["a length", "UPDATE heads SET length = length | (1 << 60) WHERE run = 'a'"]] as const) {
  test(`${what} that is larger than any number hides no other run, and keeps none from being written`, async () => {
    await using database = await openEdited(sql);
    assert.equal(await look(database, "a", 1), "noticed");
    assert.deepEqual((await database.runs.list({})).map(({ id }) => id).toSorted(), RUNS);
    const a = await hold(database, "run:a", "one");
    const b = await hold(database, "run:b", "one");
    const changes = [a, b].map((claim) => ({ claim, batch: toBatch(claim.key.slice(4), 4, ["4"]) }));
    await database.commit(changes);
    assert.deepEqual(await linesOf(database, "b"), [...linesTo("b", 3), "4"]);
  });
}
