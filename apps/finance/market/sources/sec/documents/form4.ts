/**
 * Form 4: the transactions that an insider reports, from the XML of one filing.
 *
 * A price that stands only in a footnote is absent; a price of 0 is that of a grant.
 */
import { omitUndefined } from "@baton/core/util";
import type { InsiderTrade } from "../../../port/filings.ts";
import { MarketError } from "../../../port/market-error.ts";
import { toDay } from "../../eastern.ts";
import { toLine } from "../../rows.ts";
import { toCik } from "../cik.ts";
import type { Submission } from "../submissions.ts";
import { childrenOf, elementAt, numberAt, parseXml, textAt, type XmlElement } from "./xml.ts";

/** Content of a Form 4: whose shares they are, and the transactions. */
export type Form4 = Readonly<{ issuerCik: string | undefined; trades: readonly InsiderTrade[] }>;

const MAX_NAME = 120;

/** Reads the document of a filing. */
export function parseForm4(xml: string, filing: Submission): Form4 {
  const root = parseXml(xml);
  if (root.name !== "ownershipDocument") throw new MarketError("upstream", "the SEC answered with another document");
  const owners = childrenOf(root, "reportingOwner");
  const owner = owners.map((each) => textAt(each, "reportingOwnerId/rptOwnerName") ?? "").filter(Boolean);
  const role = toRole(elementAt(owners[0], "reportingOwnerRelationship"));
  const base = { owner: toLine(owner.join("; "), MAX_NAME), ...omitUndefined({ role }), currency: "USD" };
  const tables = [
    { table: elementAt(root, "nonDerivativeTable"), name: "nonDerivativeTransaction", isDerivative: false },
    { table: elementAt(root, "derivativeTable"), name: "derivativeTransaction", isDerivative: true },
  ];
  const trades = tables.flatMap(({ table, name, isDerivative }) =>
    childrenOf(table, name).flatMap((each) => toTrade(each, filing, { ...base, isDerivative })),
  );
  return { issuerCik: toCik(textAt(root, "issuer/issuerCik") ?? ""), trades };
}

type Base = Pick<InsiderTrade, "owner" | "role" | "currency" | "isDerivative">;

function toTrade(
  element: XmlElement,
  { filed, form, accession, url }: Submission,
  base: Base,
): readonly InsiderTrade[] {
  const day = toDay(textAt(element, "transactionDate/value"));
  const code = textAt(element, "transactionCoding/transactionCode");
  const direction = textAt(element, "transactionAmounts/transactionAcquiredDisposedCode/value");
  if (day === undefined || code === undefined || (direction !== "A" && direction !== "D")) return [];
  const rest = {
    shares: numberAt(element, "transactionAmounts/transactionShares/value"),
    price: numberAt(element, "transactionAmounts/transactionPricePerShare/value"),
    sharesAfter: numberAt(element, "postTransactionAmounts/sharesOwnedFollowingTransaction/value"),
    url,
  };
  const security = toLine(textAt(element, "securityTitle/value") ?? "", MAX_NAME);
  const isAcquired = direction === "A";
  return [
    { day, filed, ...base, code: code.slice(0, 2), isAcquired, security, form, accession, ...omitUndefined(rest) },
  ];
}

function toRole(relationship: XmlElement | undefined): string | undefined {
  const is = (name: string) => ["1", "true"].includes((textAt(relationship, name) ?? "").toLowerCase());
  const title = textAt(relationship, "officerTitle");
  const roles = [
    is("isDirector") ? "director" : "",
    is("isOfficer") ? (title ?? "officer") : "",
    is("isTenPercentOwner") ? "10% owner" : "",
    is("isOther") ? (textAt(relationship, "otherText") ?? "") : "",
  ].filter(Boolean);
  return roles.length === 0 ? undefined : toLine(roles.join(", "), MAX_NAME);
}
