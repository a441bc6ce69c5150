/**
 * Keys table: the keys of a server, one a line.
 */
import type { KeyRecord } from "@baton/store";
import type { Line } from "../terminal/styled-line.ts";
import { formatAge } from "./number-text.ts";
import { type TableRow, toTableLines } from "./table.ts";

const TITLES = ["key", "tenant", "user", "plan", "scopes", "age", "status"] as const;

/** The titles, and a line for each key. */
export function toKeyLines(
  keys: readonly KeyRecord[],
  { now, width }: { readonly now: number; readonly width: number },
): readonly Line[] {
  const rows = keys.map((key) => toRow(key, now));
  return toTableLines(TITLES, rows, { width });
}

function toRow(key: KeyRecord, now: number): TableRow {
  const { id, tenant, user, plan = "free", scopes, createdAt, revokedAt, error } = key;
  if (error !== undefined) {
    return { cells: [id, "", "", "", "", "", "damaged: revoke it and create a new key"], isInactive: true };
  }
  const status = revokedAt === undefined ? "active" : `revoked ${formatAge(now - revokedAt)} ago`;
  const cells = [id, tenant, user, plan, scopes.join(","), formatAge(now - createdAt), status];
  return { cells, isInactive: revokedAt !== undefined };
}
