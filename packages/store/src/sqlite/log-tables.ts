/**
 * Log tables: the rows of each run's log, and apart from them how long it is.
 *
 * A run's head and its record each know of the other, so that one which is lost is noticed. Rows go by the head's
 * number instead of the run's id, which keeps them and their index small.
 */
import { crc32 } from "node:zlib";
import type { Batch, Change } from "../database.ts";
import { orDamaged } from "../damaged-record.ts";
import type { Connection, Row } from "./connection.ts";
import { changed, numberOf, textOf } from "./sealed.ts";

/** The columns of a head; a number that became too large must not keep others from being written. */
const HEAD = "CAST(length AS REAL) AS length, CAST(recorded AS REAL) AS recorded, CAST(checksum AS REAL) AS checksum";

/** How long a run's log is, and whether the run has a record. */
interface Head {
  readonly length: number;
  readonly recorded: number;
}

/** What is added to a run. */
interface Addition {
  readonly run: string;
  readonly batch: Batch | undefined;
  readonly hasRecord: boolean;
}

/**
 * Adds a batch, unless it is there already, and notes whether the run has a record now. Gives whether it had one before;
 * undefined where the batch does not follow the last one.
 */
export function addToLog(connection: Connection, addition: Addition): boolean | undefined {
  const { run, batch, hasRecord } = addition;
  const number = batch === undefined || batch.first === 1 ? addHead(connection, addition) : undefined;
  if (number !== undefined) {
    if (batch !== undefined) addBatch(connection, number, batch);
    return false;
  }
  const row = connection.get(`SELECT id, ${HEAD} FROM heads WHERE run = ?`, run);
  if (row === undefined) return undefined;
  const head =
    batch === undefined
      ? orDamaged(
          () => toHead(run, row),
          () => undefined,
        )
      : toHead(run, row);
  // The log stays damaged; the record may still say what became of the run.
  if (head === undefined) return false;
  const wasRecorded = head.recorded === 1;
  const isNext = batch === undefined || batch.first === head.length + 1;
  if (!isNext && !isStored(connection, batch)) return undefined;
  const isNew = batch !== undefined && isNext;
  if (!isNew && (wasRecorded || !hasRecord)) return wasRecorded;
  const next = { length: isNew ? batch.last : head.length, recorded: hasRecord || wasRecorded ? 1 : 0 };
  const id = numberOf(row, "id");
  const sql = "UPDATE heads SET length = ?, recorded = ?, checksum = ? WHERE id = ?";
  connection.run(sql, next.length, next.recorded, headChecksum(run, next), id);
  if (isNew) addBatch(connection, id, batch);
  return wasRecorded;
}

/** The head of a run that has none, by its number; undefined where it has one. No number of rows left behind is used. */
function addHead(connection: Connection, { run, batch, hasRecord }: Addition): number | undefined {
  const head = { length: batch?.last ?? 0, recorded: hasRecord ? 1 : 0 };
  const sql = `INSERT INTO heads (id, run, length, recorded, checksum) VALUES (
    1 + max(coalesce((SELECT max(id) FROM heads), 0), coalesce((SELECT max(run) FROM batches), 0)), ?, ?, ?, ?)
    ON CONFLICT (run) DO NOTHING`;
  return connection.insert(sql, run, head.length, head.recorded, headChecksum(run, head));
}

function addBatch(connection: Connection, number: number, { first, last, checksum, body }: Batch): void {
  const sql = "INSERT INTO batches (run, first, last, checksum, body) VALUES (?, ?, ?, ?, ?)";
  connection.run(sql, number, first, last, checksum, body);
}

/** Whether a last change was written before, and its claim given back with it. */
export function isDone(connection: Connection, { ends, batch }: Change): boolean {
  return ends === true && batch !== undefined && isStored(connection, batch);
}

/** The rows with events beyond `after`. */
export function readBatches(
  connection: Connection,
  run: string,
  { after, maxBytes }: { readonly after: number; readonly maxBytes: number },
): readonly Batch[] {
  const batches: Batch[] = [];
  let bytes = 0;
  const rows = connection.iterate(
    `SELECT first, last, checksum, body FROM batches
      WHERE run = (SELECT id FROM heads WHERE run = ?) AND last > ? ORDER BY last`,
    run,
    after,
  );
  for (const row of rows) {
    const body = textOf(row, "body");
    const [first, last, checksum] = [numberOf(row, "first"), numberOf(row, "last"), numberOf(row, "checksum")];
    batches.push({ run, first, last, body, checksum });
    bytes += body.length;
    if (bytes >= maxBytes) break;
  }
  return batches;
}

/** How long a run's log is by its head, 0 where it has none; throws `damaged` where head or record are lost. */
export function readLength(connection: Connection, run: string): number {
  const row = connection.get(
    `SELECT h.*, r.id IS NOT NULL AS isRecorded
      FROM (SELECT ? AS run) x LEFT JOIN (SELECT run, ${HEAD} FROM heads) h USING (run) LEFT JOIN runs r ON r.id = x.run`,
    run,
  );
  const head = row === undefined || row["length"] === null ? undefined : toHead(run, row);
  if ((head?.recorded ?? 0) !== row?.["isRecorded"]) throw changed(`run ${run}`);
  return head?.length ?? 0;
}

/** Removes a run's rows and its head. */
export function deleteLog(connection: Connection, run: string): void {
  connection.run("DELETE FROM batches WHERE run = (SELECT id FROM heads WHERE run = ?)", run);
  connection.run("DELETE FROM heads WHERE run = ?", run);
}

function toHead(run: string, row: Row): Head {
  const head = { length: numberOf(row, "length"), recorded: numberOf(row, "recorded") };
  if (headChecksum(run, head) !== row["checksum"]) throw changed(`the length of run ${run}`);
  return head;
}

function headChecksum(run: string, { length, recorded }: Head): number {
  return crc32(`${length} ${recorded} ${run}`);
}

/** Whether a batch is there already, the same. */
export function isStored(connection: Connection, { run, first, last, checksum }: Batch): boolean {
  const row = connection.get(
    `SELECT 1 FROM batches
      WHERE run = (SELECT id FROM heads WHERE run = ?) AND first = ? AND last = ? AND checksum = ?`,
    run,
    first,
    last,
    checksum,
  );
  return row !== undefined;
}
