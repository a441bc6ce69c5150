/**
 * Connection: questions to Postgres, over as many connections as are needed, up to ten.
 *
 * One that was lost fails what was under way on it; the next question makes a new one. Every failure is a
 * `BatonError`.
 */
import { Client, type ClientConfig, Pool } from "pg";
import { storeClosedError } from "../store-errors.ts";
import { placeOf, toPostgresError } from "./postgres-error.ts";

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** A network that went silent is given up after this. */
const QUERY_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 30_000;

/** A statement; with a name it is planned once per connection. */
export interface SqlStatement {
  readonly name?: string;
  readonly text: string;
}

/** The value of one column of one row. */
export type SqlCell = string | number | boolean | null | Uint8Array;

/** A parameter: a cell, or a column of many rows. */
export type SqlValue = SqlCell | readonly SqlCell[];

/** Runs one statement, alone or in a transaction, and gives its rows. */
export type RunStatement = <Row extends object>(
  statement: SqlStatement,
  values: readonly SqlValue[],
) => Promise<readonly Row[]>;

/** Connections to one database. */
export class PostgresConnection implements AsyncDisposable {
  /** Where it is, for people. */
  readonly place: string;
  readonly #settings: ClientConfig;
  readonly #pool: Pool;
  #closing: Promise<void> | undefined;

  constructor(url: string) {
    this.place = placeOf(url);
    this.#settings = {
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      application_name: "baton",
    };
    this.#pool = new Pool({ ...this.#settings, max: MAX_CONNECTIONS });
    // The pool drops an idle connection that breaks; the next query gets another.
    this.#pool.on("error", () => {});
  }

  /** A statement as a transaction of its own. */
  readonly ask: RunStatement = async <Row extends object>(statement: SqlStatement, values: readonly SqlValue[]) =>
    this.#guard(async () => (await this.#pool.query<Row>({ ...statement, values: [...values] })).rows);

  /** Several statements as one transaction. */
  readonly transaction = async <T>(work: (ask: RunStatement) => Promise<T>): Promise<T> =>
    this.#guard(async () => {
      const client = await this.#pool.connect();
      let failed: unknown;
      // If the connection breaks between two statements, the next one fails.
      const ignore = () => {};
      client.on("error", ignore);
      try {
        await client.query("begin");
        const result = await work(
          async <Row extends object>(statement: SqlStatement, values: readonly SqlValue[]) =>
            (await client.query<Row>({ ...statement, values: [...values] })).rows,
        );
        await client.query("commit");
        return result;
      } catch (error) {
        failed = error;
        throw error;
      } finally {
        client.off("error", ignore);
        // A connection that is given up takes its open transaction along.
        client.release(failed !== undefined);
      }
    });

  /** A connection of its own; the caller closes it. */
  async dedicated(): Promise<Client> {
    return this.#guard(async () => {
      const client = new Client({ ...this.#settings, query_timeout: undefined });
      await client.connect();
      return client;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#pool.end();
    await this.#closing;
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw storeClosedError();
    try {
      return await work();
    } catch (error) {
      throw toPostgresError(error, this.place);
    }
  }
}
