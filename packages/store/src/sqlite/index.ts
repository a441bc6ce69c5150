/**
 * @baton/store/sqlite: everything in one file, for one machine and as many processes on it as are wanted.
 *
 * Apart from the rest, so that who keeps runs elsewhere does not load SQLite.
 */
export { openSqlite, type SqliteOptions } from "./open-sqlite.ts";
