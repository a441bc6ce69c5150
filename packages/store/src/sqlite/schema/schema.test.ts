/** Of several processes that open a store at the same moment, one brings it up to date, and the others see that. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { SqliteConnection } from "../connection.ts";
import { connect } from "../file/open-sqlite.ts";
import { migrateSqlite } from "./schema.ts";

const OLD = readFileSync(join(import.meta.dirname, "testing", "schema-2.sql"), "utf8");
const NOW = 1e9;

const folder = mkdtempSync(join(tmpdir(), "baton-schema-"));
after(() => rmSync(folder, { recursive: true }));

for (const [name, before] of [
  ["a new store", ""],
  ["a store of an older Baton", OLD],
] as const) {
  test(`a process that waits while another one upgrades ${name} does not upgrade it again`, () => {
    const path = join(folder, `${name}.db`);
    const editor = new DatabaseSync(path);
    editor.exec(before);
    editor.close();
    const late = new SqliteConnection(path);
    const write = late.write.bind(late);
    let writes = 0;
    late.write = (work) => {
      // It has seen that there is something to do; before it has the lock, the other one has done it.
      if (writes++ === 0) connect(path, NOW).close();
      return write(work);
    };
    migrateSqlite(late, NOW);
    assert.equal(writes, 1);
    assert.equal(late.get("SELECT count(*) AS count FROM commits")?.["count"], 1);
    assert.equal(late.get("SELECT count(*) AS count FROM runs")?.["count"], before === "" ? 0 : 3);
    late.close();
  });
}
