/**
 * Run table: the record of each run as JSON, and beside it the columns it is looked for by.
 */
import { BatonError, type Failure } from "@baton/core";
import { runKey, SESSION_KEY } from "../claim-key.ts";
import { isListedDamaged, orDamaged, toDamagedRun } from "../damaged-record.ts";
import type { Change, Retention, RunFilter, RunRecord } from "../database.ts";
import { toShortId } from "../run-id.ts";
import type { Connection, Row } from "./connection.ts";
import { deleteLog, readLength } from "./log-tables.ts";
import { deleteRequests } from "./request-table.ts";
import { bodyOf, changed, checksumOf, SEALED, textOf } from "./sealed.ts";

const LISTED = `id, tenant, user_name, crew, session, created_at, updated_at, ${SEALED}`;
/** The columns that runs are looked for by, and their names in a filter. */
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

/** Whether nothing is there of the run that a change creates, or just what it writes. */
export function isNew(connection: Connection, { creates, run, batch }: Change): boolean {
  if (creates !== true || run === undefined) return true;
  const row = connection.get(
    `SELECT CAST(h.length AS REAL) AS length, r.body FROM (SELECT ? AS id) x LEFT JOIN heads h ON h.run = x.id LEFT JOIN runs r USING (id)`,
    run.id,
  );
  if (row?.["length"] === null && row["body"] === null) return true;
  return row?.["length"] === (batch?.last ?? 0) && row["body"] === JSON.stringify(run);
}

/** Writes the first record of a run, or that of one whose head was lost. */
export function addRun(connection: Connection, record: RunRecord): void {
  const { id, tenant, user, crew, session = null, requestId = null, status, outcome = null } = record;
  const body = JSON.stringify(record);
  connection.run(
    `INSERT INTO runs (id, short_id, tenant, user_name, crew, session, request_id, status, outcome, created_at,
      updated_at, checksum, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
      status = excluded.status, outcome = excluded.outcome, updated_at = excluded.updated_at, checksum = excluded.checksum, body = excluded.body`,
    id,
    toShortId(id),
    tenant,
    user,
    crew,
    session,
    requestId,
    status,
    outcome,
    record.createdAt,
    record.updatedAt,
    checksumOf(`run ${id}`, body),
    body,
  );
}

/** Writes a run's record in the place of an older one: whose it is and when it began never changes. */
export function changeRun(connection: Connection, record: RunRecord): void {
  const { id, status, outcome = null, updatedAt } = record;
  const body = JSON.stringify(record);
  const checksum = checksumOf(`run ${id}`, body);
  connection.run(
    "UPDATE runs SET status = ?, outcome = ?, updated_at = ?, checksum = ?, body = ? WHERE id = ?",
    status,
    outcome,
    updatedAt,
    checksum,
    body,
    id,
  );
}

/** A run's record; throws `damaged` where there was one that is changed or lost. */
export function findRun(connection: Connection, id: string): RunRecord | undefined {
  const row = connection.get(`SELECT ${SEALED} FROM runs WHERE id = ?`, id);
  if (row !== undefined)
    return orDamaged(
      () => toRecord(id, row),
      (error) => endDamaged(connection, id, error),
    );
  readLength(connection, id);
  return undefined;
}

/** Notes beside a damaged record that the run has ended. */
function endDamaged(connection: Connection, id: string, { code, message }: Failure): never {
  connection.run("UPDATE runs SET status = 'ended', outcome = 'failed' WHERE id = ? AND outcome IS NOT 'failed'", id);
  throw new BatonError(code, message);
}

type Wanted = [condition: string, value: string | number];

/** The rows that a filter asks for, but for its text and limit, newest first. */
export function toQuery({ before, since, until, changedSince, ...filter }: RunFilter): {
  readonly sql: string;
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
  const where = wanted.length === 0 ? "" : `WHERE ${wanted.map(([condition]) => condition).join(" AND ")}`;
  const sql = `SELECT ${LISTED} FROM runs ${where} ORDER BY created_at DESC, id DESC`;
  return { sql, values: wanted.map(([, value]) => value) };
}

/** The records that are asked for, newest first. */
export function findRuns(connection: Connection, filter: RunFilter): readonly RunRecord[] {
  const { text = "", limit = 100 } = filter;
  const { sql, values } = toQuery(filter);
  const rows = connection.iterate(sql, ...values);
  const records: RunRecord[] = [];
  const part = text.toLowerCase();
  for (const row of limit > 0 ? rows : []) {
    // What a damaged one was asked is not known: it might be what is looked for.
    const record = orDamaged<RunRecord | undefined>(
      () => findPart(row, part),
      (error) => (isListedDamaged(filter) ? toDamaged(row, error) : undefined),
    );
    if (record !== undefined) records.push(record);
    if (records.length >= limit) break;
  }
  return records;
}

/** The record of a row, where this is a part of its input. */
function findPart(row: Row, part: string): RunRecord | undefined {
  const record = toRecord(textOf(row, "id"), row);
  return record.input.toLowerCase().includes(part) ? record : undefined;
}

function toDamaged(row: Row, error: Failure): RunRecord {
  const { id, tenant, user_name: user, crew, session, created_at: createdAt, updated_at: updatedAt } = row;
  return toDamagedRun({ id, tenant, user, crew, session, createdAt, updatedAt }, error);
}

/** The ids of queued and running runs, of these crews or of all, that nobody alive holds, oldest first. */
export function findInterrupted(
  connection: Connection,
  { crews, now }: { readonly crews: readonly string[] | undefined; readonly now: number },
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

/** Removes a run with its log, the claim on it, and the answers that tell of it. */
export function deleteRun(connection: Connection, id: string): boolean {
  deleteRequests(connection, id);
  return forgetRun(connection, id);
}

function forgetRun(connection: Connection, id: string): boolean {
  deleteLog(connection, id);
  connection.run("DELETE FROM claims WHERE key = ?", runKey(id));
  connection.run("DELETE FROM inbox WHERE run = ?", id);
  return connection.run("DELETE FROM runs WHERE id = ?", id) > 0;
}

/** Removes ended runs beyond what is to be kept; where the record is damaged, by what is known beside it. */
export function pruneRuns(connection: Connection, { maxRuns, endedBefore }: Retention): number {
  const rows = connection.all(
    `SELECT ${LISTED} FROM runs WHERE status = 'ended' AND (updated_at < ? OR id IN (
      SELECT id FROM runs WHERE status = 'ended' ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?))`,
    endedBefore ?? -Infinity,
    maxRuns ?? Number.MAX_SAFE_INTEGER,
  );
  const ended = rows
    .map((row) =>
      orDamaged(
        () => toRecord(textOf(row, "id"), row),
        (error) => toDamaged(row, error),
      ),
    )
    .filter(({ status }) => status === "ended");
  for (const { id } of ended) forgetRun(connection, id);
  return ended.length;
}

function toRecord(id: string, row: Row): RunRecord {
  const record: unknown = JSON.parse(bodyOf(`run ${id}`, row));
  if (isRecord(record)) return record;
  throw changed(`run ${id}`);
}

/** What was written was a record, and the checksum says that this is what was written. */
function isRecord(value: unknown): value is RunRecord {
  return typeof value === "object" && value !== null && "id" in value && "status" in value;
}
