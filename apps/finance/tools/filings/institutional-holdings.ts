/**
 * Institutional holdings tool: what a manager of funds reported to hold at the end of a quarter, from 13F reports.
 *
 * Names of issuers are untrusted: figures are named by the place of a position, and the names are quoted beside them.
 */
import { readPairs } from "../../market/tables.ts";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { ReportedHolding } from "../../market/port/filings.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { citeFields } from "../shared/figures.ts";
import { toFolded } from "../shared/folded.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { finite, tidy } from "../shared/number.ts";
import { parseQuarter } from "./quarter.ts";
import { toSafeText } from "../shared/untrusted.ts";

const MAX_ROWS = 50;
const MAX_NAME = 120;

/** People who are better known than their firms, folded. */
const FIRMS = readPairs("filings/fund-managers");

const Quarter = z
  .string()
  .trim()
  .max(40)
  .refine((text) => parseQuarter(text) !== undefined, "not a quarter such as 2024Q3, Q3 2024 or 2024-09-30")
  .describe("Quarter such as 2024Q3, or a day in it; the newest report if not given");

/** Lists the holdings of an institutional manager. */
export const institutionalHoldingsTool = defineMarketTool({
  name: "getInstitutionalHoldings",
  category: "beyond",
  asks: "holdings",
  description:
    "What a fund manager held at the end of a quarter, from its SEC 13F report: largest positions, value, weight.",
  input: z.strictObject({
    manager: z.string().trim().min(1).max(120).describe("Name of the manager, its ticker, or its CIK at the SEC"),
    quarter: Quarter.optional(),
  }),
  ttlMs: 24 * 60 * 60_000,
  timeoutMs: 40_000,
  run: async ({ manager, quarter }, { market, context: { scope } }) => {
    const asked = { manager: FIRMS.get(toFolded(manager)) ?? manager, limit: MAX_ROWS };
    const end = quarter === undefined ? undefined : parseQuarter(quarter)?.name;
    const { data, provenance } = await market.holdings({ ...asked, ...omitUndefined({ quarter: end }) }, scope);
    const name = toSafeText(data.manager, MAX_NAME);
    if (data.rows.length === 0) throw new MarketError("no_data", `the 13F report of ${name} for ${data.end} is empty`);
    const holdings = data.rows.slice(0, MAX_ROWS).map(toShownHolding);
    const shown = {
      manager: name,
      cik: toSafeText(data.cik, 10),
      quarter: parseQuarter(data.end)?.name ?? data.end,
      end: data.end,
      filed: data.filed,
      accession: data.accession,
      currency: data.currency,
      total_value: data.totalValue,
      positions: data.positions,
      shown: holdings.length,
      holdings,
    };
    return { data: shown, provenance };
  },
  figures: ({ holdings, ...data }) => {
    const owner = {
      symbol: `CIK ${data.cik}`,
      currency: data.currency,
      period: { end: data.end, label: data.quarter },
    };
    const all = citeFields(
      owner,
      ["data", data],
      [
        ["total_value", "money", "value of all 13F holdings"],
        ["positions", "count", "13F positions"],
      ],
    );
    const rows = holdings.flatMap((row, at) =>
      citeFields(
        owner,
        [`data.holdings[${at}]`, row],
        [
          ["value", "money", `value of holding ${row.rank}`],
          ["weight_percent", "percent", `weight of holding ${row.rank}`],
          ["shares", "shares", `shares of holding ${row.rank}`],
          ["principal", "money", `principal of holding ${row.rank}`],
        ],
      ),
    );
    return [...all, ...rows];
  },
  describe: ({ manager, cik, quarter, filed, holdings }) => [
    `${manager} (CIK ${cik}), holdings at the end of ${quarter}, filed ${filed}`,
    ...holdings.map(({ rank, issuer, title_of_class, put_call }) =>
      [`holding ${rank}: ${issuer}`, title_of_class, put_call].filter((part) => part !== undefined).join(", "),
    ),
  ],
});

function toShownHolding(row: ReportedHolding, at: number) {
  const { issuer, titleOfClass, cusip, value, weightPercent, shares, principal, putCall } = row;
  const title = toSafeText(titleOfClass ?? "", MAX_NAME);
  const weight = finite(weightPercent);
  return {
    rank: at + 1,
    issuer: toSafeText(issuer, MAX_NAME) || "not named",
    ...omitUndefined({ title_of_class: title || undefined }),
    cusip: toSafeText(cusip, 9),
    value,
    ...omitUndefined({
      weight_percent: weight === undefined ? undefined : tidy(weight),
      shares: finite(shares),
      principal: finite(principal),
      put_call: putCall,
    }),
  };
}
