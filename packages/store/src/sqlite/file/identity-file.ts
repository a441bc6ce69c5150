/**
 * Identity file: the id of a database in a file beside it, so that a database that was lost, emptied or exchanged is
 * refused instead of served.
 *
 * A backup of the same database has the same id. A folder without an identity file accepts any database.
 */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { BatonError } from "@baton/core";

/** Throws if there was a database at this path, and now there is none or an empty file. */
export function checkNotLost(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 || !existsSync(fileOf(path))) return;
  const what = existsSync(path) ? "is empty" : "is missing";
  throw new BatonError(
    "damaged",
    `the store ${path} ${what}, but ${fileOf(path)} says that there was one: put the database or a backup of it in its ` +
      `place, or delete ${fileOf(path)} to begin an empty one, without its runs and keys`,
  );
}

/** Throws if another database was expected at this path; writes the id of the first one. */
export function checkIdentity(path: string, id: string): void {
  const file = fileOf(path);
  if (!existsSync(file)) return writeIdentity(file, id);
  if (readFileSync(file, "utf8").trim() === id) return;
  throw new BatonError(
    "damaged",
    `the store ${path} is not the database that was here before: its id differs from the one in ${file}. Put that ` +
      `database or a backup of it in its place, or delete ${file} to use this one`,
  );
}

/** Written under another name first: processes that start together see the whole id or no file. */
function writeIdentity(file: string, id: string): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${id}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

function fileOf(path: string): string {
  return `${path}-id`;
}
