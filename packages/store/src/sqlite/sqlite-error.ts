/**
 * Failure: what SQLite throws, in words that say what to do next.
 *
 * A damaged file is `damaged`, whatever is asked of it; a lock held for long, a full disk and an I/O error are
 * `busy`: they may pass.
 */
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";

/** Primary result codes of SQLite. */
const BUSY = 5;
/** No memory, read-only, an I/O error, a full disk, a file that cannot be opened. */
const PASSING: readonly number[] = [7, 8, 10, 13, 14];
/** Corrupt, no database. */
const MALFORMED: readonly number[] = [11, 26];
/** As well as statements that do not fit the tables: those are not what was made. */
const DAMAGED: readonly number[] = [...MALFORMED, 1];

/** The error of something asked of an open store. */
export function toSqliteError(thrown: unknown, path: string): unknown {
  // It has its words already.
  if (thrown instanceof BatonError) return thrown;
  const code = codeOf(thrown);
  const isDamaged = code !== undefined && DAMAGED.includes(code);
  if (isDamaged || isTooLarge(thrown)) return damagedFileError(path, toMessage(thrown), thrown);
  if (!isPassing(thrown) && !isBusy(thrown)) return thrown;
  const what = isPassing(thrown)
    ? `cannot be used now (${toMessage(thrown)}): see that its disk has room and can be written to`
    : "is locked by another process: wait until that is done, or stop it";
  return new BatonError("busy", `the store ${path} ${what}`, { cause: thrown, retryable: true });
}

/** The error of a store that cannot be opened. */
export function toOpenError(thrown: unknown, path: string): BatonError {
  const failure = isPassing(thrown) ? thrown : toSqliteError(thrown, path);
  if (failure instanceof BatonError) return failure;
  return new BatonError(
    "invalid",
    `the store ${path} cannot be opened (${toMessage(thrown)}): check that its folder can be written to and has room, ` +
      "or choose another path",
    { cause: thrown },
  );
}

/** The error of a file that cannot be trusted. */
export function damagedFileError(path: string, what: string, cause?: unknown): BatonError {
  return new BatonError(
    "damaged",
    `the store ${path} is damaged or no store of Baton (${what}): put a backup in its place, or move it away to begin a new one, with ${path}-id if there is one`,
    { cause },
  );
}

/** Whether another process holds a lock that it will give back. */
export function isBusy(thrown: unknown): boolean {
  return codeOf(thrown) === BUSY || (thrown instanceof BatonError && thrown.code === "busy");
}

/** Whether something failed only because another process was writing. */
export function isLocked(thrown: unknown): boolean {
  return codeOf(thrown instanceof BatonError ? thrown.cause : thrown) === BUSY;
}

/** Whether the file's own structure is broken, and not only what one row holds. */
export function isMalformed(thrown: unknown): boolean {
  return MALFORMED.includes(codeOf(thrown) ?? 0);
}

function isPassing(thrown: unknown): boolean {
  return PASSING.includes(codeOf(thrown) ?? 0);
}

function codeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !("errcode" in thrown)) return undefined;
  return typeof thrown.errcode === "number" ? thrown.errcode & 0xff : undefined;
}

/** An integer beyond what was ever written. */
function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof RangeError && "code" in thrown && thrown.code === "ERR_OUT_OF_RANGE";
}
