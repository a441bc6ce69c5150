/** The database in a file of SQLite keeps every database's promises. */
import assert from "node:assert/strict";
import { inSlice, testLedger } from "@baton/core/testing";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after } from "node:test";
import { testDamage } from "../testing/damage-suite.ts";
import { type BrittlePair, ID_COLUMNS } from "../testing/database-pair.ts";
import { testDatabase } from "../testing/database-suite.ts";
import { openSqlite } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-sqlite-"));
after(() => rmSync(folder, { recursive: true }));
let opened = 0;
const newPath = (): string => join(folder, `${++opened}`, "baton.db");

const openPair = async (): Promise<BrittlePair> => {
  const path = newPath();
  let time = 1_000_000;
  const now = (): number => time;
  const first = await openSqlite({ path, now });
  const second = await openSqlite({ path, now });
  return {
    first,
    second,
    pass: async (ms) => {
      time += ms;
    },
    now,
    damage: async (kind, id) => {
      using editor = new DatabaseSync(path);
      editor.prepare(`UPDATE ${kind}s SET body = substr(body, 2) WHERE ${ID_COLUMNS[kind]} = ?`).run(id);
    },
    copy: async (kind, from, to) => {
      using editor = new DatabaseSync(path);
      const column = ID_COLUMNS[kind];
      const sql = `UPDATE ${kind}s SET body = (SELECT body FROM ${kind}s WHERE ${column} = ?) WHERE ${column} = ?`;
      assert.equal(editor.prepare(sql).run(from, to).changes, 1);
    },
    countRequests: async () => countRows(path, "requests"),
    countDocuments: async () => countRows(path, "documents"),
    [Symbol.asyncDispose]: async () => {
      await first[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
    },
  };
};

function countRows(path: string, table: "requests" | "documents"): number {
  using reader = new DatabaseSync(path);
  return Number(reader.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);
}

const SUITES = [
  () => testDatabase("openSqlite", openPair),
  () => testDamage("openSqlite", openPair),
  () =>
    testLedger("the ledger in SQLite", (clock) => {
      const opening = openSqlite({ path: newPath(), now: () => clock.now() });
      return { reserve: async (accounts, worst) => (await opening).ledger.reserve(accounts, worst) };
    }),
];
for (const play of inSlice(SUITES)) play();
