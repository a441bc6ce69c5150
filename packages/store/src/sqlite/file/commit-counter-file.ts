/**
 * Commit counter file: counts acknowledged commits beside the database, so that a truncated WAL is detected at the next open.
 *
 * SQLite reads a WAL that was truncated or changed as one that ends there, and silently gives back an older state. The
 * file is written after each commit, so a database with a lower count has lost acknowledged commits. The file is never
 * ahead of the disk, may lag behind it, and is removed together with the WAL.
 */
import { BatonError } from "@baton/core";
import { closeSync, constants, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

/** The commit counter of an open database. */
export class CommitCounterFile {
  readonly #path: string;
  readonly #database: string;
  #file: number | undefined;

  private constructor(database: string) {
    this.#database = database;
    this.#path = `${database}-tip`;
    this.#file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** Compares the database with the commits that were acknowledged; `count` is called after the file was read. */
  static open(database: string, count: () => number): CommitCounterFile {
    const counter = new CommitCounterFile(database);
    try {
      const lost = Number(readFileSync(counter.#path, "latin1")) - count();
      if (lost > 0) throw isCut(database, lost);
      return counter;
    } catch (error) {
      counter.#closeFile();
      throw error;
    }
  }

  /** Notes that so many commits are on disk. */
  note(count: number): void {
    if (this.#file === undefined) return;
    try {
      writeSync(this.#file, String(count).padStart(16, "0"), 0, "latin1");
    } catch {
      // It lags behind: less is noticed, and what was committed is committed.
    }
  }

  /** To be called when the database was closed. */
  close(): void {
    this.#closeFile();
    if (!existsSync(`${this.#database}-wal`)) rmSync(this.#path, { force: true });
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

function isCut(path: string, lost: number): BatonError {
  return new BatonError(
    "damaged",
    `the store ${path} has lost its last ${lost} commits: ${path}-wal was cut or changed. Put a backup in its place, ` +
      `or delete ${path}-tip to continue with what is there`,
  );
}
