/**
 * HTTP source: asks one host politely, and says what it knows of it.
 *
 * All requests share a rate and a breaker, equal ones in flight are one, and what may pass is tried again. The key goes
 * into a header of the host's own requests and appears in no URL, message or statistic.
 */
import { SharedWork } from "@baton/assistant";
import type { Scope } from "@baton/core/ports";
import { MarketError } from "../../port/market-error.ts";
import { isLoopbackHost } from "./address.ts";
import type { ContentKind, FetchAnswer } from "./body.ts";
import { SourceBreaker, type SourceBreakerOptions, type Passage } from "./breaker.ts";
import { FetchError } from "./fetch-error.ts";
import { type FetchLimits, guardedFetch, type Fetch } from "./guarded-fetch.ts";
import { redact, toBaseUrl, toUrl, type Parameters } from "./source-url.ts";
import { SourceLedger, type SourceStats } from "./source-stats.ts";
import { type RequestRate, TokenBucket } from "./token-bucket.ts";

/** One host and how it is to be asked. */
export interface HttpSourceOptions {
  /** As in `provenance.source`. */
  readonly name: string;
  readonly baseUrl: string;
  /** Setting by which the user gave the address, such as `FMP_BASE_URL`. */
  readonly baseUrlSetting: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Secret that must never be shown. */
  readonly key?: string;
  /** Hosts under one limit share a bucket. */
  readonly rate: RequestRate | TokenBucket;
  readonly breaker?: SourceBreakerOptions;
  readonly limits?: Partial<FetchLimits>;
  /** Judges an answer below status 500. */
  readonly judge: (answer: FetchAnswer, request: HttpRequest, now: number) => ReplyVerdict;
}

/** One question to the host. */
export interface HttpRequest {
  readonly path: string;
  readonly query?: Parameters;
  /** JSON, posted. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly accepts?: readonly ContentKind[];
  readonly weight?: number;
  readonly maxBytes?: number;
}

/** Verdict on an answer: usable, a refusal of this request, or a refusal of all requests until later. */
export type ReplyVerdict =
  | { readonly kind: "ok" }
  | { readonly kind: "refused"; readonly error: MarketError }
  | { readonly kind: "throttled"; readonly message: string; readonly retryAt?: number };

/** A usable answer and where it came from. */
export interface HttpAnswer extends FetchAnswer {
  /** Without any key. */
  readonly url: string;
  readonly fetchedAt: number;
}

const RETRIES = 2;
const FIRST_RETRY_MS = 250;

/** One host; its state lives as long as this object. */
export class HttpSource {
  readonly name: string;
  readonly #options: HttpSourceOptions;
  readonly #base: URL;
  readonly #fetch: Fetch;
  readonly #bucket: TokenBucket;
  readonly #breaker: SourceBreaker;
  readonly #inFlight = new SharedWork<HttpAnswer>();
  readonly #ledger = new SourceLedger();

  constructor(options: HttpSourceOptions) {
    const { name, baseUrl, baseUrlSetting: setting, rate, limits = {} } = options;
    this.name = name;
    this.#options = options;
    this.#base = toBaseUrl({ baseUrl, setting, hasKey: options.secrets !== undefined });
    const reach = isLoopbackHost(this.#base.hostname) ? "loopback" : "public";
    this.#fetch = guardedFetch({ reach, limits });
    this.#bucket = rate instanceof TokenBucket ? rate : new TokenBucket(rate);
    this.#breaker = new SourceBreaker(options.breaker);
  }

  /** The answer, or a `MarketError`; equal requests in flight share it. */
  ask(request: HttpRequest, scope: Scope): Promise<HttpAnswer> {
    const { href } = toUrl(this.#base, request);
    const key = JSON.stringify([href, request.body ?? "", request.headers ?? {}]);
    return this.#inFlight.join(key, scope, (own) => this.#try(request, own));
  }

  /** Statistics of the host at a time in ms since 1970. */
  stats(now: number): SourceStats {
    const retryAt = this.#breaker.retryAt(now);
    return this.#ledger.read({
      name: this.name,
      host: this.#base.host,
      breaker: this.#breaker.state(now),
      now,
      retryAt,
    });
  }

