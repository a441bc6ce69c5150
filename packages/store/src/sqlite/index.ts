/**
 * @baton/store/sqlite: everything in one file, for one machine and as many processes on it as are wanted; or in memory.
 *
 * A separate entry, so that programs with another store do not load SQLite.
 */
export { openMemory, type MemoryOptions } from "./memory.ts";
export { openSqlite, type SqliteOptions } from "./file/open-sqlite.ts";
