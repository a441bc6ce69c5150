/**
 * Model registry: from a name such as `openai/gpt-5-mini` to a `Model`, ready to fail well.
 *
 * Holds clients and the rate limits of providers; breakers and queues are shared with other registries. Resolving loads
 * nothing; a provider's package is imported with its first call. A missing key is an error that names the variable.
 */
import { BatonError, type Model } from "@baton/core";
import { type Clock, type Ledger, type ModelRef, SystemClock, type ToolCalls } from "@baton/core/ports";
import type { Caller } from "../money/accounts.ts";
import { withBackup } from "../wrappers/backup.ts";
import { ExpiringCache } from "./expiring-cache.ts";
import { ProviderFetch } from "../providers/provider-fetch.ts";
import { type Environment, findKey, KEY_VARIABLES } from "./provider-keys.ts";
import { languageModel } from "../providers/language-model.ts";
import { type ModelPair, withLedger } from "../money/metered-model.ts";
import { Meter, type MeterOptions } from "../money/meter.ts";
import { offlineModel } from "../offline/offline-model.ts";
import { priceOf } from "../money/prices.ts";
import type { PlanOf } from "../money/user-accounts.ts";
import { type Provider, PROVIDERS } from "../providers/provider.ts";
import { type CalledModel, ModelTraffic } from "../wrappers/model-traffic.ts";
import { RateLimiter, type RateLimits, withRateLimit } from "../wrappers/rate-limit.ts";
import type { LanguageSource } from "../providers/language-source.ts";
import { withToolCalls } from "../wrappers/text-calls/with-tool-calls.ts";
import { unavailableModel } from "./unavailable-model.ts";
import { DEFAULT_TIMEOUTS, type Timeouts } from "../providers/call-timer.ts";

/** Likely providers of models whose name has no provider, by the start of the name. */
const MAKERS: readonly (readonly [start: string, provider: string])[] = [
  ["gpt-", "openai"],
  ["claude", "anthropic"],
  ["gemini", "google"],
];

/** Options for building models. */
export interface ModelRegistryOptions {
  /** Variables with keys and addresses, `process.env` as a rule. */
  readonly env?: Environment;
  /** Keys by provider; go before the environment's. */
  readonly keys?: ReadonlyMap<string, string>;
  readonly timeouts?: Partial<Timeouts>;
  /** Limits per minute, by provider. */
  readonly limits?: ReadonlyMap<string, RateLimits>;
  /** Models that are not a provider's, by their whole name: `script`, or one for tests. */
  readonly models?: ReadonlyMap<string, Model>;
  /** Where spending is written down and capped; without one there are no limits in tokens, money and calls. */
  readonly ledger?: Ledger;
  /** The plan of a run's owner; without it only the settings of crews limit one user. */
  readonly planOf?: PlanOf | undefined;
  readonly clock?: Clock;
  /** Breakers and queues that several registries share; by default the registry has its own. */
  readonly traffic?: ModelTraffic | undefined;
}

/** A model as an agent asks for it. */
export interface ModelRequest {
  readonly model: ModelRef;
  readonly backup?: ModelRef | undefined;
  /** The way it calls tools; `auto` by default. */
  readonly toolCalls?: ToolCalls;
  /** The agent and crew whose limits count; required if there is a ledger. */
  readonly caller?: Caller;
}

const MAX_CLIENTS = 256;
const MAX_TOLD = 1_024;
const MAX_IDLE_MS = 60 * 60_000;

/** Gives models by name. */
export class ModelRegistry {
  readonly #options: ModelRegistryOptions;
  readonly #own: ReadonlyMap<string, Model>;
  readonly #traffic: ModelTraffic;
  readonly #made: ExpiringCache<Model>;
  readonly #limiters: ReadonlyMap<string, RateLimiter>;
  /** Warnings that runs have had. */
  readonly #told: ExpiringCache<symbol>;

