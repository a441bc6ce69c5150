/**
 * Database choice: opens the database of a server: Postgres if it is configured, else SQLite in the data folder.
 *
 * Only the driver that is needed is loaded. There is no fallback to memory.
 */
import { BatonError } from "@baton/core";
import type { Database } from "@baton/store";
import { hasStore, openFolder } from "../runs/data-folder.ts";
import type { Config } from "./settings.ts";

type Place = Pick<Config, "data" | "postgres">;

/** Opens the configured database. */
export async function openDatabase({ data, postgres }: Place): Promise<Database> {
  return postgres === undefined ? openFolder(data) : openAtPostgres(postgres);
}

/** Whether the database exists; Postgres always does. */
export function isKept({ data, postgres }: Place): boolean {
  return postgres !== undefined || hasStore(data);
}

/** The database as text for messages. */
export function toPlace({ data, postgres }: Place): string {
  return postgres === undefined ? data : "Postgres";
}

async function openAtPostgres(url: string): Promise<Database> {
  const { openPostgres } = await import("@baton/store/postgres");
  try {
    return await openPostgres({ url });
  } catch (error) {
    // The user can fix the URL or the rights of the database user.
    if (!(error instanceof BatonError) || error.code !== "internal") throw error;
    throw new BatonError(
      "invalid",
      `${error.message}; check the URL in BATON_POSTGRES or --postgres, and the rights of its user`,
      { cause: error },
    );
  }
}
