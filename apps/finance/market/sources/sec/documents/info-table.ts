/**
 * Information table: the positions of a 13F report, whatever prefix its elements have. Lines of one security are added.
 */
import { omitUndefined } from "@baton/core/util";
import type { ReportedHolding } from "../../../port/filings.ts";
import { MarketError } from "../../../port/market-error.ts";
import { toLine } from "../../rows.ts";
import { childrenOf, numberAt, parseXml, textAt, type XmlElement } from "./xml.ts";

/** Values are in dollars since reports filed on this day; before, in thousands of dollars. */
const DOLLARS_SINCE = "2023-01-03";
const MAX_NAME = 120;

/** The positions of one table, in the order of the report. */
export function parseInfoTable(xml: string, filed: string): readonly ReportedHolding[] {
  const root = parseXml(xml);
  if (root.name !== "informationTable") throw new MarketError("upstream", "the SEC answered with another document");
  const unit = filed < DOLLARS_SINCE ? 1_000 : 1;
  const held = new Map<string, ReportedHolding>();
  for (const element of childrenOf(root, "infoTable")) {
    const row = toHolding(element, unit);
    if (row === undefined) continue;
    const key = `${row.cusip} ${row.putCall ?? ""} ${row.principal === undefined ? "shares" : "principal"}`;
    const known = held.get(key);
    held.set(key, known === undefined ? row : add(known, row));
  }
  return [...held.values()];
}

function toHolding(element: XmlElement, unit: number): ReportedHolding | undefined {
  const cusip = textAt(element, "cusip");
  const value = numberAt(element, "value");
  if (cusip === undefined || value === undefined) return undefined;
  const amount = numberAt(element, "shrsOrPrnAmt/sshPrnamt");
  const isPrincipal = textAt(element, "shrsOrPrnAmt/sshPrnamtType")?.toUpperCase() === "PRN";
  const title = textAt(element, "titleOfClass");
  return {
    issuer: toLine(textAt(element, "nameOfIssuer") ?? "", MAX_NAME),
    cusip: cusip.toUpperCase().slice(0, 9),
    value: value * unit,
    ...omitUndefined({
      titleOfClass: title === undefined ? undefined : toLine(title, MAX_NAME),
      shares: isPrincipal ? undefined : amount,
      principal: isPrincipal ? amount : undefined,
      putCall: toPutCall(textAt(element, "putCall")?.toLowerCase()),
    }),
  };
}

const toPutCall = (text: string | undefined): ReportedHolding["putCall"] =>
  text === "put" || text === "call" ? text : undefined;

function add(a: ReportedHolding, b: ReportedHolding): ReportedHolding {
  const sum = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined ? undefined : one + other;
  const { shares, principal, ...rest } = a;
  return {
    ...rest,
    value: a.value + b.value,
    ...omitUndefined({ shares: sum(shares, b.shares), principal: sum(principal, b.principal) }),
  };
}
