/**
 * Ledger page: a page of the ledger as it is stored.
 */
import type { LedgerPage } from "@baton/core";

/** The page that was written as JSON; undefined where it is none. */
export function parsePage(text: string): LedgerPage | undefined {
  const page: unknown = JSON.parse(text);
  return isPage(page) ? page : undefined;
}

function isPage(value: unknown): value is LedgerPage {
  return typeof value === "object" && value !== null && "used" in value && "held" in value && "told" in value;
}
