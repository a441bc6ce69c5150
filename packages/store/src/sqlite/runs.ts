/**
 * Runs: the record of each run as JSON, and beside it the columns that runs are searched by.
 */
import { runKey, SESSION_KEY } from "../claim-key.ts";
import type { Runs } from "../database.ts";
import type { Change, Retention, RunFilter, RunRecord } from "../record.ts";
import { toShortId } from "../run-id.ts";
import { parseRunSearch } from "../search/run-text.ts";
import { isListedDamaged, type RunColumns, toListedRun, toRun } from "../stored-record.ts";
import { textOf } from "./columns.ts";
import type { SqliteConnection, SqliteRow } from "./connection.ts";
import { deleteLog } from "./logs.ts";
import { addMatched, deleteRunText, searchRunTexts } from "./run-texts.ts";
import { deleteExpired } from "./sqlite-documents.ts";

const DEFAULT_LIMIT = 100;
const COLUMNS = "id, tenant, user_name, crew, session, created_at, updated_at, body";
/** The columns that runs are searched by, and their names in a filter. */
const FILTERS = [
  ["tenant", "tenant"],
  ["user_name", "user"],
  ["status", "status"],
  ["outcome", "outcome"],
  ["crew", "crew"],
  ["session", "session"],
  ["short_id", "shortId"],
  ["request_id", "request"],
] as const;

/** The runs of a database. */
export function sqliteRuns(connection: SqliteConnection, now: () => number): Runs {
  return {
    find: async (id) => connection.read(() => findRunRow(connection, id)),
    list: async ({ text, ...filter }) =>
      text === undefined ? connection.read(() => findRuns(connection, filter)) : searchRuns(connection, filter, text),
    delete: async (id) => connection.write(() => deleteRun(connection, id)),
    prune: async (retention) =>
      connection.write(() => {
        deleteExpired(connection, now());
        return pruneRuns(connection, retention);
      }),
    interrupted: async (crews) => connection.readShared(() => findInterrupted(connection, crews, now())),
  };
}

/** Whether nothing is stored of the run that a change creates, or exactly what the change writes. */
export function isNew(connection: SqliteConnection, { run, batch }: Change): boolean {
  if (run === undefined) return true;
  const row = connection.get(
    `SELECT CAST(h.length AS REAL) AS length, r.body FROM (SELECT ? AS id) x
      LEFT JOIN heads h ON h.run = x.id LEFT JOIN runs r USING (id)`,
    run.id,
  );
  if (row?.["length"] === null && row["body"] === null) return true;
  return row?.["length"] === (batch?.last ?? 0) && row["body"] === JSON.stringify(run);
}

const INSERT = `INSERT INTO runs (id, short_id, tenant, user_name, crew, session, request_id, status, outcome, created_at,
  updated_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id)`;

/** Writes a run's record; whose it is and when it began never changes. */
export function saveRun(connection: SqliteConnection, record: RunRecord): void {
  const sql = `${INSERT} DO UPDATE SET status = excluded.status, outcome = excluded.outcome,
    updated_at = excluded.updated_at, body = excluded.body`;
  connection.run(sql, ...toColumns(record));
}

/** Writes a run's record, unless there is a run with its id; false if there is. */
export function addRun(connection: SqliteConnection, record: RunRecord): boolean {
  return connection.run(`${INSERT} DO NOTHING`, ...toColumns(record)) > 0;
}

function toColumns(record: RunRecord): readonly (string | number | null)[] {
  const { id, tenant, user, crew, session = null, requestId = null, status, outcome = null } = record;
  const { createdAt, updatedAt } = record;
  const names = [id, toShortId(id), tenant, user, crew, session, requestId, status, outcome];
  return [...names, createdAt, updatedAt, JSON.stringify(record)];
}

/** A run's record. A damaged one counts as ended from now on, so that recovery leaves it alone. */
export function findRunRow(connection: SqliteConnection, id: string): RunRecord | undefined {
  const row = connection.get(`SELECT ${COLUMNS} FROM runs WHERE id = ?`, id);
  if (row === undefined) return undefined;
  try {
    return toRun(columnsOf(row));
  } catch (error) {
    connection.run("UPDATE runs SET status = 'ended', outcome = 'failed' WHERE id = ? AND outcome IS NOT 'failed'", id);
    throw error;
  }
}

const RATED = "SELECT 1 FROM feedback WHERE run = runs.id";
const FEEDBACK: Readonly<Record<NonNullable<RunFilter["feedback"]>, Wanted>> = {
  up: [`EXISTS (${RATED} AND rating = ?)`, "up"],
  down: [`EXISTS (${RATED} AND rating = ?)`, "down"],
  any: [`EXISTS (${RATED} AND rating <> ?)`, ""],
  none: [`NOT EXISTS (${RATED} AND rating <> ?)`, ""],
};

type Wanted = [condition: string, value: string | number];

/** The statement for the rows that a filter asks for, newest first; its text and limit are not part of it. */
export function toRunQuery(filter: RunFilter): RunQuery {
  const { where, values } = toConditions(filter);
  return { sql: `SELECT ${COLUMNS} FROM runs ${where} ORDER BY created_at DESC, id DESC`, values };
}

