import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inSlice, of } from "@baton/core/testing";
import { readAll } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { replay } from "../replay/replay.ts";
import { defineMapCrew, ITEMS } from "../testing/map-crew.ts";

const WORKER = join(import.meta.dirname, "../testing/map-worker.ts");
const MAX_PARALLEL = 8;

async function live(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [WORKER, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "exit");
  return child.signalCode ?? `exit ${child.exitCode}`;
}

for (const last of inSlice([1, 8, 350, 700, 999])) {
  test(`a map of 1,000 items whose process is killed at item ${last} does nothing twice that was finished`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "baton-map-"));
    try {
      const [path, file] = [join(folder, "runs.db"), join(folder, "stamps")];
      assert.equal(await live([path, file, `${last}`]), "SIGKILL");
      const finished = await readEnded(path);
      assert.equal(await live([path, file, "0"]), "exit 0");
      const stamps = (await readFile(file, "utf8")).trimEnd().split("\n");
      const counts = Map.groupBy(stamps, (item) => item);
      assert.equal(counts.size, ITEMS);
      const twice = [...counts].flatMap(([item, times]) => (times.length > 1 ? item : []));
      assert.ok(twice.length <= MAX_PARALLEL, `${twice.length} were stamped twice`);
      assert.ok(!twice.some((item) => finished.has(item)), "a finished call was made again");
      await using database = await openSqlite({ path });
      const events = await readAll(database, "r");
      const [ended] = of(events, "group.ended");
      assert.deepEqual(
        ended?.results.map(({ text }) => text),
        Array.from({ length: ITEMS }, (_, at) => `i${at + 1} is stamped`),
      );
      assert.equal(of(events, "call.ended").length, ITEMS);
      assert.equal(of(events, "run.ended")[0]?.outcome, "done");
      assert.equal(
        await replay(
          defineMapCrew(() => assert.fail("a tool was called")),
          events,
        ),
        undefined,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** The items whose stamp was recorded. */
async function readEnded(path: string): Promise<ReadonlySet<string>> {
  await using database = await openSqlite({ path });
  const events = await readAll(database, "r");
  const ended = new Set(of(events, "call.ended").map(({ call }) => call));
  return new Set(of(events, "call.started").flatMap(({ call }) => (ended.has(call) ? `i${call.split("/")[2]}` : [])));
}
