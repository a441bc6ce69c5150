/**
 * FMP client: asks one endpoint of Financial Modeling Prep and gives its rows, or a `MarketError` that says what to do.
 *
 * What the plan refuses is not asked again for a day; a refused number of rows is asked for with the number that every
 * plan allows.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../port/listing.ts";
import { MarketError, type MarketErrorKind } from "../../port/market-error.ts";
import type { FetchAnswer } from "../http/body.ts";
import { toFault } from "./fmp-fault.ts";
import { HttpSource, type HttpAnswer, type HttpRequest, type ReplyVerdict } from "../http/http-source.ts";
import type { FetchLimits } from "../http/guarded-fetch.ts";
import { Refusals } from "../http/refusals.ts";
import { parseAnswer } from "../rows.ts";
import type { SourceStats } from "../http/source-stats.ts";
import { type Parameters, toExcerpt } from "../http/source-url.ts";

/** Connection to the account. */
export interface FmpOptions {
  readonly key: string;
  readonly baseUrl?: string;
  /** Requests that the plan allows; 300 if not set. */
  readonly requestsPerMinute?: number;
  readonly limits?: Partial<FetchLimits>;
}

/** One question. */
export interface FmpQuery<T> {
  readonly path: string;
  readonly query?: Parameters;
  readonly row: z.ZodType<T>;
  /** Listing that the data is about; rows of another symbol are an error. */
  readonly listing?: Listing;
  /** Name of the data in a `no_data` message: `no … for AAPL`. */
  readonly what: string;
}

/** Rows as the service ordered them, at least one. */
export interface FmpRows<T> {
  readonly rows: readonly [T, ...T[]];
  readonly url: string;
  readonly fetchedAt: number;
  /** If the plan gave fewer rows than were asked for. */
  readonly note?: string;
}

const BASE_URL = "https://financialmodelingprep.com/stable";
const PLAN_LIMIT = 5;
const REFUSED_MS = 86_400_000;

/** One account. */
export class FmpClient {
  readonly #key: string;
  readonly #http: HttpSource;
  readonly #refusals = new Refusals();

  constructor({ key, baseUrl = BASE_URL, requestsPerMinute = 300, limits = {} }: FmpOptions) {
    this.#key = key;
    this.#http = new HttpSource({
      name: "fmp",
      baseUrl,
      baseUrlSetting: "FMP_BASE_URL",
      secrets: { apikey: key },
      key,
      rate: { burst: Math.max(1, Math.ceil(requestsPerMinute / 6)), perSecond: requestsPerMinute / 60 },
      limits,
      judge,
    });
  }

  stats(now: number): SourceStats {
    return this.#http.stats(now);
  }

  async rows<T>(query: FmpQuery<T>, scope: Scope): Promise<FmpRows<T>> {
    const symbol = query.listing?.symbol;
    const about = symbol === undefined ? {} : { symbol };
    try {
      if (this.#key === "") throw new MarketError("not_configured", "FMP needs a key", { enable: "FMP_API_KEY" });
      const { text, url, fetchedAt, note } = await this.#ask(query, scope);
      const all = parseAnswer("FMP", z.array(query.row), text);
      const [first, ...rest] = all.filter((row) => isAbout(row, symbol));
      if (first !== undefined) return { rows: [first, ...rest], url, fetchedAt, ...omitUndefined({ note }) };
      if (all.length === 0) throw new MarketError("no_data", `FMP has no ${query.what}${suffix(symbol)}`, about);
      throw new MarketError("upstream", `FMP answered with ${query.what} of another symbol${suffix(symbol)}`, about);
    } catch (error) {
      if (!(error instanceof MarketError) || symbol === undefined || error.details.symbol !== undefined) throw error;
      throw new MarketError(error.kind, error.message, { ...error.details, symbol });
    }
  }

  async #ask({ path, query = {} }: FmpQuery<unknown>, scope: Scope) {
    const limit = typeof query["limit"] === "number" ? query["limit"] : 0;
    const full = { path, query };
    const cut = { path, query: { ...query, limit: PLAN_LIMIT } };
    const note = `the plan of the key allows ${PLAN_LIMIT} rows; ${limit} were asked for`;
    try {
      return { ...(await this.#request(full, scope)), note: undefined };
    } catch (error) {
      if (!(error instanceof MarketError) || error.cause !== "plan_limit" || limit <= PLAN_LIMIT) throw error;
      return { ...(await this.#request(cut, scope)), note };
    }
  }

  async #request(request: HttpRequest, scope: Scope): Promise<HttpAnswer> {
    this.#refusals.check(Object.values(toKeys(request)), scope.clock.now());
    try {
      return await this.#http.ask(request, scope);
    } catch (error) {
      const key = error instanceof MarketError ? toRefusedKey(request, error.cause) : undefined;
      if (key !== undefined && error instanceof MarketError) {
        this.#refusals.add(key, error, scope.clock.now() + REFUSED_MS);
      }
      throw error;
    }
  }
}

/** Judges an answer; the fault is the error's cause. */
function judge(answer: FetchAnswer): ReplyVerdict {
  const found = toFault(answer);
  if (found === undefined) return { kind: "ok" };
  const { fault, text } = found;
  const words = toExcerpt(text);
  const refuse = (kind: MarketErrorKind, message: string, enable?: string): ReplyVerdict => ({
    kind: "refused",
    error: new MarketError(kind, message, { cause: fault, ...(enable === undefined ? {} : { enable }) }),
  });
  switch (fault) {
    case "rate_limit":
      return { kind: "throttled", message: "the quota of the FMP key is used up" };
    case "auth":
      return refuse("not_configured", "FMP does not accept the key in FMP_API_KEY", "FMP_API_KEY");
    case "plan_symbol":
    case "plan_limit":
    case "plan_request":
    case "plan_endpoint":
      return refuse("plan", `the plan of the FMP key does not include this: ${words}`);
    case "legacy":
      return refuse("upstream", `FMP no longer serves this endpoint: ${words}`);
    case "bad_path":
      return refuse("upstream", "FMP does not know this endpoint");
    case "other":
      return refuse("upstream", `FMP answered with status ${answer.status} and no data: ${words}`);
  }
}

/** Keys under which a refusal is remembered: the endpoint, its symbol, its number of rows, or the request itself. */
function toKeys({ path, query = {} }: HttpRequest) {
  const symbol = query["symbol"] ?? query["symbols"] ?? "";
  const isLong = Number(query["limit"] ?? 0) > PLAN_LIMIT;
  return {
    endpoint: path,
    symbol: `${path} symbol ${symbol}`,
    limit: isLong ? `${path} limit` : `${path} short`,
    request: `${path} ${JSON.stringify(query)}`,
  };
}

function toRefusedKey(request: HttpRequest, cause: unknown): string | undefined {
  const keys = toKeys(request);
  if (cause === "plan_endpoint" || cause === "legacy") return keys.endpoint;
  if (cause === "plan_symbol") return keys.symbol;
  if (cause === "plan_limit") return keys.limit;
  return cause === "plan_request" ? keys.request : undefined;
}

const suffix = (symbol: string | undefined): string => (symbol === undefined ? "" : ` for ${symbol}`);

/** Whether a row is about the symbol that was asked for, as far as it says. */
function isAbout(row: unknown, symbol: string | undefined): boolean {
  if (symbol === undefined || typeof row !== "object" || row === null || !("symbol" in row)) return true;
  return typeof row.symbol !== "string" || row.symbol.toUpperCase() === symbol.toUpperCase();
}