  async #try(request: HttpRequest, scope: Scope): Promise<HttpAnswer> {
    for (let retry = 0; ; retry++) {
      const passage = this.#breaker.enter(scope.clock.now());
      if (!passage.may) throw this.#toClosed(passage);
      try {
        return await this.#once(request, scope);
      } catch (thrown) {
        if (!scope.live) {
          this.#breaker.withdraw();
          throw thrown;
        }
        const { error, mayPass } = this.#settle(thrown, scope.clock.now());
        if (!mayPass || passage.isProbe || retry === RETRIES) throw error;
      }
      const ceilingMs = FIRST_RETRY_MS * 2 ** retry;
      await scope.sleep(Math.round(ceilingMs * (1 + scope.clock.random() / 2)));
    }
  }

  async #once(request: HttpRequest, scope: Scope): Promise<HttpAnswer> {
    const { clock } = scope;
    const waitMs = await this.#bucket.take(request.weight ?? 1, scope);
    if (waitMs > 0) throw new LocalLimit(clock.now() + waitMs);
    this.#ledger.request(clock.now());
    const url = toUrl(this.#base, request);
    const { headers = {}, secrets, judge } = this.#options;
    const answer = await this.#fetch(
      {
        url,
        headers: { ...headers, ...request.headers },
        accepts: request.accepts ?? ["json"],
        ...(secrets === undefined ? {} : { secrets }),
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(request.maxBytes === undefined ? {} : { maxBytes: request.maxBytes }),
      },
      scope,
    );
    const now = clock.now();
    if (answer.status >= 500) throw new HostFailure(`${this.name} answered with status ${answer.status}`);
    const verdict = judge(answer, request, now);
    if (verdict.kind === "refused") throw verdict.error;
    if (verdict.kind === "throttled") throw new Throttled(verdict.message, verdict.retryAt);
    this.#breaker.succeed();
    this.#ledger.success(now);
    return { ...answer, url: url.href, fetchedAt: now };
  }

  /** Notes what went wrong, and says whether asking again may help. */
  #settle(thrown: unknown, now: number): { readonly error: MarketError; readonly mayPass: boolean } {
    const { error, mayPass } = this.#judge(thrown, now);
    const message = redact(error.message, this.#options.key);
    this.#ledger.failure(now, { kind: error.kind, message });
    return { error: new MarketError(error.kind, message, error.details), mayPass };
  }

  #judge(thrown: unknown, now: number): { readonly error: MarketError; readonly mayPass: boolean } {
    if (thrown instanceof MarketError) {
      this.#breaker.succeed();
      return { error: thrown, mayPass: false };
    }
    if (thrown instanceof LocalLimit) {
      this.#breaker.withdraw();
      const message = `too many requests to ${this.name} at once`;
      return { error: new MarketError("throttled", message, { retryAt: thrown.retryAt }), mayPass: false };
    }
    if (thrown instanceof Throttled) {
      const retryAt = this.#breaker.throttle(now, thrown.retryAt);
      return { error: new MarketError("throttled", thrown.message, { retryAt }), mayPass: false };
    }
    this.#breaker.fail(now);
    const isFetch = thrown instanceof FetchError;
    const mayPass = thrown instanceof HostFailure || (isFetch && thrown.code === "network");
    const message = isFetch || thrown instanceof HostFailure ? thrown.message : `${this.name} could not be asked`;
    return { error: new MarketError("upstream", message), mayPass };
  }

  #toClosed({ cause, retryAt }: Passage & { readonly may: false }): MarketError {
    const when = new Date(retryAt).toISOString();
    if (cause === "throttled") {
      return new MarketError("throttled", `${this.name} has asked not to be asked before ${when}`, { retryAt });
    }
    return new MarketError("upstream", `${this.name} is down; it is tried again after ${when}`);
  }
}

class HostFailure extends Error {}

class Throttled extends Error {
  readonly retryAt: number | undefined;
  constructor(message: string, retryAt: number | undefined) {
    super(message);
    this.retryAt = retryAt;
  }
}

class LocalLimit extends Error {
  readonly retryAt: number;
  constructor(retryAt: number) {
    super("too many requests at once");
    this.retryAt = retryAt;
  }
}
