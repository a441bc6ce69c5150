/**
 * Market tool: a tool whose result is data with its provenance, whose numbers are declared as figures, and whose
 * failures are typed. All that is known about a tool stands on its definition; lists of tools are derived from these.
 */
import {
  type AssistantMeter,
  type ResultCache,
  type Fact,
  type FactReader,
  type Figure,
  type ToolCacheOptions,
  withCache,
  withFacts,
  type Wish,
} from "@baton/assistant";
import { type CallContext, defineTool, type Json, type Tool } from "@baton/core";
import type { Prepared } from "@baton/core/ports";
import type { z } from "zod";
import type { ChartRule } from "../../answer/charts/chart.ts";
import { isStandIn } from "../../market/chain/fallback.ts";
import type { Capability, MarketData } from "../../market/port/market-data.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { type DigestWords, toFrame } from "./digest-frame.ts";
import { isPassing, type NoData, toOutcome } from "./outcome.ts";
import { toShownSchema } from "./shown-schema.ts";
import { toJson } from "../shared/to-json.ts";

/** The ten categories of the catalogue, and what lies beyond them. */
export type ToolCategory =
  | "price"
  | "technical"
  | "fundamental"
  | "news"
  | "discovery"
  | "crypto"
  | "market"
  | "risk"
  | "memory"
  | "meta"
  | "beyond";

/** A tool as lists know it, besides what models see of it. */
export interface ToolCard {
  readonly name: string;
  readonly category: ToolCategory;
  /** Offered at once; the others are found by search. */
  readonly isCommon?: true;
  /** The question to the market without which it has nothing; a plan leaves it out if no source answers that. */
  readonly asks?: Capability;
  /** The chart that its results give. */
  readonly chart?: ChartRule;
  /** Of a tool that changes something: which of its arguments must be the user's words. */
  readonly wish?: Wish;
}

/** A tool that waits for its market. */
export interface CatalogueTool extends ToolCard {
  readonly open: (market: MarketData, deps: ToolDeps) => Tool;
}

/** Second argument of a market tool's `run`. */
export type MarketContext = Readonly<{ market: MarketData; context: CallContext }>;

/** A market tool as it is written. `D` is JSON: snake_case names, numbers finite, absent instead of null. */
export interface MarketToolDefinition<I, D> extends ToolCard {
  readonly description: string;
  readonly input: z.ZodType<I>;
  /** The arguments that models are shown, if more are accepted. */
  readonly offered?: z.ZodType;
  /** Time for which an answer may be used again; 0 if it is never kept. */
  readonly ttlMs: number;
  /** Effect of a call: `read` by default. */
  readonly effect?: "read" | "idempotent";
  readonly timeoutMs?: number;
  /** Reads what the user keeps: it runs after the other calls of a reply, so that it sees what they changed. */
  readonly isOfUser?: true;
  readonly run: (input: I, market: MarketContext) => Promise<Sourced<D>>;
  /** Every number of `data` that a person could cite, the most telling first; paths begin with `data.`. */
  readonly figures: (data: D, provenance: Provenance) => readonly Figure[];
  /** Returns the words of strangers in `data`, such as headlines, a line each: the model reads them as quoted data. */
  readonly describe?: (data: D) => readonly string[];
  /** Lines of the model's copy beside facts and words. */
  readonly digest?: (data: D, provenance: Provenance) => DigestWords;
}

/** Dependencies of market tools, beside the market. */
export interface ToolDeps {
  /** Where answers are kept. */
  readonly cache: ResultCache;
  readonly meter?: AssistantMeter;
  /** All tools, whose facts a calculation may use. */
  readonly tools?: () => readonly Tool[];
}

/** A market tool. */
export type MarketTool = CatalogueTool;

const TIMEOUT_MS = 20_000;

