/** A write that was acknowledged is on disk, whatever was written before it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { SqliteConnection } from "./connection.ts";
import { connect } from "./file/open-sqlite.ts";

/** SQLite's numbers for `synchronous`. */
const NORMAL = 1;
const FULL = 2;

const folder = mkdtempSync(join(tmpdir(), "baton-connection-"));
after(() => rmSync(folder, { recursive: true }));

function readSynchronous(connection: SqliteConnection): unknown {
  return connection.get("PRAGMA synchronous")?.["synchronous"];
}

test("a light write does not wait for the disk, and every write after it does", async () => {
  const connection = connect(join(folder, "light.db"));
  assert.equal(readSynchronous(connection), FULL);
  await connection.writeLightly(() => {
    assert.equal(readSynchronous(connection), NORMAL);
    connection.run("INSERT INTO leases VALUES ('one', 1)");
  });
  assert.equal(readSynchronous(connection), FULL);
  connection.close();
});

test("writes wait for the disk again after a light write that failed", async () => {
  const connection = connect(join(folder, "failing.db"));
  const fails = (): never => {
    connection.run("INSERT INTO leases VALUES ('one', 1)");
    throw new Error("cannot be read");
  };
  await assert.rejects(connection.writeLightly(fails), { message: "cannot be read" });
  assert.equal(readSynchronous(connection), FULL);
  assert.deepEqual(connection.all("SELECT owner FROM leases"), []);
  connection.close();
});

test("a write waits for one of another process, and the event loop goes on meanwhile", async () => {
  const path = join(folder, "locked.db");
  const [connection, other] = [connect(path), connect(path)];
  other.execute("BEGIN IMMEDIATE");
  const writing = connection.write(() => connection.run("INSERT INTO leases VALUES ('one', 1)"));
  // It would never be called if the write blocked.
  setTimeout(() => other.execute("COMMIT"), 50);
  assert.equal(await writing, 1);
  connection.close();
  other.close();
});
