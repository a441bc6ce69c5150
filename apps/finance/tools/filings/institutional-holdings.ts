/**
 * Institutional holdings tool: what a manager of funds reported to hold at the end of a quarter, from 13F reports.
 *
 * Names of issuers are untrusted: figures are named by the place of a position, and the names are quoted beside them.
 */
import { readPairs } from "../../market/tables.ts";
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { ReportedHolding } from "../../market/port/filings.ts";
import type { Day } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { cite } from "../shared/figures.ts";
import { toFolded } from "../shared/folded.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { finite, tidy } from "../shared/number.ts";
import { parseQuarter } from "./quarter.ts";
import { toSafeText } from "../shared/untrusted.ts";

const MAX_ROWS = 50;
const MAX_NAME = 120;

/** People who are better known than their firms, folded. */
const FIRMS = readPairs("filings/fund-managers");

interface ShownHolding {
  readonly rank: number;
  readonly issuer: string;
  readonly title_of_class?: string;
  readonly cusip: string;
  readonly value: number;
  readonly weight_percent?: number;
  readonly shares?: number;
  /** Of bonds, instead of shares. */
  readonly principal?: number;
  readonly put_call?: "put" | "call";
}

interface ShownHoldings {
  readonly manager: string;
  readonly cik: string;
  /** `2025Q4`. */
  readonly quarter: string;
  readonly end: Day;
  readonly filed: Day;
  readonly accession: string;
  readonly currency: string;
  readonly total_value: number;
  readonly positions: number;
  readonly shown: number;
  /** The largest first. */
  readonly holdings: readonly ShownHolding[];
}

const Quarter = z
  .string()
  .trim()
  .max(40)
  .refine((text) => parseQuarter(text) !== undefined, "not a quarter such as 2024Q3, Q3 2024 or 2024-09-30")
  .describe("Quarter such as 2024Q3, or a day in it; the newest report if not given");

/** Lists the holdings of an institutional manager. */
export const institutionalHoldingsTool = defineMarketTool<
  Readonly<{ manager: string; quarter?: string | undefined }>,
  ShownHoldings
>({
  name: "getInstitutionalHoldings",
  category: "beyond",
  asks: "holdings",
  description:
    "What a fund manager held at the end of a quarter, from its SEC 13F report: largest positions, value, weight.",
  says: `13F holdings of a fund; what does Warren Buffett own; Berkshire Hathaway portfolio;
    largest positions of a hedge fund; institutional investor holdings; danh mục của quỹ đầu tư 13F;
    Warren Buffett đang nắm cổ phiếu gì; quỹ này nắm giữ những mã nào; tổ chức lớn đang sở hữu gì;
    what do famous investors own; stocks in a hedge fund's portfolio; nhà đầu tư nổi tiếng nắm gì;
    quỹ nắm giữ mã nào`,
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
  figures: toHoldingFigures,
  describe: ({ manager, cik, quarter, filed, holdings }) => [
    `${manager} (CIK ${cik}), holdings at the end of ${quarter}, filed ${filed}`,
    ...holdings.map(({ rank, issuer, title_of_class, put_call }) =>
      [`holding ${rank}: ${issuer}`, title_of_class, put_call].filter((part) => part !== undefined).join(", "),
    ),
  ],
});

function toShownHolding(row: ReportedHolding, at: number): ShownHolding {
  const { issuer, titleOfClass, cusip, value, weightPercent, shares, principal, putCall } = row;
  const title = toSafeText(titleOfClass ?? "", MAX_NAME);
  const weight = finite(weightPercent);
  return {
    rank: at + 1,
    issuer: toSafeText(issuer, MAX_NAME) || "not named",
    ...(title === "" ? {} : { title_of_class: title }),
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

function toHoldingFigures(data: ShownHoldings): readonly Figure[] {
  const { cik, currency, end, quarter, total_value, positions, holdings } = data;
  const owner = { symbol: `CIK ${cik}`, currency };
  const period = { end, label: quarter };
  const all = cite(owner, [
    { path: "data.total_value", value: total_value, unit: "money", metric: "value of all 13F holdings", period },
    { path: "data.positions", value: positions, unit: "count", metric: "13F positions", period },
  ]);
  const rows = holdings.flatMap(({ rank, value, weight_percent, shares, principal }, at) => {
    const place = `data.holdings[${at}]`;
    const of = (what: string): string => `${what} of holding ${rank}`;
    return cite(owner, [
      { path: `${place}.value`, value, unit: "money", metric: of("value"), period },
      { path: `${place}.weight_percent`, value: weight_percent, unit: "percent", metric: of("weight"), period },
      { path: `${place}.shares`, value: shares, unit: "shares", metric: of("shares"), period },
      { path: `${place}.principal`, value: principal, unit: "money", metric: of("principal"), period },
    ]);
  });
  return [...all, ...rows];
}
