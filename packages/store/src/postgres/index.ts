/**
 * @baton/store/postgres: the store for several processes and machines, kept in Postgres 14 or newer.
 *
 * A separate entry, so that other stores do not load the driver of Postgres.
 */
export { openPostgres, type PostgresOptions } from "./postgres-database.ts";
