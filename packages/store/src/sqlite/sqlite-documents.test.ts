/** Documents in a file leave nothing behind, are found by indexes, and come to a store that had none. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import type { Database } from "../database.ts";
import { toListSql } from "../documents/document-sql.ts";
import type { DocumentListing } from "../documents/document-table.ts";
import { ANN, recordOf, save } from "../testing/database-pair.ts";
import { SqliteConnection } from "./connection.ts";
import { openSqlite } from "./index.ts";
import { connect } from "./file/open-sqlite.ts";
import { migrateSqlite } from "./schema/schema.ts";
import { DUE_SQL } from "./sqlite-documents.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-documents-"));
after(() => rmSync(folder, { recursive: true }));
let made = 0;
const newPath = (): string => join(folder, `${++made}.db`);

/** Undoes what came after documents. */
const BEFORE_USE = `DROP TABLE inbox; DROP INDEX sessions_by_use; DROP INDEX runs_by_change; ALTER TABLE sessions DROP COLUMN updated_at;
  ALTER TABLE runs DROP COLUMN outcome; CREATE INDEX sessions_by_age ON sessions (tenant, user_name, created_at, id);`;

const BEFORE = `${BEFORE_USE} DROP TABLE documents; DROP TABLE document_keys; DROP TABLE document_words;
  DROP TABLE document_vectors; PRAGMA user_version=3;`;

test("a store of a Baton without documents is brought up to date, and keeps what it has", async () => {
  const path = newPath();
  await inStore(path, async (database) => save(database, [recordOf("r1")]));
  downgrade(path, BEFORE);
  await inStore(path, async (database) => {
    assert.deepEqual(await database.runs.find("r1"), recordOf("r1"));
    await database.documents(ANN).put("facts", { id: "a", data: 1, text: "gold" });
  });
  await inStore(path, async (database) => {
    assert.equal((await database.documents(ANN).search("facts", { text: "go" })).length, 1);
  });
});

test("messages that runs had not heard are moved from their records to the inbox", async () => {
  const path = newPath();
  await inStore(path, async (database) =>
    save(database, [recordOf("r1", { status: "paused" }), recordOf("r2", { status: "ended" })]),
  );
  downgrade(
    path,
    `UPDATE runs SET body = json_set(body, '$.mail', json_array('one', 'two "2"'));
    DROP TABLE inbox; PRAGMA user_version=6;`,
  );
  await inStore(path, async (database) => {
    const kept = (await database.inbox.list("r1")).map(({ fate, command }): [unknown, unknown] => [
      fate,
      JSON.parse(command),
    ]);
    assert.deepEqual(kept, [
      ["taken", { type: "say", text: "one" }],
      ["taken", { type: "say", text: 'two "2"' }],
    ]);
    assert.deepEqual(await database.inbox.list("r2"), []);
  });
});

test("a SQLite without full-text search is refused with what to do, and the store is not changed", async () => {
  const path = newPath();
  await inStore(path, async (database) => save(database, [recordOf("r1")]));
  downgrade(path, BEFORE);
  const connection = new SqliteConnection(path);
  const get = connection.get.bind(connection);
  connection.get = (sql, ...values) => (sql.includes("fts5") ? undefined : get(sql, ...values));
  assert.throws(() => migrateSqlite(connection, 0), {
    code: "invalid",
    message: /the SQLite of this Node has no full-text search \(FTS5\); use Node 22\.18 or newer/,
  });
  assert.equal(get("PRAGMA user_version")?.["user_version"], 3);
  connection.close();
});

test("keys, words and vectors go with their document, however it goes", async () => {
  const path = newPath();
  let time = 1_000;
  await using database = await openSqlite({ path, now: () => time });
  const documents = database.documents(ANN);
  const more = { data: 1, text: "gold price", vector: [1], index: { kind: "fact", at: 1 } };
  const put = async (id: string, rest: object = {}) => documents.put("facts", { id, ...more, ...rest });
  for (let count = 0; count < 3; count++) await put("again");
  await put("deleted");
  await documents.delete("facts", "deleted");
  await put("of-session", { session: "s" });
  await database.sessions.delete(ANN, "s");
  await put("over", { ttlMs: 1 });
  time += 10;
  await put("kept");
  assert.deepEqual(countParts(path), {
    documents: 2,
    document_keys: 4,
    document_words_docsize: 2,
    document_vectors: 2,
  });
  await database.owners.transfer(ANN, { ...ANN, user: "bob" });
  assert.deepEqual(countParts(path), {
    documents: 2,
    document_keys: 4,
    document_words_docsize: 2,
    document_vectors: 2,
  });
  edit(path, "INSERT INTO document_words (document_words) VALUES ('integrity-check')");
  await database.owners.delete({ ...ANN, user: "bob" });
  assert.deepEqual(countParts(path), {
    documents: 0,
    document_keys: 0,
    document_words_docsize: 0,
    document_vectors: 0,
  });
});

