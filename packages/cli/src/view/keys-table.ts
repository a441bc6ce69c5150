/**
 * Keys table: the keys of a server as lines, one each.
 */
import type { KeyRecord } from "@baton/store";
import { cutLine, type Line, toLine } from "../terminal/styled-line.ts";
import { toAge } from "./number-text.ts";
import { toOneLine } from "../terminal/printable.ts";
import { widthOf } from "../terminal/width.ts";

const TITLES = ["key", "tenant", "user", "plan", "scopes", "age", "status"] as const;
const GAP = "  ";

/** A line of titles, and one for each key. */
export function toKeyLines(
  keys: readonly KeyRecord[],
  { now, width }: { readonly now: number; readonly width: number },
): readonly Line[] {
  const rows = keys.map(({ id, tenant, user, plan = "free", scopes, createdAt, revokedAt, error }) => {
    if (error !== undefined)
      return { cells: [id, "", "", "", "", "", "damaged: revoke it, and make another"], isDead: true };
    const status = revokedAt === undefined ? "works" : `revoked ${toAge(now - revokedAt)} ago`;
    return {
      cells: [id, toOneLine(tenant), toOneLine(user), plan, scopes.join(","), toAge(now - createdAt), status],
      isDead: status !== "works",
    };
  });
  const widths = TITLES.map((title, index) =>
    Math.max(title.length, ...rows.map(({ cells }) => widthOf(cells[index] ?? ""))),
  );
  const toRow = (cells: readonly string[]) =>
    cells.map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - widthOf(cell))).join(GAP);
  return [
    toLine([toRow(TITLES).trimEnd(), "dim"]),
    ...rows.map(({ cells, isDead }) => toLine([toRow(cells).trimEnd(), isDead ? "dim" : "plain"])),
  ].map((line) => cutLine(line, width));
}
