/** A process that is killed in the middle of the clerk's code, with approvals open, on SQLite. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import type { RunEvent } from "@baton/core";
import { inSlice, of } from "@baton/core/testing";
import { replay } from "@baton/durable/replay";
import { readAll } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { crew, interpreter, live } from "./clerk-run.ts";

const WORKER = join(import.meta.dirname, "kill-worker.ts");
/** Refunds that are made: 50 orders are late, one is refused. */
const REFUNDS = 49;
/** Events between two kills of one run, so that each of its processes gets on. */
const STRIDE = 160;

type Moment = readonly [name: "event" | "before" | "after" | "end", number: number];

/** Plays the run in processes that are killed at these moments, one after the other, and in one that is not. */
async function play(path: string, file: string, moments: readonly Moment[]): Promise<readonly RunEvent[]> {
  let events: readonly RunEvent[] = [];
  for (const [name, number] of [...moments, ["end", 0] as const]) {
    const ended = new Set(of(events, "call.ended").map(({ call }) => call));
    const before = (await readLines(file)).length;
    const child = spawn(process.execPath, [WORKER, path, file, name, `${number}`], { stdio: ["ignore", 2, 2] });
    await once(child, "exit");
    const { exitCode, signalCode } = child;
    assert.ok(signalCode === "SIGKILL" || exitCode === 0, `${name} ${number}: ${exitCode} ${signalCode}`);
    const again = (await readLines(file)).slice(before).filter((line) => ended.has(line.split(" ")[1] ?? ""));
    assert.deepEqual(again, [], `${name} ${number}: finished calls were made again`);
    await using database = await openSqlite({ path });
    events = await readAll(database, "r");
  }
  return events;
}

const readLines = async (file: string): Promise<readonly string[]> =>
  (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);

async function check(moments: readonly Moment[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "late-orders-"));
  const told = JSON.stringify(moments);
  try {
    const file = join(folder, "lines");
    const events = await play(join(folder, "baton.db"), file, moments);
    assert.equal(events.at(-1)?.type, "run.ended", told);
    const lines = await readLines(file);
    const paid = lines.filter((line) => line.startsWith("refund ")).map((line) => line.split(" ")[2]);
    assert.deepEqual([paid.length, new Set(paid).size], [REFUNDS, REFUNDS], told);
    assert.ok(!paid.includes('{"id":"A-120"}'), told);
    assert.equal(await replay(crew, events), undefined, told);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

suite("late orders", () => {
  after(() => interpreter.close());

  test("kill -9 at any event refunds each order once, makes no finished call again, and replays", async () => {
    const { length } = await live(crew);
    const offsets = Array.from({ length: STRIDE }, (_, at) => at + 1);
    // A tenth of a tenth: each of these runs takes five processes.
    for (const offset of inSlice(inSlice(offsets))) {
      const seqs = Array.from({ length: Math.ceil((length - offset) / STRIDE) }, (_, at) => offset + at * STRIDE);
      await check(seqs.map((seq) => ["event", seq] as const));
    }
  });

  test("kill -9 before or after any refund asks about that one, and makes it once", async () => {
    const each = Array.from({ length: REFUNDS }, (_, at) => at + 1);
    const moments = each.flatMap((n): Moment[] => [
      ["before", n],
      ["after", n],
    ]);
    for (const moment of inSlice(inSlice(moments))) await check([moment]);
  });
});
