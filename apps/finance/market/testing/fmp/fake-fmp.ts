/**
 * Fake FMP: Financial Modeling Prep on loopback, in the shapes and with the faults of the real one.
 *
 * It knows every symbol, and the same data for it at every endpoint; magic symbols (ZZ401, ZZ402 …) fail.
 */
import { FakeServer, type Reply, type Seen } from "../fake-server.ts";
import type { Asked } from "./fake-fmp-asked.ts";
import { toListRows } from "./fake-fmp-lists.ts";
import { toShapeRows } from "./fake-fmp-shapes.ts";
import { toPriceRows } from "./fake-fmp-prices.ts";
import { toStatementRows } from "./fake-fmp-statements.ts";
import { toFaultReply } from "../fault-symbols.ts";

/** Settings of the fake account. */
export interface FakeFmpOptions {
  /** The last day with data, YYYY-MM-DD; the machine's if not given. */
  readonly today?: string;
  /** The only key it accepts; any if not given. */
  readonly key?: string;
  /** Requests after which every answer is the quota's. */
  readonly quota?: number;
  /** To which ZZREDIRHOST redirects. */
  readonly elsewhere?: string;
}

export type FakeFmp = FakeServer;

const error = (status: number, message: string): Reply => ({
  status,
  body: JSON.stringify({ "Error Message": message }),
});
const text = (status: number, body: string): Reply => ({ status, body, headers: { "content-type": "text/plain" } });

const INVALID_KEY =
  "Invalid API KEY. Feel free to create a Free API Key or visit https://site.financialmodelingprep.com/faqs?search=why-is-my-api-key-invalid for more information.";
const QUOTA =
  "Limit Reach . Please upgrade your plan or visit our documentation for more details at https://site.financialmodelingprep.com/";
const LEGACY =
  "Legacy Endpoint : Due to Legacy endpoints being no longer supported - This endpoint is only available for legacy users who have valid subscriptions prior August 31, 2025. Please visit our subscription page.";
const SYMBOL_PLAN =
  "Premium Query Parameter: 'Special Endpoint : This value set for 'symbol' is not available under your current subscription please visit our subscription page to upgrade your plan";
const LIMIT_PLAN = "Premium Query Parameter: 'limit' values over 5 need a larger plan";
const ENDPOINT_PLAN = "Restricted Endpoint: This endpoint is not available under your current subscription agreement";

/** Starts one: `await using fmp = await FakeFmp.start()`. */
export const FakeFmp = {
  start: (options: FakeFmpOptions = {}): Promise<FakeFmp> => {
    let asked = 0;
    const answer = (seen: Seen): Reply => {
      asked++;
      if (options.key !== undefined && seen.headers["apikey"] !== options.key) return error(401, INVALID_KEY);
      if (asked > (options.quota ?? Infinity)) return error(429, QUOTA);
      return toReply(seen, options);
    };
    return FakeServer.start(answer, "/stable");
  },
};

function toReply({ path, query }: Seen, { today, elsewhere }: FakeFmpOptions): Reply {
  const symbol = query.get("symbol") ?? query.get("symbols") ?? "";
  const magic = toFaultReply(symbol, elsewhere) ?? toFmpFault(symbol, query);
  if (magic !== undefined) return magic;
  const asked: Asked = { path, symbol, query, today: today ?? new Date().toISOString().slice(0, 10) };
  const rows = toPriceRows(asked) ?? toStatementRows(asked) ?? toListRows(asked) ?? toShapeRows(asked);
  if (rows === undefined) return { status: 404, body: "[]" };
  return { body: JSON.stringify(symbol === "ZZNULL" ? rows.map(toNulls) : rows) };
}

function toFmpFault(symbol: string, query: ReadonlyMap<string, string>): Reply | undefined {
  switch (symbol) {
    case "ZZ401":
      return error(401, INVALID_KEY);
    case "ZZ402":
      return text(402, SYMBOL_PLAN);
    case "ZZ402LIM":
      return Number(query.get("limit") ?? 0) > 5 ? text(402, LIMIT_PLAN) : undefined;
    case "ZZ402END":
      return error(402, ENDPOINT_PLAN);
    case "ZZ403":
      return error(403, LEGACY);
    case "ZZ404":
      return { status: 404, body: "<html>Not found</html>", headers: { "content-type": "text/html" } };
    case "ZZ429":
      return error(429, QUOTA);
    case "ZZ200ERR":
      return error(200, "Premium Query Parameter");
    case "ZZ200LIM":
      return error(200, QUOTA);
    case "ZZEMPTY":
      return { body: "[]" };
    default:
      return undefined;
  }
}

/** The row with null for every number and "" for every other text, but what identifies it. */
function toNulls(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept = ["symbol", "date", "fiscalYear", "period"];
  const toNull = (value: unknown) => (typeof value === "string" ? "" : null);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, kept.includes(name) ? value : toNull(value)]),
  );
}
