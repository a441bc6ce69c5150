/**
 * Shared memory, looked into: what tests see of it at once, without asking a database.
 */
import type { Database } from "../database.ts";
import type { RunRecord } from "../record.ts";
import { openMemory, type SharedMemory } from "../sqlite/memory.ts";
import { findRunRow, findRuns } from "../sqlite/runs.ts";

/** A database in memory that outlives the stores which use it: closing it does nothing. */
export function openLasting(): Database {
  return Object.assign(openMemory(), { [Symbol.asyncDispose]: async () => {} });
}

/** The record of a run. */
export function peekRun({ connection }: SharedMemory, id: string): RunRecord | undefined {
  return findRunRow(connection, id);
}

/** All records of runs, newest first. */
export function peekRuns({ connection }: SharedMemory): readonly RunRecord[] {
  return findRuns(connection, { limit: 10_000 });
}

/** The text of a run's log. */
export function peekLog({ connection }: SharedMemory, run: string): string {
  const rows = connection.all("SELECT body FROM batches WHERE run = (SELECT id FROM heads WHERE run = ?)", run);
  return rows.map(({ body }) => String(body)).join("\n");
}

/** Counts the rows of a table. */
export function countRows({ connection }: SharedMemory, table: "requests" | "documents"): number {
  return Number(connection.get(`SELECT count(*) AS count FROM ${table}`)?.["count"]);
}
