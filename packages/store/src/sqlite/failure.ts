/**
 * Failure: what SQLite throws, in words that say what to do next.
 *
 * A damaged file is `damaged`, whatever is asked of it, and a lock held for long is `busy`. What else may pass (a full disk,
 * an I/O error) stays SQLite's own error where the store is open. Reads nothing of ours.
 * Read by: connection, open-sqlite, schema.
 */
import { BatonError, toMessage } from "@baton/core";

/** Primary result codes of SQLite. */
const BUSY = 5;
/** Corrupt, no database, and statements that do not fit the tables: those are not what was made. */
const DAMAGED: readonly number[] = [11, 26, 1];

/** The error of something asked of an open store. */
export function toFailure(thrown: unknown, path: string): unknown {
  const code = codeOf(thrown);
  const isDamaged = code !== undefined && DAMAGED.includes(code);
  if (isDamaged || isTooLarge(thrown)) return fileDamaged(path, toMessage(thrown), thrown);
  return isBusy(thrown) ? toBusy(thrown, path) : thrown;
}

function toBusy(thrown: unknown, path: string): BatonError {
  const what = `the store ${path} is locked by another process: wait until that is done, or stop it`;
  return new BatonError("busy", what, { cause: thrown, retryable: true });
}

/** The error of a store that cannot be opened. */
export function toOpenFailure(thrown: unknown, path: string): BatonError {
  const failure = toFailure(thrown, path);
  if (failure instanceof BatonError) return failure;
  return new BatonError(
    "invalid",
    `the store ${path} cannot be opened (${toMessage(thrown)}): check that its folder can be written to and has room, ` +
      "or choose another path",
    { cause: thrown },
  );
}

/** The error of a file that cannot be trusted. */
export function fileDamaged(path: string, what: string, cause?: unknown): BatonError {
  return new BatonError(
    "damaged",
    `the store ${path} is damaged or no store of Baton (${what}): put a backup in its place, or move it away to begin a new one`,
    { cause },
  );
}

/** Whether another process holds a lock that it will give back. */
export function isBusy(thrown: unknown): boolean {
  return codeOf(thrown) === BUSY || (thrown instanceof BatonError && thrown.code === "busy");
}

function codeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !("errcode" in thrown)) return undefined;
  return typeof thrown.errcode === "number" ? thrown.errcode & 0xff : undefined;
}

/** An integer beyond what was ever written. */
function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof RangeError && "code" in thrown && thrown.code === "ERR_OUT_OF_RANGE";
}