/** Defines a tool over market data: `{data, provenance}`, a typed result without data, or a typed error. */
export function defineMarketTool<I, D extends object>(definition: MarketToolDefinition<I, D>): MarketTool {
  const { name, description, category, isCommon, asks, chart, wish } = definition;
  const { ttlMs, effect = "read", timeoutMs = TIMEOUT_MS, isOfUser } = definition;
  return {
    name,
    category,
    ...(isCommon && { isCommon }),
    ...(asks && { asks }),
    ...(chart && { chart }),
    ...(wish && { wish }),
    open: (market, { cache, meter }) => {
      const answer = async (args: I, context: CallContext) => toJson(await definition.run(args, { market, context }));
      const tool = defineTool<I>({
        name,
        description,
        effect,
        timeoutMs,
        ...(isOfUser && { concurrency: "sequential" }),
        input: toToolInput(definition),
        run: (args, context) => toOutcome({ tool: name, context }, () => answer(args, context)),
      });
      const keeping = { ttlMs, mode: market.mode, cache, ...KEEPING, ...(meter && { meter }) };
      return withFacts(withDay(ttlMs > 0 ? withCache(tool, keeping) : tool), toReader(definition));
    },
  };
}

/** The schema that models see, and the one that arguments must fit. */
function toToolInput<I, D>({
  input,
  offered,
}: MarketToolDefinition<I, D>): Parameters<typeof defineTool<I>>[0]["input"] {
  return {
    jsonSchema: toShownSchema(offered ?? input),
    validate: (args) => {
      const parsed = input.safeParse(args);
      if (parsed.success) return { ok: true, value: parsed.data };
      const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
      return { ok: false, issues };
    },
  };
}

/** The tool, whose results say on which day they were asked for: their age is counted from it. */
function withDay(tool: Tool): Tool {
  const bind = (prepared: Prepared): Prepared => {
    if (!prepared.ok) return prepared;
    return {
      ok: true,
      async run(context) {
        const output = await prepared.run(context);
        const asked_on = new Date(context.scope.clock.now()).toISOString().slice(0, 10);
        return typeof output === "object" && output !== null && "provenance" in output
          ? { ...output, asked_on }
          : output;
      },
    };
  };
  return Object.freeze<Tool>({
    ...tool,
    prepare(args) {
      const prepared = tool.prepare(args);
      return prepared instanceof Promise ? prepared.then(bind) : bind(prepared);
    },
  });
}

/** Equal symbols have one key; an old answer comes before another source's while a source is down. */
const KEEPING: Pick<ToolCacheOptions, "keyOf" | "toStale" | "allowsStale" | "isStandIn"> = {
  keyOf: (args) => {
    const fields = fieldsOf(args);
    const { symbol, symbols } = fields;
    const upper = (text: Json): Json => (typeof text === "string" ? text.trim().toUpperCase() : text);
    return {
      ...fields,
      ...(symbol !== undefined && { symbol: upper(symbol) }),
      ...(isList(symbols) && { symbols: symbols.map(upper) }),
    };
  },
  toStale: (output) => ({
    ...fieldsOf(output),
    provenance: { ...fieldsOf(fieldsOf(output)["provenance"]), stale: true },
  }),
  allowsStale: isPassing,
  isStandIn: (output) => {
    const { note } = fieldsOf(fieldsOf(output)["provenance"]);
    return typeof note === "string" && isStandIn({ note });
  },
};

type Fields = { readonly [name: string]: Json };

function fieldsOf(value: Json | undefined): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A result as it comes back from JSON: with data, or without. */
export type MarketOutput<D> = Partial<Sourced<D>> & Partial<NoData> & Readonly<{ asked_on?: string }>;

function toReader<I, D extends object>(definition: MarketToolDefinition<I, D>): FactReader<MarketOutput<D>> {
  const { name, figures, describe, digest } = definition;
  return {
    figuresOf: ({ data, provenance }) =>
      data === undefined || provenance === undefined
        ? undefined
        : { figures: figures(data, provenance), origin: provenance },
    describe: ({ data }) => (data === undefined ? [] : (describe?.(data) ?? [])),
    frame: (output, facts: readonly Fact[]) => toFrame({ tool: name, output, facts, words: toWords(output, digest) }),
  };
}

function toWords<D>(
  { data, provenance }: MarketOutput<D>,
  digest: MarketToolDefinition<never, D>["digest"],
): DigestWords {
  return data === undefined || provenance === undefined ? {} : (digest?.(data, provenance) ?? {});
}