test("a list goes along an index and sorts nothing, whatever it asks for", () => {
  const connection = connect(newPath(), 0);
  const listing: DocumentListing = {
    where: [],
    orderBy: undefined,
    direction: "ascending",
    after: undefined,
    limit: 10,
  };
  const where = [{ name: "kind", key: "s61" }];
  const cases: readonly [index: string, more: Partial<DocumentListing>][] = [
    ["sqlite_autoindex_documents_1", {}],
    ["sqlite_autoindex_documents_1", { after: { key: "", id: "a" }, direction: "descending" }],
    ["PRIMARY KEY", { where }],
    ["PRIMARY KEY", { where, after: { key: "", id: "a" } }],
    ["PRIMARY KEY", { orderBy: "at" }],
    ["PRIMARY KEY", { orderBy: "at", where, direction: "descending", after: { key: "n0", id: "a" } }],
  ];
  for (const [index, more] of cases) {
    const name = { ...ANN, collection: "facts" };
    const { text, values } = toListSql({ prefix: "", columns: "d.id" }, name, { ...listing, ...more, now: 0 });
    const plan = connection.all(`EXPLAIN QUERY PLAN ${text}`, ...values).map(({ detail }) => String(detail));
    assert.match(plan[0] ?? "", new RegExp(`USING (?:COVERING )?(?:INDEX )?${index} `), JSON.stringify(more));
    assert.ok(!plan.some((step) => step.includes("TEMP B-TREE")), plan.join("; "));
  }
  connection.close();
});

test("a store without an index of what is due is brought up to date, and finds what was due before", async () => {
  const path = newPath();
  await inStore(path, async (database) => {
    await database.documents(ANN).put("plans", { id: "a", data: 1, index: { dueAt: 5 } });
  });
  downgrade(path, `${BEFORE_USE} DROP INDEX document_keys_by_due; PRAGMA user_version=4;`);
  await inStore(path, async (database) => {
    assert.equal((await database.due("plans", { upTo: 5, limit: 9 })).length, 1);
  });
  using reader = new DatabaseSync(path);
  assert.equal(reader.prepare("PRAGMA user_version").get()?.["user_version"], 10);
});

test("what is due is found along an index that has nothing else, and sorts nothing", () => {
  const connection = connect(newPath(), 0);
  const plan = connection.all(`EXPLAIN QUERY PLAN ${DUE_SQL}`, "plans", "n0", "", "", "", "", 0, 10);
  const steps = plan.map(({ detail }) => String(detail));
  assert.match(steps[0] ?? "", /SEARCH k USING (?:COVERING )?INDEX document_keys_by_due \(collection=\?/);
  assert.match(steps[1] ?? "", /SEARCH d USING INTEGER PRIMARY KEY/);
  assert.equal(steps.length, 2, steps.join("; "));
  connection.close();
});

async function inStore(path: string, work: (database: Database) => Promise<void>): Promise<void> {
  await using database = await openSqlite({ path });
  await work(database);
}

/** Makes a store that an older Baton wrote: those had no id. */
function downgrade(path: string, sql: string): void {
  edit(path, `DROP TABLE identity; ${sql}`);
  rmSync(`${path}-id`);
}

function edit(path: string, sql: string): void {
  using editor = new DatabaseSync(path);
  editor.exec(sql);
}

function countParts(path: string): Readonly<Record<string, number>> {
  using reader = new DatabaseSync(path);
  const count = (table: string): number => Number(reader.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  return {
    documents: count("documents"),
    document_keys: count("document_keys"),
    document_words_docsize: count("document_words_docsize"),
    document_vectors: count("document_vectors"),
  };
}
