/** Of several processes that open a new store at the same moment, one makes its tables; those of another Baton are refused. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { SqliteConnection } from "../connection.ts";
import { connect } from "../file/open-sqlite.ts";
import { makeTables } from "./schema.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-schema-"));
after(() => rmSync(folder, { recursive: true }));

test("a process that waits while another one makes the tables does not make them again", () => {
  const path = join(folder, "new.db");
  const late = new SqliteConnection(path);
  const transact = late.transact.bind(late);
  let writes = 0;
  late.transact = (work) => {
    // It has seen that there is something to do; before it has the lock, the other one has done it.
    if (writes++ === 0) connect(path).close();
    return transact(work);
  };
  makeTables(late);
  assert.equal(writes, 1);
  assert.equal(late.get("SELECT count(*) AS count FROM commits")?.["count"], 1);
  late.close();
});

test("a store from before the first release is refused with what to do, and not changed", () => {
  const path = join(folder, "old.db");
  connect(path).close();
  using editor = new DatabaseSync(path);
  editor.exec("PRAGMA user_version=9");
  assert.throws(() => connect(path), {
    code: "invalid",
    message:
      /before the first release \(schema 9, this one has 11\): export its runs with that one, or choose another path/,
  });
  assert.equal(editor.prepare("PRAGMA user_version").get()?.["user_version"], 9);
});

test("a store of the version before is upgraded when it is opened", () => {
  const path = join(folder, "before.db");
  connect(path).close();
  {
    using editor = new DatabaseSync(path);
    editor.exec(`PRAGMA user_version=10;
      CREATE TRIGGER run_texts_added AFTER INSERT ON run_texts BEGIN DELETE FROM run_texts; END;`);
  }
  const connection = connect(path);
  assert.equal(connection.get("PRAGMA user_version")?.["user_version"], 11);
  assert.equal(connection.get("SELECT 1 FROM sqlite_schema WHERE name = 'run_texts_added'"), undefined);
  connection.close();
});

test("a SQLite without full-text search is refused with what to do, and the store is not changed", () => {
  const connection = new SqliteConnection(join(folder, "plain.db"));
  const get = connection.get.bind(connection);
  connection.get = (sql, ...values) => (sql.includes("fts5") ? undefined : get(sql, ...values));
  assert.throws(() => makeTables(connection), {
    code: "invalid",
    message: /the SQLite of this Node has no full-text search \(FTS5\); use Node 22\.18 or newer/,
  });
  assert.equal(get("PRAGMA user_version")?.["user_version"], 0);
  connection.close();
});
