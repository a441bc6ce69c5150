/**
 * Database pair: two handles on the same data, as two processes have them, and what the suites do with one.
 */
import assert from "node:assert/strict";
import { toLines } from "../batch.ts";
import type { Database } from "../database.ts";
import type { Claim, RunRecord } from "../record.ts";
import type { Owner } from "../owner.ts";

/** Two handles on the same data, empty at first; disposing closes both and removes the data. */
export interface DatabasePair extends AsyncDisposable {
  readonly first: Database;
  readonly second: Database;
  /** Lets the time go by that leases are measured in: a clock is moved on, or waited for. */
  readonly pass: (ms: number) => Promise<void>;
  /** The time now, as requests are kept by it. */
  readonly now: () => number;
  /** Counts all requests, expired ones included. */
  readonly countRequests: () => Promise<number>;
  /** Counts all documents, expired ones included. */
  readonly countDocuments: () => Promise<number>;
}

/** Opens new data twice. */
export type OpenPair = () => Promise<DatabasePair>;

/** Data that can be changed from outside; what is only in memory cannot. */
export interface BrittlePair extends DatabasePair {
  /** Changes a stored record behind the database's back. */
  readonly damage: (kind: Kind, id: string) => Promise<void>;
  /** Replaces what is stored of one record by what is stored of another. */
  readonly copy: (kind: Kind, from: string, to: string) => Promise<void>;
}

/** Tables of a database. */
type Kind = keyof typeof ID_COLUMNS;

/** The column in which tests name a row. */
export const ID_COLUMNS = {
  run: "id",
  session: "id",
  message: "run",
  request: "key",
  key: "id",
  definition: "hash",
  document: "id",
} as const;

/** The owner of records, if it does not matter. */
export const ANN: Owner = { tenant: "t", user: "ann" };

/** A record of a run with this id; later ones are made with a later `createdAt`. */
export function recordOf(id: string, more: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    ...ANN,
    crew: "hello",
    definition: "d",
    status: "running",
    request: { input: "Hello" },
    input: "Hello",
    agent: "greeter",
    turns: 1,
    steps: 0,
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0.1,
    questions: [],
    createdAt: 1_000,
    updatedAt: 1_000,
    ...more,
  };
}

/** Takes a claim for an owner that lives for long; fails if another process owns it. */
export async function hold(database: Database, key: string, owner: string): Promise<Claim> {
  await database.claims.renew(owner, 3_600_000);
  const claim = { key, owner, number: 1 };
  assert.ok(await database.claims.take(claim), `${key} is held`);
  return claim;
}

/** Writes records of runs under a claim of their own. */
export async function save(database: Database, records: readonly RunRecord[]): Promise<void> {
  const claim = await hold(database, "run:saving", "saver");
  assert.deepEqual(await database.commit(records.map((run) => ({ claim, run }))), []);
  await database.claims.leave("saver");
}

/** All lines of a run's log, each row checked. */
export async function linesOf(database: Database, run: string): Promise<readonly string[]> {
  return toLines(run, 0, await database.logs.batches(run, 0, Number.MAX_SAFE_INTEGER));
}
