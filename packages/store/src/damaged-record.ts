/**
 * Damaged record: what stands in a list in the place of a run, session or key whose record cannot be read.
 *
 * It says what is known beside the record, and that this is all; so one that is damaged hides neither itself nor
 * others.
 */
import { BatonError, type Failure } from "@baton/core";
import type { Database, KeyRecord, RunFilter, RunRecord, RunStatus, SessionRecord } from "./database.ts";
import { NO_COUNTS } from "./run-counts.ts";

/** The columns beside a run's record, as far as they can be trusted: they may be damaged too. */
export type RunColumns = Readonly<
  Record<"id" | "tenant" | "user" | "crew" | "session" | "createdAt" | "updatedAt", unknown>
>;

/** The columns beside a session's record. */
export type SessionColumns = Readonly<Record<"id" | "tenant" | "user" | "createdAt" | "updatedAt", unknown>>;

/** Reads something, or gives what stands in its place where it is damaged. */
export function orDamaged<T>(read: () => T, toOther: (error: Failure) => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "damaged") throw error;
    return toOther({ code: error.code, message: error.message });
  }
}

/** Whether damaged runs are among those that are asked for: they have ended, whatever they were. */
export function isListedDamaged({ status = "ended", outcome = "failed" }: RunFilter): boolean {
  return status === "ended" && outcome === "failed";
}

/** A run's status that stands in a column. */
export function toStatus(column: unknown): RunStatus | undefined {
  return STATUSES.find((status) => status === column);
}

const STATUSES = ["queued", "running", "paused", "ended"] as const;

/** A run's record; undefined where there is none that can be read, and so nothing to wait for. */
export async function findSound(database: Database, id: string): Promise<RunRecord | undefined> {
  try {
    return await database.run(id);
  } catch (error) {
    if (error instanceof BatonError && error.code === "damaged") return undefined;
    throw error;
  }
}

/** A run that can never go on. */
export function toDamagedRun(columns: RunColumns, error: Failure): RunRecord {
  return {
    id: toText(columns.id),
    tenant: toText(columns.tenant),
    user: toText(columns.user),
    crew: toText(columns.crew),
    definition: "",
    ...(typeof columns.session === "string" ? { session: columns.session } : {}),
    status: "ended",
    outcome: "failed",
    error,
    request: null,
    input: "",
    ...NO_COUNTS,
    questions: [],
    createdAt: toTime(columns.createdAt),
    updatedAt: toTime(columns.updatedAt),
  };
}

/** A session of which nothing can be said but that it is there. */
export function toDamagedSession(columns: SessionColumns, error: Failure): SessionRecord {
  const [createdAt, updatedAt] = [toTime(columns.createdAt), toTime(columns.updatedAt)];
  const [id, tenant, user] = [toText(columns.id), toText(columns.tenant), toText(columns.user)];
  return { id, tenant, user, error, createdAt, updatedAt };
}

/** A key that lets nobody in. */
export function toDamagedKey(id: string, error: Failure): KeyRecord {
  return { id, tenant: "", user: "", scopes: [], hash: "", error, createdAt: 0, revokedAt: 0 };
}

function toText(column: unknown): string {
  return typeof column === "string" ? column : "";
}

/** A time that there is; 0 for what was never one. */
function toTime(column: unknown): number {
  return typeof column === "number" && !Number.isNaN(new Date(column).getTime()) ? column : 0;
}
