/**
 * Tip: a small file beside the database that says how many commits were acknowledged.
 *
 * SQLite takes a WAL that was cut or changed for one that ends there, and gives back an older state without a word.
 * The tip is written after each commit, so at the next open a count below it means that acknowledged commits are
 * lost. It is never ahead of the disk, may lag behind it, and goes when the WAL goes.
 */
import { BatonError } from "@baton/core";
import { closeSync, constants, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

/** The tip of a database that is open. */
export class Tip {
  readonly #path: string;
  readonly #database: string;
  #file: number | undefined;

  private constructor(database: string) {
    this.#database = database;
    this.#path = `${database}-tip`;
    this.#file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** Compares what is there with what was acknowledged; `count` is asked after the tip was read. */
  static open(database: string, count: () => number): Tip {
    const tip = new Tip(database);
    try {
      const lost = Number(readFileSync(tip.#path, "latin1")) - count();
      if (lost > 0) throw isCut(database, lost);
      return tip;
    } catch (error) {
      tip.#closeFile();
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
