/**
 * Unlisted companies: names that people ask for although no share of them is traded, and why.
 */
import type { UnlistedCompany } from "../port/listing.ts";
import { readTable, toNames } from "../tables.ts";
import { toKey } from "./words.ts";

/** All of them, by folded name. */
export function unlistedCompanies(): ReadonlyMap<string, UnlistedCompany> {
  const byKey = new Map<string, UnlistedCompany>();
  for (const [name = "", others, status, note = ""] of readTable("unlisted")) {
    const company: UnlistedCompany = { name, status: status === "private" ? "private" : "delisted", note };
    for (const each of [name, ...toNames(others)]) byKey.set(toKey(each), company);
  }
  return byKey;
}
