/**
 * Run texts: the words that runs are found by, and how they are searched.
 *
 * A search is made in slices with a turn of the event loop between them, because a common word may be in every run. FTS5
 * writes a segment whenever a statement of the same transaction may have to be undone alone: of one with triggers or
 * RETURNING. So words are indexed by statements of their own, the last of a transaction.
 */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Owner } from "../owner.ts";
import type { RunFilter, RunRecord } from "../record.ts";
import { findMatchedFields, fold, type SearchTerm, toRunText } from "../search/run-text.ts";
import { RUN_TEXT_FIELDS, type RunTextField } from "../search/run-text-fields.ts";
import { numberOf, textOf } from "./columns.ts";
import type { SqliteConnection, SqliteRow } from "./connection.ts";

const FIELDS: readonly string[] = RUN_TEXT_FIELDS;
/** Runs that are looked at in one turn of the event loop. */
const RUNS_PER_TURN = 200;
/** Rows that are found at once: more each time, because each time the search begins anew. */
const MAX_SLICE = 3_200;
const SLICE_GROWTH = 4;
const TEXTS_PER_TURN = 16;
/** Numbers for each millisecond. */
const SPREAD = 1_000;
const MAX_TIME = 8e12;

const COLUMNS = [...FIELDS, "owner"];
const PLACES = COLUMNS.map(() => "?").join(", ");
const READ = `SELECT CAST(number AS REAL) AS number, ${COLUMNS.join(", ")} FROM run_texts`;
const INDEX = `INSERT INTO run_words (rowid, ${COLUMNS.join(", ")}) VALUES (?, ${PLACES})`;

/** Saves the texts of a run; an answer that is not given stays as it was. */
export function saveRunText(connection: SqliteConnection, record: RunRecord, answer?: string): void {
  const before = connection.get(`${READ} WHERE run = ?`, record.id);
  const text = toRunText(record, { answer, title: findTitle(connection, record) });
  const kept = before !== undefined && answer === undefined ? { answer: textOf(before, "answer") } : {};
  const texts = { ...text, ...kept };
  const values = [...RUN_TEXT_FIELDS.map((field) => texts[field]), toOwnerTokens(record)];
  if (before !== undefined && COLUMNS.every((column, index) => before[column] === values[index])) return;
  const number = before === undefined ? newNumber(connection, record) : numberOf(before, "number");
  if (before === undefined) {
    const sql = `INSERT INTO run_texts (number, run, ${COLUMNS.join(", ")}) VALUES (?, ?, ${PLACES})`;
    connection.run(sql, number, record.id, ...values);
  } else {
    connection.run("DELETE FROM run_words WHERE rowid = ?", number);
    connection.run(
      `UPDATE run_texts SET ${COLUMNS.map((column) => `${column} = ?`).join(", ")} WHERE number = ?`,
      ...values,
      number,
    );
  }
  connection.run(INDEX, number, ...values);
}

/** Changes a column of some texts, and the words that they are found by. */
function changeTexts(
  connection: SqliteConnection,
  column: "owner" | "title",
  { value, where, values }: TextChange,
): void {
  const found = connection.all(`${READ} WHERE ${where}`, ...values);
  for (const row of found) {
    const number = numberOf(row, "number");
    connection.run(`UPDATE run_texts SET ${column} = ? WHERE number = ?`, value, number);
    connection.run("DELETE FROM run_words WHERE rowid = ?", number);
    connection.run(INDEX, number, ...COLUMNS.map((name) => (name === column ? value : textOf(row, name))));
  }
}

interface TextChange {
  readonly value: string;
  readonly where: string;
  readonly values: readonly string[];
}

/** A free number at the time of the run. */
function newNumber(connection: SqliteConnection, { createdAt }: RunRecord): number {
  const first = Math.trunc(Math.min(Math.max(createdAt, 0), MAX_TIME)) * SPREAD;
  const sql = "SELECT CAST(max(number) AS REAL) AS last FROM run_texts";
  const last = connection.get(`${sql} WHERE number >= ? AND number < ?`, first, first + SPREAD)?.["last"];
  if (typeof last !== "number") return first;
  if (last + 1 < first + SPREAD) return last + 1;
  const newest = connection.get(sql)?.["last"];
  return typeof newest === "number" ? newest + 1 : first;
}

/** Words for the tenant and the user, so that a search passes over the runs of others. */
function toOwnerTokens(owner: Owner): string {
  return `${toOwnerToken([owner.tenant])} ${toOwnerToken([owner.tenant, owner.user])}`;
}

function toOwnerToken(names: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(names)).digest("hex").slice(0, 32);
}