  constructor(options: ModelRegistryOptions) {
    const clock = options.clock ?? new SystemClock();
    this.#options = options;
    this.#traffic = options.traffic ?? new ModelTraffic(clock);
    this.#own = new Map([["offline", offlineModel()], ...(options.models ?? [])]);
    this.#made = new ExpiringCache({ clock, maxEntries: MAX_CLIENTS, maxIdleMs: MAX_IDLE_MS });
    this.#told = new ExpiringCache({ clock, maxEntries: MAX_TOLD, maxIdleMs: MAX_IDLE_MS });
    this.#limiters = new Map(
      [...(options.limits ?? [])].map(([name, limits]) => [name, new RateLimiter(limits, clock)]),
    );
  }

  /**
   * The model an agent asks for, with its backup. Throws if a name is unknown or a key is missing. If only what the
   * first model needs is missing, the backup is used, and a warning in the log says why.
   */
  forAgent({ model, backup, toolCalls = "auto", caller }: ModelRequest): Model {
    const make = (ref: ModelRef, rules = { hasBackup: false }): Model =>
      withToolCalls(this.#guard(ref, { caller, ...rules }), toolCalls);
    if (backup === undefined) return this.#join({ primary: make(model) }, caller);
    const missing = this.missingFor(model);
    if (missing === undefined || this.missingFor(backup) !== undefined) {
      return this.#join({ primary: make(model, { hasBackup: true }), backup: make(backup) }, caller);
    }
    const counting = this.#counting(caller);
    const only = make(backup);
    // The agent's own prices are those of its first model, which is never called.
    const counted = counting === undefined ? only : new Meter(only, priceOf(backup.name), counting).model;
    return withBackup(unavailableModel(model.name, missing), counted);
  }

  #join(pair: ModelPair, caller: Caller | undefined): Model {
    const { primary, backup } = pair;
    const counting = this.#counting(caller);
    if (counting !== undefined) return withLedger(pair, counting);
    return backup === undefined ? primary : withBackup(primary, backup);
  }

  /** Where an agent's calls are counted; undefined if nowhere. */
  #counting(caller: Caller | undefined): MeterOptions | undefined {
    const { ledger, planOf } = this.#options;
    if (ledger === undefined) return undefined;
    if (caller === undefined)
      throw new BatonError("invalid", "with a ledger, a model needs to know its agent and crew");
    return { ledger, planOf, ...caller, queue: this.#traffic.queue, isNews: (what) => this.#isNews(what) };
  }

  #isNews(what: string): boolean {
    const mark = Symbol(what);
    return this.#told.get(what, () => mark) === mark;
  }

  /** A provider's model behind its breakers; any other as it is. */
  #guard(ref: ModelRef, rules: Pick<CalledModel, "caller" | "hasBackup">): Model {
    const model = this.resolve(ref);
    if (this.#own.has(ref.name)) return model;
    return this.#traffic.guard({ model, id: this.#idOf(ref), ...rules });
  }

  /** Provider, model, address and key. */
  #idOf(ref: ModelRef): string {
    const { url, key } = this.#parse(ref);
    return JSON.stringify([ref.name, url, key]);
  }

  /** One model by its name, without its breaker. Throws if the name is unknown or a key is missing. */
  resolve(ref: ModelRef): Model {
    const own = this.#own.get(ref.name);
    if (own !== undefined) return own;
    const missing = this.missingFor(ref);
    if (missing !== undefined) throw new BatonError("invalid", missing);
    const { provider, name, model, key, url } = this.#parse(ref);
    if (url !== undefined && hasUrlPassword(url)) throw passwordInUrl(ref.name);
    if (url !== undefined && provider.needsUrl && !URL.canParse(url)) {
      throw new BatonError("invalid", `${ref.name}: "${url}" is not an address`);
    }
    return this.#made.get(this.#idOf(ref), () => this.#make({ ref: ref.name, name, provider, model, key, url }));
  }

  /**
   * The message about the key or address that must be set before the model is available; undefined if none is missing.
   * Throws if the name is unknown.
   */
  missingFor(ref: ModelRef): string | undefined {
    if (this.#own.has(ref.name)) return undefined;
    const { provider, name, key, url } = this.#parse(ref);
    if (key === undefined && provider.needsKey) return missingKey(ref.name, name);
    return url === undefined && provider.needsUrl ? missingUrl(ref.name, provider) : undefined;
  }

  #parse({ name: ref, url }: ModelRef): Omit<ModelParts, "ref"> {
    const slash = ref.indexOf("/");
    const name = ref.slice(0, Math.max(slash, 0));
    const provider = PROVIDERS.get(name);
    const model = ref.slice(slash + 1);
    if (provider === undefined || model === "") {
      const known = [...[...PROVIDERS.keys()].map((one) => `${one}/…`), ...this.#own.keys()].join(", ");
      const [, company] = MAKERS.find(([start]) => slash === -1 && ref.startsWith(start)) ?? [];
      const hint = company === undefined ? "" : `did you mean ${company}/${ref}? `;
      throw new BatonError("invalid", `"${ref}" is not a model Baton knows; ${hint}it knows ${known}`);
    }
    const env = this.#options.env ?? {};
    const key = this.#options.keys?.get(name) ?? findKey(name, env)?.key;
    return { name, provider, model, key, url: url ?? (env[provider.urlVariable] || undefined) };
  }

  #make(parts: ModelParts): Model {
    const { ref, name, provider, model, key, url } = parts;
    const connection = new ProviderFetch(ref);
    const plain = languageModel({
      name: ref,
      connection,
      rules: { ...provider, model: ref },
      timeouts: { ...DEFAULT_TIMEOUTS, ...provider.timeouts, ...this.#options.timeouts },
      secrets: key === undefined ? [] : [key],
      open: once(() => provider.open({ model, key, url, connection })),
    });
    const limiter = this.#limiters.get(name);
    return limiter === undefined ? plain : withRateLimit(plain, limiter);
  }
}

interface ModelParts {
  readonly ref: string;
  readonly name: string;
  readonly provider: Provider;
  readonly model: string;
  readonly key: string | undefined;
  readonly url: string | undefined;
}

/** Opens on the first call, and again on the next if that failed. */
function once(open: () => Promise<LanguageSource>): () => Promise<LanguageSource> {
  let opened: Promise<LanguageSource> | undefined;
  return async () => {
    opened ??= open();
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
}

/** The message about a model whose key is missing. */
export function missingKey(model: string, provider: string): string {
  const variables = KEY_VARIABLES.get(provider) ?? [];
  return `${model} needs a key: set ${variables.join(" or ")}`;
}

/** Clients of HTTP refuse such an address, and would show it in what they say. */
export function hasUrlPassword(url: string): boolean {
  const { username = "", password = "" } = URL.parse(url) ?? {};
  return username !== "" || password !== "";
}

/** The error of an address with a password in it. */
export function passwordInUrl(model: string): BatonError {
  const what = "the provider's address has a user or a password in it";
  return new BatonError(
    "invalid",
    `${model}: ${what}, which is not supported: leave it out, and set the provider's key`,
  );
}

/** The message about a model whose address is missing. */
export function missingUrl(model: string, { urlVariable }: Provider): string {
  return `${model} needs an address: set provider_url or ${urlVariable}`;
}
