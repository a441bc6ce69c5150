/**
 * Memory: a database in this process, for tests and for runs that need not outlive it.
 *
 * It is SQLite without a file, so it keeps every promise of the other databases except that its data survives the process.
 */
import type { Database } from "../database.ts";
import { SqliteConnection, MEMORY } from "./connection.ts";
import { FileWatch } from "./file/file-watch.ts";
import { makeTables } from "./schema/schema.ts";
import { sqliteDatabase } from "./sqlite-database.ts";

/** The clock that leases and windows go by. */
export interface MemoryOptions {
  readonly now?: () => number;
}

/** Data in memory that several databases share, as processes share a file. */
export class SharedMemory {
  readonly connection = new SqliteConnection(MEMORY);
  readonly #watch = new FileWatch();
  readonly #now: () => number;

  constructor({ now = Date.now }: MemoryOptions = {}) {
    this.#now = now;
    makeTables(this.connection);
  }

  /** A database with this data; closing it does not close the others. */
  open(): Database {
    const connection = new SqliteConnection(this.connection);
    return sqliteDatabase({ name: "memory", connection, watch: this.#watch, now: this.#now });
  }
}

/** Opens a new database in memory. */
export function openMemory(options: MemoryOptions = {}): Database {
  return new SharedMemory(options).open();
}