/** Says that the runs of one owner are another's now. */
export function moveRunTexts(connection: SqliteConnection, from: Owner, to: Owner): void {
  changeTexts(connection, "owner", { value: toOwnerTokens(to), where: "owner = ?", values: [toOwnerTokens(from)] });
}

type SessionOf = Pick<RunRecord, "tenant" | "user" | "session">;

function findTitle(connection: SqliteConnection, { tenant, user, session }: SessionOf): string | undefined {
  if (session === undefined) return undefined;
  const sql = `SELECT coalesce(given_title, iif(json_valid(body), json_extract(body, '$.title'), NULL)) AS title
    FROM sessions WHERE tenant = ? AND user_name = ? AND id = ?`;
  const title = connection.get(sql, tenant, user, session)?.["title"];
  return typeof title === "string" ? title : undefined;
}

/** Gives the runs of a session the title that it has now. */
export function renameRunTexts(connection: SqliteConnection, session: SessionOf & { readonly session: string }): void {
  const { tenant, user, session: id } = session;
  changeTexts(connection, "title", {
    value: fold(findTitle(connection, session) ?? ""),
    where: "run IN (SELECT id FROM runs WHERE session = ? AND tenant = ? AND user_name = ?)",
    values: [id, tenant, user],
  });
}

/** Removes the texts of a run. */
export function deleteRunText(connection: SqliteConnection, run: string): void {
  connection.run("DELETE FROM run_texts WHERE run = ?", run);
}

/** The runs that a search finds, the newest first, from a run on; a slice at a time. */
export async function* searchRunTexts(
  connection: SqliteConnection,
  terms: readonly SearchTerm[],
  { before, tenant, user }: { readonly before: string | undefined } & Pick<RunFilter, "tenant" | "user">,
): AsyncGenerator<readonly string[], void> {
  const names = tenant === undefined ? [] : [tenant, ...(user === undefined ? [] : [user])];
  const query = toMatch(terms) + (names.length === 0 ? "" : ` AND owner : "${toOwnerToken(names)}"`);
  let last = before === undefined ? Number.MAX_SAFE_INTEGER : findNumber(connection, before);
  for (let size = RUNS_PER_TURN; ; size = Math.min(size * SLICE_GROWTH, MAX_SLICE)) {
    const rows = connection.read(() => findSlice(connection, query, { before: last, size }));
    for (let from = 0; from < rows.length; from += RUNS_PER_TURN) {
      yield rows.slice(from, from + RUNS_PER_TURN).map((row) => textOf(row, "run"));
      await nextTurn();
    }
    const oldest = rows[size - 1];
    if (oldest === undefined) return;
    last = numberOf(oldest, "number");
  }
}

interface Slice {
  readonly before: number;
  readonly size: number;
}

function findNumber(connection: SqliteConnection, run: string): number {
  const sql = "SELECT CAST(number AS REAL) AS number FROM run_texts WHERE run = ?";
  const row = connection.read(() => connection.get(sql, run));
  return row === undefined ? Number.MAX_SAFE_INTEGER : numberOf(row, "number");
}

function findSlice(connection: SqliteConnection, query: string, { before, size }: Slice): readonly SqliteRow[] {
  return connection.all(
    `SELECT CAST(number AS REAL) AS number, run FROM (
        SELECT rowid FROM run_words WHERE run_words MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?
      ) w JOIN run_texts t ON t.number = w.rowid ORDER BY t.number DESC`,
    query,
    before,
    size,
  );
}

/** The records with the fields in which the search was found. Texts may be long, so few are read in one turn. */
export async function addMatched(
  connection: SqliteConnection,
  records: readonly RunRecord[],
  terms: readonly SearchTerm[],
): Promise<readonly RunRecord[]> {
  const found: RunRecord[] = [];
  for (const record of records) {
    const row = connection.read(() => connection.get("SELECT * FROM run_texts WHERE run = ?", record.id));
    found.push({ ...record, matched: row === undefined ? [] : findMatchedFields(toText(row), terms) });
    if (found.length % TEXTS_PER_TURN === 0) await nextTurn();
  }
  return found;
}

function toText(row: SqliteRow): (field: RunTextField) => string {
  return (field) => textOf(row, field);
}

/** Words are letters and digits, so none needs an escape. */
function toMatch(terms: readonly SearchTerm[]): string {
  const all = terms.map(({ words, isPrefix }) => `"${words.join(" ")}"${isPrefix ? " *" : ""}`).join(" AND ");
  return `{${FIELDS.join(" ")}} : (${all})`;
}
