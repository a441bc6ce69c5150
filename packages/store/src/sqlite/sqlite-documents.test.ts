/** Documents in a file leave nothing behind and are found by indexes. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { toListSql } from "../documents/document-sql.ts";
import type { DocumentListing } from "../documents/document-table.ts";
import { ANN } from "../testing/database-pair.ts";
import { openSqlite } from "./index.ts";
import { connect } from "./file/open-sqlite.ts";
import { DUE_SQL } from "./sqlite-documents.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-documents-"));
after(() => rmSync(folder, { recursive: true }));
let made = 0;
const newPath = (): string => join(folder, `${++made}.db`);

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
  const connection = connect(newPath());
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

test("what is due is found along an index that has nothing else, and sorts nothing", () => {
  const connection = connect(newPath());
  const plan = connection.all(`EXPLAIN QUERY PLAN ${DUE_SQL}`, "plans", "n0", "", "", "", "", 0, 10);
  const steps = plan.map(({ detail }) => String(detail));
  assert.match(steps[0] ?? "", /SEARCH k USING (?:COVERING )?INDEX document_keys_by_due \(collection=\?/);
  assert.match(steps[1] ?? "", /SEARCH d USING INTEGER PRIMARY KEY/);
  assert.equal(steps.length, 2, steps.join("; "));
  connection.close();
});

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
