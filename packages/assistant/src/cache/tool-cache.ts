/**
 * Tool cache: a tool whose results are used again for a time.
 *
 * Equal calls at the same moment share one run, which is cancelled when no caller waits any more. Failures are not kept.
 * What is shared belongs to no call: the tool sees neither the run's state, messages and user, nor may it make notes.
 * A hit is the result as it was, its `as_of` included.
 */
import { type CallContext, type Json, type Tool, ToolError } from "@baton/core";
import { noDocuments, type Prepared } from "@baton/core/ports";
import { boundOutput } from "@baton/core/util";
import type { ResultCache } from "./result-cache.ts";
import { type CachedResult, parseCachedResult, toCacheKey } from "./cached-result.ts";
import type { AssistantMeter } from "../metrics/assistant-meter.ts";
import { SharedWork } from "./shared-work.ts";
import { type BreakerOptions, isTrouble, type RateOptions, RefusedError, ToolBreaker, ToolRate } from "./tool-guard.ts";

/** Options of a tool's cache. */
export interface ToolCacheOptions {
  /** The time for which a result is used again. */
  readonly ttlMs: number;
  /** The data that the tool reads, such as `embedded`: a result of one mode never answers for another. */
  readonly mode: string;
  readonly cache: ResultCache;
  /** Marks a result as stale, which for a day after its expiry may replace a failed call. Without it none is given. */
  readonly toStale?: (output: Json) => Json;
  /** The failures that a stale result may replace; by default timeouts, network errors and temporary errors. */
  readonly allowsStale?: (thrown: unknown) => boolean;
  /**
   * Whether a result replaces one that was not available. It is used again no longer than a result without data,
   * and an older result that is not a stand-in comes before it.
   */
  readonly isStandIn?: (output: Json) => boolean;
  /** Arguments as they are compared, for what defaults do not say, such as the case of a name. */
  readonly keyOf?: (args: Json) => Json;
  readonly breaker?: BreakerOptions;
  readonly rate?: RateOptions;
  readonly meter?: AssistantMeter;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A result without data is used again for a tenth of the time, at most a minute. */
const MAX_NO_DATA_MS = 60_000;

/** The tool with its results kept; put `withFacts` around it, never into it. */
export function withCache(tool: Tool, options: ToolCacheOptions): Tool {
  const shared = new SharedWork<Outcome>();
  const breaker = options.breaker === undefined ? undefined : new ToolBreaker(tool.name, options.breaker);
  const rate = options.rate === undefined ? undefined : new ToolRate(options.rate);
  const cached: Cached = { tool, options, shared, ...(breaker && { breaker }), ...(rate && { rate }) };
  return Object.freeze<Tool>({
    ...tool,
    prepare(args) {
      const bind = (prepared: Prepared): Prepared => {
        if (!prepared.ok) return prepared;
        const key = toCacheKey(tool, options.keyOf === undefined ? args : options.keyOf(args), options.mode);
        return { ok: true, run: (context) => answer(cached, { key, run: prepared.run }, context) };
      };
      const prepared = tool.prepare(args);
      return prepared instanceof Promise ? prepared.then(bind) : bind(prepared);
    },
  });
}

type Cached = Readonly<{
  tool: Tool;
  options: ToolCacheOptions;
  shared: SharedWork<Outcome>;
  breaker?: ToolBreaker;
  rate?: ToolRate;
}>;
type Bound = Readonly<{ key: string; run: Extract<Prepared, { ok: true }>["run"] }>;

async function answer(cached: Cached, bound: Bound, context: CallContext): Promise<unknown> {
  const { isStale, value } = await find(cached, bound, context);
  const { meter } = cached.options;
  if (isStale === true) meter?.add("assistant_stale_results", {});
  if (hasNoData(value)) meter?.add("assistant_no_data_results", {});
  return value;
}

/** A result, and whether it was used after its time. */
type Outcome = Readonly<{ value: unknown; isStale?: true }>;

async function find(cached: Cached, { key, run }: Bound, context: CallContext): Promise<Outcome> {
  const count = (result: "hit" | "miss" | "coalesced") =>
    cached.options.meter?.add("tool_cache", { tool: cached.tool.name, result });
  if (cached.shared.has(key)) count("coalesced");
  return cached.shared.join(key, context.scope, async (scope) => {
    const kept = await read(cached, key);
    const now = scope.clock.now();
    const isHit = kept !== undefined && isFresh(kept, now);
    count(isHit ? "hit" : "miss");
    if (isHit) return { value: kept.output };
    const alone = toAlone(cached.tool.name, { ...context, scope });
    try {
      const value = await guard(cached, alone, run);
      const better = isStandIn(cached.options, value) ? toStale(cached.options, kept, now) : undefined;
      if (better !== undefined) return { isStale: true, value: better };
      await save(cached, { key, value, now: scope.clock.now() });
      return { value };
    } catch (thrown) {
      const allows = cached.options.allowsStale ?? isTrouble;
      const isPassing = thrown instanceof RefusedError || allows(thrown);
      const stale = isPassing ? toStale(cached.options, kept, now) : undefined;
      if (stale === undefined) throw thrown;
      return { isStale: true, value: stale };
    }
  });
}

/** A cache that fails is a cache that has nothing. */
async function read({ options, tool }: Cached, key: string): Promise<CachedResult | undefined> {
  try {
    return parseCachedResult(await options.cache.get(key), tool.name);
  } catch {
    return undefined;
  }
}

type Made = Readonly<{ key: string; value: unknown; now: number }>;

async function save({ options, tool }: Cached, { key, value, now }: Made): Promise<void> {
  const bounded = boundOutput(value);
  if (!bounded.ok || bounded.wholeChars !== undefined) return;
  const { output } = bounded;
  const isShort = hasNoData(output) || isStandIn(options, output);
  const ttlMs = isShort ? Math.min(options.ttlMs / 10, MAX_NO_DATA_MS) : options.ttlMs;
  const keepMs = isShort || options.toStale === undefined ? ttlMs : ttlMs + DAY_MS;
  if (!(ttlMs > 0)) return;
  try {
    await options.cache.set(
      key,
      { tool: tool.name, output, at: now, until: now + ttlMs, keptUntil: now + keepMs },
      keepMs,
    );
  } catch {
    // The result is good without a place in the cache.
  }
}

async function guard({ breaker, rate }: Cached, context: CallContext, run: Bound["run"]): Promise<unknown> {
  const { scope } = context;
  const leave = breaker?.enter(scope.clock);
  try {
    await rate?.enter(scope);
    const value = await run(context);
    leave?.("well");
    return value;
  } catch (thrown) {
    const isNone = !scope.live || thrown instanceof RefusedError;
    leave?.(isNone ? "none" : isTrouble(thrown) ? "trouble" : "well");
    throw thrown;
  }
}

/** An older result, marked; undefined if it is too old, or itself a stand-in. */
function toStale(options: ToolCacheOptions, kept: CachedResult | undefined, now: number): Json | undefined {
  if (kept === undefined || options.toStale === undefined || now >= kept.keptUntil) return undefined;
  return isStandIn(options, kept.output) ? undefined : options.toStale(kept.output);
}

function isStandIn({ isStandIn: fits }: ToolCacheOptions, value: unknown): boolean {
  const bounded = fits === undefined ? undefined : boundOutput(value);
  return bounded?.ok === true && fits?.(bounded.output) === true;
}

/** A result with a later time was made by another clock. */
function isFresh({ at, until }: CachedResult, now: number): boolean {
  return at <= now && now < until;
}

function hasNoData(output: unknown): boolean {
  return typeof output === "object" && output !== null && "no_data" in output && output["no_data"] === true;
}

/** The context of a run that several calls share: nothing of one caller may get into another's answer. */
function toAlone(tool: string, { key, run, call, attempt, scope }: CallContext): CallContext {
  const refuse = (): never => {
    throw new ToolError("permanent", `${tool} is cached, so it may neither use the run's state nor make notes`);
  };
  const documents = noDocuments(`${tool} is cached, so it may not use a user's documents`);
  const state = { get: refuse, set: refuse, entries: refuse };
  const own = { key, run, call, attempt, scope, messages: [], state, documents };
  return { ...own, calls: [], outputOf: refuse, note: refuse, progress: () => {} };
}
