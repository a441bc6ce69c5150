/**
 * Database choice: where a server keeps runs and keys; SQLite in the data folder, or Postgres where one is named.
 *
 * Each is loaded only where it is used. Nothing falls back to memory: what cannot be kept is not begun.
 */
import { BatonError } from "@baton/core";
import type { Database } from "@baton/store";
import { hasStore, openFolder } from "../runs/data-folder.ts";
import type { Config } from "./settings.ts";

type Place = Pick<Config, "data" | "postgres">;

/** Opens the database that is meant. */
export async function openDatabase({ data, postgres }: Place): Promise<Database> {
  return postgres === undefined ? openFolder(data) : openAtPostgres(postgres);
}

/** Whether there can be anything to look at. */
export function isKept({ data, postgres }: Place): boolean {
  return postgres !== undefined || hasStore(data);
}

/** Where it is, for people. */
export function toPlace({ data, postgres }: Place): string {
  return postgres === undefined ? data : "Postgres";
}

async function openAtPostgres(url: string): Promise<Database> {
  const { openPostgres } = await import("@baton/store/postgres");
  try {
    return await openPostgres({ url });
  } catch (error) {
    // The user who named this Postgres can correct what it refuses.
    if (!(error instanceof BatonError) || error.code !== "internal") throw error;
    throw new BatonError("invalid", `${error.message}; check its URL and what its user may do`, { cause: error });
  }
}
