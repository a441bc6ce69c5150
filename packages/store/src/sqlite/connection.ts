/**
 * Connection: one open file of SQLite, with its statements prepared once and its errors in words.
 *
 * A write that was acknowledged is on disk (`synchronous=FULL`), but for `writeLightly`, whose last writes a power
 * failure may take back.
 */
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import type { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import { storeClosedError } from "../store-errors.ts";
import { damagedFileError, isMalformed, toSqliteError } from "./sqlite-error.ts";

/** A row as SQLite gives it. */
export type SqliteRow = Readonly<Record<string, SQLOutputValue>>;

/** The path of a database without a file. */
export const MEMORY = ":memory:";

/** Time for which a statement waits for another process; it blocks the event loop. */
const BUSY_MS = 1_000;

/** An open file. */
export class SqliteConnection {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements: Map<string, StatementSync>;
  readonly #isShared: boolean;
  #isClosed = false;
  #problem: BatonError | undefined;

  /** Opens a file, or shares what another connection has open: then closing it leaves that open. */
  constructor(opened: string | SqliteConnection) {
    const isPath = typeof opened === "string";
    this.path = isPath ? opened : opened.path;
    this.#database = isPath ? new DatabaseSync(opened, { timeout: BUSY_MS }) : opened.#database;
    this.#statements = isPath ? new Map<string, StatementSync>() : opened.#statements;
    this.#isShared = !isPath;
  }

  /** Why the file can never be written as it should be; others of its pages may be read all the same. */
  get problem(): BatonError | undefined {
    return this.#problem;
  }

  execute(sql: string): void {
    this.#database.exec(sql);
  }

  /** Does something with the file; throws `damaged` if it cannot be read. */
  read<T>(work: () => T): T {
    if (this.#isClosed) throw storeClosedError();
    try {
      return work();
    } catch (error) {
      throw toSqliteError(error, this.path);
    }
  }

  /** As `read`, of what all depend on: a file that is malformed there is of no use any more. */
  readShared<T>(work: () => T): T {
    return this.read(() => {
      try {
        return work();
      } catch (error) {
        if (isMalformed(error)) this.#problem ??= damagedFileError(this.path, toMessage(error), error);
        throw error;
      }
    });
  }

  /** Does all of it or nothing. */
  write<T>(work: () => T): T {
    return this.readShared(() => {
      this.run("BEGIN IMMEDIATE");
      try {
        const result = work();
        this.run("COMMIT");
        return result;
      } finally {
        // Some errors have rolled back already.
        if (this.#database.isTransaction) this.run("ROLLBACK");
      }
    });
  }

  /** As `write`, without waiting for the disk: all see it at once, and it survives this process but no power failure. */
  writeLightly<T>(work: () => T): T {
    if (this.path === MEMORY) return this.write(work);
    return this.read(() => {
      this.execute("PRAGMA synchronous=NORMAL");
      try {
        return this.write(work);
      } finally {
        this.execute("PRAGMA synchronous=FULL");
      }
    });
  }

  get(sql: string, ...values: SQLInputValue[]): SqliteRow | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): readonly SqliteRow[] {
    return this.#statement(sql).all(...values);
  }

  /** The rows one by one. */
  iterate(sql: string, ...values: SQLInputValue[]): IterableIterator<SqliteRow> {
    return this.#statement(sql).iterate(...values);
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Writes the WAL to the file and, if no other process has it open, removes the WAL. */
  close(): void {
    if (!this.#isShared && this.#database.isOpen) this.#database.close();
    this.#isClosed = true;
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}