interface RunQuery {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

function toConditions({ before, since, until, changedSince, feedback, ...filter }: RunFilter): {
  readonly where: string;
  readonly values: readonly (string | number)[];
} {
  // Few runs have the same short id or request, or were changed lately: SQLite must not prefer an index that saves it from sorting.
  const isRare = filter.shortId !== undefined || filter.request !== undefined || changedSince !== undefined;
  const wanted = FILTERS.flatMap(([column, name]): Wanted[] => {
    const value = filter[name];
    const isIndexed = !isRare || name === "shortId" || name === "request";
    if (value === "open" && name === "status") return [["status <> ?", "ended"]];
    return value === undefined ? [] : [[`${isIndexed ? "" : "+"}${column} = ?`, value]];
  });
  if (since !== undefined) wanted.push(["created_at >= ?", since]);
  if (until !== undefined) wanted.push(["created_at < ?", until]);
  if (changedSince !== undefined) wanted.push(["updated_at >= ?", changedSince]);
  if (before !== undefined) wanted.push(["(created_at, id) < (SELECT created_at, id FROM runs WHERE id = ?)", before]);
  if (feedback !== undefined) wanted.push(FEEDBACK[feedback]);
  const where = wanted.length === 0 ? "" : `WHERE ${wanted.map(([condition]) => condition).join(" AND ")}`;
  return { where, values: wanted.map(([, value]) => value) };
}

/** The records that a filter asks for, newest first. */
export function findRuns(connection: SqliteConnection, filter: Omit<RunFilter, "text">): readonly RunRecord[] {
  const { limit = DEFAULT_LIMIT } = filter;
  const { sql, values } = toRunQuery(filter);
  const records: RunRecord[] = [];
  for (const row of limit > 0 ? connection.iterate(sql, ...values) : []) {
    const record = toListedRun(columnsOf(row));
    if (record.error?.code !== "damaged" || isListedDamaged(filter)) records.push(record);
    if (records.length >= limit) break;
  }
  return records;
}

/** The records that a search finds among those that a filter asks for, newest first. */
async function searchRuns(
  connection: SqliteConnection,
  { before, limit = DEFAULT_LIMIT, ...filter }: Omit<RunFilter, "text">,
  text: string,
): Promise<readonly RunRecord[]> {
  const terms = parseRunSearch(text);
  if (terms.length === 0 || limit <= 0) return [];
  const found: RunRecord[] = [];
  for await (const ids of searchRunTexts(connection, terms, { before, ...filter })) {
    found.push(...connection.read(() => findAmong(connection, filter, ids)));
    if (found.length >= limit) break;
  }
  return addMatched(connection, found.slice(0, limit), terms);
}

/** Those of these runs that a filter asks for, in the order that is given. */
function findAmong(
  connection: SqliteConnection,
  filter: Omit<RunFilter, "text">,
  ids: readonly string[],
): readonly RunRecord[] {
  const { where, values } = toConditions(filter);
  const rows = connection.all(
    `SELECT ${COLUMNS} FROM (SELECT key AS place, value AS found FROM json_each(?)) CROSS JOIN runs ON runs.id = found
      ${where} ORDER BY place`,
    JSON.stringify(ids),
    ...values,
  );
  const records = rows.map((row) => toListedRun(columnsOf(row)));
  return records.filter(({ error }) => error?.code !== "damaged" || isListedDamaged(filter));
}

function findInterrupted(
  connection: SqliteConnection,
  crews: readonly string[] | undefined,
  now: number,
): readonly string[] {
  const ofCrews = crews === undefined ? "" : "AND crew IN (SELECT value FROM json_each(?))";
  const rows = connection.all(
    `SELECT id FROM runs r
      WHERE status IN ('queued', 'running') ${ofCrews} AND NOT EXISTS (
        SELECT 1 FROM claims JOIN leases USING (owner)
        WHERE key IN ('run:' || r.id, ${SESSION_KEY}) AND ends_at > ?)
      ORDER BY created_at, id`,
    ...(crews === undefined ? [] : [JSON.stringify(crews)]),
    now,
  );
  return rows.map((row) => textOf(row, "id"));
}

/** Removes a run with its log, its claim, its commands and the answers of requests that started it. */
export function deleteRun(connection: SqliteConnection, id: string): boolean {
  connection.run("DELETE FROM requests WHERE run = ?", id);
  return forgetRun(connection, id);
}

function forgetRun(connection: SqliteConnection, id: string): boolean {
  deleteLog(connection, id);
  connection.run("DELETE FROM claims WHERE key = ?", runKey(id));
  connection.run("DELETE FROM inbox WHERE run = ?", id);
  connection.run("DELETE FROM feedback WHERE run = ?", id);
  deleteRunText(connection, id);
  return connection.run("DELETE FROM runs WHERE id = ?", id) > 0;
}

function pruneRuns(connection: SqliteConnection, { maxRuns, endedBefore }: Retention): number {
  const rows = connection.all(
    `SELECT id FROM runs WHERE status = 'ended' AND (updated_at < ? OR id IN (
      SELECT id FROM runs WHERE status = 'ended' ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?))`,
    endedBefore ?? -Infinity,
    maxRuns ?? Number.MAX_SAFE_INTEGER,
  );
  for (const row of rows) forgetRun(connection, textOf(row, "id"));
  return rows.length;
}

function columnsOf(row: SqliteRow): RunColumns {
  const { user_name: user, created_at: createdAt, updated_at: updatedAt, ...columns } = row;
  const { id, tenant, crew, session, body } = columns;
  return { id, tenant, user, crew, session, createdAt, updatedAt, body };
}
