/**
 * @baton/store/postgres: the store for several processes and machines, kept in Postgres 14 or newer.
 *
 * Loaded only where it is chosen.
 */
export { openPostgres, type PostgresOptions } from "./postgres-database.ts";
