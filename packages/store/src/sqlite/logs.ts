/**
 * Logs: the rows of each run's log, and apart from them its length (`heads`), so that a lost row is noticed.
 *
 * Rows refer to the head's number instead of the run's id, which keeps them and their index small.
 */
import type { Logs } from "../database.ts";
import type { Batch } from "../record.ts";
import { unreadable } from "../stored-record.ts";
import { numberOf, textOf } from "./columns.ts";
import type { SqliteConnection } from "./connection.ts";
import type { FileWatch } from "./file/file-watch.ts";

/** The logs of a database. */
export function sqliteLogs(connection: SqliteConnection, file: FileWatch): Logs {
  return {
    batches: async (run, after, maxBytes) => connection.read(() => readBatches(connection, run, { after, maxBytes })),
    length: async (run) => connection.read(() => readLength(connection, run)),
    watch: (run, changed) => connection.read(() => file.add(run, changed)),
    watchAll: (changed) => connection.read(() => file.add(undefined, changed)),
  };
}

/** Adds a batch to a log, unless it is stored already; makes a log that is new. False if the batch is not the next one. */
export function addToLog(connection: SqliteConnection, run: string, batch: Batch | undefined): boolean {
  // A length that is damaged may be too large for an integer of JavaScript; as a REAL it can be read.
  const head = connection.get("SELECT id, CAST(length AS REAL) AS length FROM heads WHERE run = ?", run);
  if (head === undefined) {
    if (batch !== undefined && batch.first !== 1) return false;
    const number = addHead(connection, run, batch?.last ?? 0);
    if (batch !== undefined) addBatch(connection, number, batch);
    return true;
  }
  if (batch === undefined) return true;
  if (batch.first !== numberOf(head, "length") + 1) return isStored(connection, batch);
  const number = numberOf(head, "id");
  connection.run("UPDATE heads SET length = ? WHERE id = ?", batch.last, number);
  addBatch(connection, number, batch);
  return true;
}

/** Adds the head of a new log and gives its number, which no row of a lost log has. */
function addHead(connection: SqliteConnection, run: string, length: number): number {
  const sql = `SELECT 1 + max(
    coalesce((SELECT max(id) FROM heads), 0), coalesce((SELECT max(run) FROM batches), 0)) AS id`;
  const id = numberOf(connection.get(sql) ?? {}, "id");
  connection.run("INSERT INTO heads (id, run, length) VALUES (?, ?, ?)", id, run, length);
  return id;
}

function addBatch(connection: SqliteConnection, number: number, { first, last, checksum, body }: Batch): void {
  const sql = "INSERT INTO batches (run, first, last, checksum, body) VALUES (?, ?, ?, ?, ?)";
  connection.run(sql, number, first, last, checksum, body);
}

/** Whether the same batch is stored already. */
export function isStored(connection: SqliteConnection, { run, first, last, checksum }: Batch): boolean {
  const sql = `SELECT 1 FROM batches
    WHERE run = (SELECT id FROM heads WHERE run = ?) AND first = ? AND last = ? AND checksum = ?`;
  return connection.get(sql, run, first, last, checksum) !== undefined;
}

/** Removes the log of a run. */
export function deleteLog(connection: SqliteConnection, run: string): void {
  connection.run("DELETE FROM batches WHERE run = (SELECT id FROM heads WHERE run = ?)", run);
  connection.run("DELETE FROM heads WHERE run = ?", run);
}

function readBatches(
  connection: SqliteConnection,
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

/** The length of a log, 0 if there is none. Every run has a head: a run without one has lost it. */
function readLength(connection: SqliteConnection, run: string): number {
  const head = connection.get("SELECT CAST(length AS REAL) AS length FROM heads WHERE run = ?", run);
  if (head !== undefined) return numberOf(head, "length");
  if (connection.get("SELECT 1 FROM runs WHERE id = ?", run) === undefined) return 0;
  throw unreadable(`the length of run ${run}`);
}
