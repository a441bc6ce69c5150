/**
 * SEC client: asks the three hosts of the SEC's EDGAR system under one rate, as its rules of fair access ask for.
 *
 * Every request names the contact that the user gave, to these hosts only. All hosts together get at most
 * ten requests a second; if one of them throttles, none is asked until it may be.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { MarketError } from "../../port/market-error.ts";
import type { ContentKind, FetchAnswer } from "../http/body.ts";
import type { FetchLimits } from "../http/guarded-fetch.ts";
import { type HttpAnswer, HttpSource, type ReplyVerdict } from "../http/http-source.ts";
import { toRetryAt } from "../http/retry-after.ts";
import type { SourceStats } from "../http/source-stats.ts";
import { type Parameters, toExcerpt } from "../http/source-url.ts";
import { type RequestRate, TokenBucket } from "../http/token-bucket.ts";
import { toContact } from "./contact.ts";

/** `www`: tickers and documents; `data`: filings and facts; `search`: full text. */
export type SecHost = "www" | "data" | "search";

/** Connection to the SEC. */
export interface SecOptions {
  /** An e-mail address at which the SEC can reach the user, as its rules ask for. */
  readonly contact: string | undefined;
  readonly baseUrls?: Partial<Readonly<Record<SecHost, string>>>;
  readonly limits?: Partial<FetchLimits>;
}

/** One question. */
export interface SecRequest {
  readonly host: SecHost;
  readonly path: string;
  readonly query?: Parameters;
  readonly accepts?: readonly ContentKind[];
  readonly maxBytes?: number;
  /** Name of the data in a `no_data` message: `the SEC has no …`. */
  readonly what: string;
}

const BASE_URLS: Readonly<Record<SecHost, string>> = {
  www: "https://www.sec.gov",
  data: "https://data.sec.gov",
  search: "https://efts.sec.gov",
};
const SETTINGS: Readonly<Record<SecHost, string>> = {
  www: "SEC_WWW_BASE_URL",
  data: "SEC_DATA_BASE_URL",
  search: "SEC_SEARCH_BASE_URL",
};
const HOSTS: readonly SecHost[] = ["www", "data", "search"];
const PRODUCT = "Baton finance";
const THROTTLED_MS = 600_000;

/** Never more than ten in any second: what may come at once and what comes in a second add up to ten. */
export const SEC_RATE: RequestRate = { burst: 2, perSecond: 8 };

/** The SEC's hosts; their state lives as long as this object. */
export class SecClient {
  readonly #contact: string | undefined;
  readonly #hosts: ReadonlyMap<SecHost, HttpSource>;
  readonly #www: string;
  #throttledUntil = 0;

  constructor({ contact, baseUrls = {}, limits = {} }: SecOptions) {
    this.#contact = toContact(contact);
    this.#www = baseUrls.www ?? BASE_URLS.www;
    const rate = new TokenBucket(SEC_RATE);
    const shown = this.#contact ?? "";
    const open = (host: SecHost) =>
      new HttpSource({
        name: "sec",
        baseUrl: baseUrls[host] ?? BASE_URLS[host],
        baseUrlSetting: SETTINGS[host],
        // As a secret it goes to the SEC alone, never to the host of a redirect.
        secrets: { "user-agent": `${PRODUCT} ${shown}` },
        key: shown,
        rate,
        limits,
        judge: (answer, { path }, now) => this.#judge(answer, path, now),
      });
    this.#hosts = new Map(HOSTS.map((host) => [host, open(host)]));
  }

  /** The answer, or a `MarketError`. */
  async ask(request: SecRequest, scope: Scope): Promise<HttpAnswer> {
    const { host, path, what, ...rest } = request;
    this.#require(scope.clock.now());
    const source = this.#hosts.get(host);
    if (source === undefined) throw new MarketError("upstream", "the SEC has no such host");
    try {
      return await source.ask({ path, ...omitUndefined(rest) }, scope);
    } catch (error) {
      if (!(error instanceof MarketError) || error.cause !== "missing") throw error;
      throw new MarketError("no_data", `the SEC has no ${what}`);
    }
  }

  /** The address of a document for people. */
  linkTo(path: string): string {
    return `${this.#www}${path}`;
  }

  /** Statistics of all hosts together. */
  stats(now: number): SourceStats {
    const all = [...this.#hosts.values()].map((source) => source.stats(now));
    const newest = (name: "lastSuccessAt" | "lastErrorAt" | "retryAt") =>
      all
        .map((each) => each[name])
        .filter((at) => at !== undefined)
        .toSorted()
        .at(-1);
    const lastErrorAt = newest("lastErrorAt");
    const worst = (["open", "half_open"] as const).find((state) => all.some(({ breaker }) => breaker === state));
    return {
      name: "sec",
      host: all.map(({ host }) => host).join(", "),
      breaker: worst ?? "closed",
      requestsToday: all.reduce((sum, { requestsToday }) => sum + requestsToday, 0),
      ...omitUndefined({
        lastSuccessAt: newest("lastSuccessAt"),
        lastErrorAt,
        lastError: all.find((each) => each.lastErrorAt !== undefined && each.lastErrorAt === lastErrorAt)?.lastError,
        retryAt: newest("retryAt"),
      }),
    };
  }

  #require(now: number): void {
    if (this.#contact === undefined) {
      const message =
        "the SEC asks every program for a contact: set SEC_CONTACT to an e-mail address at which you can be reached";
      throw new MarketError("not_configured", message, { enable: "SEC_CONTACT" });
    }
    if (now >= this.#throttledUntil) return;
    const when = new Date(this.#throttledUntil).toISOString();
    throw new MarketError("throttled", `the SEC has asked not to be asked before ${when}`, {
      retryAt: this.#throttledUntil,
    });
  }

  #judge(answer: FetchAnswer, path: string, now: number): ReplyVerdict {
    const { status, text } = answer;
    const words = text.slice(0, 20_000).toLowerCase();
    // The page that says that there were too many requests comes with status 403 too, and once in a while with 200.
    const isThrottled = status === 429 || words.includes("request rate threshold exceeded");
    if (isThrottled) {
      const retryAt = answer.header("retry-after") === undefined ? now + THROTTLED_MS : toRetryAt(answer, now);
      this.#throttledUntil = Math.max(this.#throttledUntil, retryAt);
      return { kind: "throttled", message: "the SEC has had too many requests from this machine", retryAt };
    }
    if (status === 404) return refuse(new MarketError("no_data", "the SEC has no such document", { cause: "missing" }));
    if (status === 403 || words.includes("undeclared automated tool")) {
      const message = "the SEC refuses the request: it asks for a real contact, set SEC_CONTACT to your e-mail address";
      return refuse(new MarketError("not_configured", message, { enable: "SEC_CONTACT" }));
    }
    if (status === 200) return { kind: "ok" };
    const excerpt = toExcerpt(text);
    return refuse(new MarketError("upstream", `the SEC answered with status ${status} for ${path}: ${excerpt}`));
  }
}

const refuse = (error: MarketError): ReplyVerdict => ({ kind: "refused", error });
