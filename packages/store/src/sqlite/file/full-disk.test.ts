/** A full disk keeps nothing of a commit, and the store works again when there is room. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { toBatch } from "../../batch.ts";
import type { Database } from "../../database.ts";
import type { Change, Claim } from "../../record.ts";
import { hold, linesOf, recordOf } from "../../testing/database-pair.ts";
import { openSqlite } from "../index.ts";
import { connect } from "./open-sqlite.ts";
import { sqliteDatabase } from "../sqlite-database.ts";
import { CommitCounterFile } from "./commit-counter-file.ts";
import { FileWatch } from "./file-watch.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-full-"));
after(() => rmSync(folder, { recursive: true }));

const execute = (command: string, ...words: string[]) => execFileSync(command, words, { stdio: "ignore" });
const small = (claim: Claim, seq: number): Change => ({ claim, batch: toBatch("a", seq, [`${seq}`]) });
const large = (claim: Claim): Change => ({
  claim,
  run: recordOf("large"),
  batch: toBatch("large", 1, ["x".repeat(1_000_000)]),
});

/** A commit that does not fit is rejected as a whole, and goes through once there is room. */
async function testFull(database: Database, makeRoom: () => void): Promise<void> {
  const claim = await hold(database, "run:a", "one");
  assert.deepEqual(await database.commit([small(claim, 1)]), []);
  for (let tries = 0; tries < 3; tries++) {
    await assert.rejects(database.commit([small(claim, 2), large(claim)]), { code: "busy", message: /disk is full/ });
    assert.deepEqual(await linesOf(database, "a"), ["1"]);
    assert.equal(await database.runs.find("large"), undefined);
    assert.equal(await database.logs.length("large"), 0);
  }
  makeRoom();
  assert.deepEqual(await database.commit([small(claim, 2), large(claim)]), []);
  assert.deepEqual(await linesOf(database, "a"), ["1", "2"]);
  assert.equal((await linesOf(database, "large"))[0]?.length, 1_000_000);
}

test("a commit for which the file may not grow is rejected as a whole", async () => {
  const path = join(folder, "baton.db");
  const connection = connect(path);
  const database = sqliteDatabase({
    name: "sqlite",
    connection,
    watch: new FileWatch(),
    commitCounter: CommitCounterFile.open(path, () => 0),
    now: Date.now,
  });
  connection.execute("PRAGMA max_page_count=40");
  await testFull(database, () => connection.execute("PRAGMA max_page_count=10000"));
  await database[Symbol.asyncDispose]();
});

test("a commit for which the disk has no room is rejected as a whole", async (context) => {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  try {
    execute("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk);
  } catch {
    return context.skip("only root can mount a small disk");
  }
  try {
    const ballast = join(disk, "ballast");
    writeFileSync(ballast, Buffer.alloc(3_200_000));
    await using database = await openSqlite({ path: join(disk, "baton.db") });
    await testFull(database, () => rmSync(ballast));
  } finally {
    execute("umount", disk);
  }
});
