/**
 * Connection: one open file of SQLite, with its statements prepared once and its errors in words.
 *
 * A write that was acknowledged is on disk (`synchronous=FULL`), but for `writeLightly`, whose last writes a power
 * failure may take back.
 */
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import { storeClosedError } from "../store-errors.ts";
import { damagedFileError, isLocked, isMalformed, toSqliteError } from "./sqlite-error.ts";

/** A row as SQLite gives it. */
export type SqliteRow = Readonly<Record<string, SQLOutputValue>>;

/** The path of a database without a file. */
export const MEMORY = ":memory:";

/** Time for which a write waits for another process, and how often it tries. */
const LOCKED_MS = 1_000;
const TRY_MS = 10;
/** Time of that for which a statement blocks the event loop. */
const BLOCKED_MS = 5;

/** The identity of a file, whatever its name. */
type FileId = Readonly<Record<"dev" | "ino", bigint>>;

/** An open file. */
export class SqliteConnection {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements: Map<string, StatementSync>;
  readonly #isShared: boolean;
  /** The file that was opened; undefined in memory. */
  readonly #file: FileId | undefined;
  readonly #lost = Promise.withResolvers<BatonError>();
  #isClosed = false;
  #problem: BatonError | undefined;
  #isLost = false;

  /** Opens a file, or shares what another connection has open: then closing it leaves that open. */
  constructor(opened: string | SqliteConnection) {
    const isPath = typeof opened === "string";
    this.path = isPath ? opened : opened.path;
    this.#database = isPath ? new DatabaseSync(opened, { timeout: BLOCKED_MS }) : opened.#database;
    this.#statements = isPath ? new Map<string, StatementSync>() : opened.#statements;
    this.#isShared = !isPath;
    this.#file = this.path === MEMORY ? undefined : fileIdOf(this.path);
  }

  /** Resolves with the reason if the file is removed or replaced while it is open. */
  get lost(): Promise<BatonError> {
    return this.#lost.promise;
  }

  /** Why the file can never be written as it should be; others of its pages may be read all the same. */
  get problem(): BatonError | undefined {
    this.#checkFile();
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

  /** As `transact`, in turn with other processes. */
  async write<T>(work: () => T): Promise<T> {
    return this.#inTurn(() => this.transact(work));
  }

  /** Does all of it or nothing; throws if the file is not the one at its path any more, for then the write is lost. */
  transact<T>(work: () => T): T {
    return this.readShared(() => {
      this.#requireFile();
      this.run("BEGIN IMMEDIATE");
      try {
        const result = work();
        this.run("COMMIT");
        this.#requireFile();
        return result;
      } finally {
        // Some errors have rolled back already.
        if (this.#database.isTransaction) this.run("ROLLBACK");
      }
    });
  }

  /** As `write`, without waiting for the disk: all see it at once, and it survives this process but no power failure. */
  async writeLightly<T>(work: () => T): Promise<T> {
    if (this.path === MEMORY) return this.transact(work);
    return this.#inTurn(() => {
      this.execute("PRAGMA synchronous=NORMAL");
      try {
        return this.transact(work);
      } finally {
        this.execute("PRAGMA synchronous=FULL");
      }
    });
  }

  /** While another process writes, waits for it without blocking the event loop. */
  async #inTurn<T>(act: () => T): Promise<T> {
    for (const giveUpAt = performance.now() + LOCKED_MS; ;) {
      try {
        return this.read(act);
      } catch (error) {
        if (!isLocked(error) || performance.now() > giveUpAt) throw error;
      }
      await sleep(TRY_MS);
    }
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
    // SQLite does not touch files that replaced a lost one.
    if (!this.#isShared && this.#database.isOpen) this.#database.close();
    this.#isClosed = true;
  }

  #requireFile(): void {
    this.#checkFile();
    if (this.#isLost && this.#problem !== undefined) throw this.#problem;
  }

  #checkFile(): void {
    if (this.#file === undefined || this.#isLost) return;
    const now = fileIdOf(this.path);
    if (now?.ino === this.#file.ino && now.dev === this.#file.dev) return;
    this.#isLost = true;
    this.#problem = new BatonError(
      "damaged",
      `the store ${this.path} was ${now === undefined ? "removed" : "replaced"} while it was in use, so nothing more is ` +
        "stored: put the right database in its place and start again",
    );
    this.#lost.resolve(this.#problem);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}

function fileIdOf(path: string): FileId | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
