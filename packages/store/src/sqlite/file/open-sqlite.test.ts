/** A store is opened, created if it does not exist, and refused with a clear message if it cannot be used. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { toBatch } from "../../batch.ts";
import { hold, linesOf, recordOf } from "../../testing/database-pair.ts";
import { openSqlite } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-open-"));
after(() => rmSync(folder, { recursive: true }));

test("folder and files are made for their owner only, and a closed store is the database and its id", async () => {
  const home = join(folder, "new", "deep");
  {
    await using database = await openSqlite({ path: join(home, "baton.db") });
    const claim = await hold(database, "run:a", "one");
    await database.commit([{ claim, batch: toBatch("a", 1, ["1"]) }]);
    for (const name of readdirSync(home)) assert.equal(statSync(join(home, name)).mode & 0o777, 0o600, name);
    assert.ok(readdirSync(home).includes("baton.db-wal"));
  }
  assert.equal(statSync(home).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(home), ["baton.db", "baton.db-id"]);
  await using database = await openSqlite({ path: join(home, "baton.db") });
  assert.deepEqual(await linesOf(database, "a"), ["1"]);
});

test("several processes that open a new store at once make it once, and each can write", async () => {
  const path = join(folder, "race", "baton.db");
  const script = `
    const { openSqlite } = await import(${JSON.stringify(import.meta.resolve("../index.ts"))});
    const { hold, recordOf } = await import(${JSON.stringify(import.meta.resolve("../../testing/database-pair.ts"))});
    const [path, name] = process.argv.slice(1);
    await using database = await openSqlite({ path });
    const claim = await hold(database, "run:" + name, name);
    await database.commit([{ claim, run: recordOf(name) }]);`;
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((name) => promisify(execFile)(process.execPath, ["-e", script, path, name])));
  await using database = await openSqlite({ path });
  for (const name of names) assert.deepEqual(await database.runs.find(name), recordOf(name));
});

test("the store of a newer Baton is refused and not changed", async () => {
  const path = join(folder, "newer.db");
  await (await openSqlite({ path }))[Symbol.asyncDispose]();
  const editor = new DatabaseSync(path);
  editor.exec("PRAGMA user_version=99");
  editor.close();
  await assert.rejects(openSqlite({ path }), {
    code: "invalid",
    message: /newer Baton \(schema 99.*install that version/,
  });
});

test("the database of another program is refused and not changed", async () => {
  const path = join(folder, "other.db");
  const other = new DatabaseSync(path);
  other.exec("CREATE TABLE runs (id); PRAGMA user_version=1");
  other.close();
  await assert.rejects(openSqlite({ path }), { code: "damaged", message: /not Baton's.*move it away/ });
});

test("a file that is not a database is refused and not changed", async () => {
  const path = join(folder, "notes.txt");
  const text = "This is no database. ".repeat(1_000);
  writeFileSync(path, text);
  await assert.rejects(openSqlite({ path }), { code: "damaged", message: /notes\.txt.*move it away/ });
  assert.equal(statSync(path).size, text.length);
});

test("a place that cannot be written to is refused", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  for (const path of [join(file, "baton.db"), join(file, "deep", "baton.db"), folder])
    await assert.rejects(openSqlite({ path }), { code: "invalid", message: /choose another path/ });
});

test("a store that another process has locked is refused until it is free", async () => {
  const path = join(folder, "locked.db");
  const other = new DatabaseSync(path);
  other.exec("CREATE TABLE other (id); BEGIN EXCLUSIVE; DROP TABLE other");
  await assert.rejects(openSqlite({ path }), { code: "busy", retryable: true, message: /another process/ });
  other.exec("COMMIT");
  other.close();
  await (await openSqlite({ path }))[Symbol.asyncDispose]();
});
