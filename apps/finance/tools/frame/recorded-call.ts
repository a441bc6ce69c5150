/**
 * Recorded call: a tool that leaves in the run's state which symbols its result names, what it says is missing and which
 * criteria were applied, under `calls/<call>`, and what a model reads of it, under `digest/<call>`: the text of `{{state.digest/*}}` in prompts.
 */
import type { Json, Tool } from "@baton/core";
import type { Prepared, RunState } from "@baton/core/ports";
import { omitUndefined, lookInto } from "@baton/core/util";
import { z } from "zod";

const PREFIX = "calls/";
const DIGEST_PREFIX = "digest/";
const MAX_SYMBOLS = 200;

const MAX_MISSING = 40;

/** Something that a result says it does not have: of whom, and what; at least one of them. */
const MISSING_POINT = z.object({ symbol: z.string().optional(), what: z.string().optional() });

export type MissingPoint = Readonly<z.output<typeof MISSING_POINT>>;

const RECORD = z.object({
  /** Every symbol that the result names, and the name beside it. */
  symbols: z.array(z.object({ symbol: z.string(), name: z.string().optional() })),
  missing: z.array(MISSING_POINT),
  /** Criteria that were applied, in words. */
  applied: z.array(z.string()),
});

/** The recorded part of a call. */
export type CallRecord = z.output<typeof RECORD>;

/** The tool, whose calls are recorded. */
export function withRecord(tool: Tool): Tool {
  const bind = (prepared: Prepared): Prepared => {
    if (!prepared.ok) return prepared;
    return {
      ok: true,
      async run(context) {
        const output = await prepared.run(context);
        const { call, state } = context;
        const json = z.json().safeParse(output).data ?? {};
        state.set(`${PREFIX}${call}`, toRecord(json));
        state.set(`${DIGEST_PREFIX}${call}`, toDigest(tool, json, call));
        return output;
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

/** The calls of a run that came back, in their order. */
export function recordsOf(state: Pick<RunState, "entries">): readonly CallRecord[] {
  const found: CallRecord[] = [];
  for (const [key, value] of state.entries()) {
    const { data } = key.startsWith(PREFIX) ? RECORD.safeParse(value) : {};
    if (data !== undefined) found.push(data);
  }
  return found;
}

const toRecord = (output: Json): Json => ({
  symbols: [...symbolsIn(output)]
    .slice(0, MAX_SYMBOLS)
    .map(([symbol, name]) => ({ symbol, ...omitUndefined({ name }) })),
  applied: textsAt(output, "data.applied"),
  missing: missingIn(lookInto(output, "data") ?? null)
    .slice(0, MAX_MISSING)
    .map(({ symbol, what }) => ({ ...omitUndefined({ symbol, what }) })),
});

/** Lists of a result that say what it does not have, and fields such as `beta_missing`. */
const MISSING_LISTS: ReadonlySet<string> = new Set(["missing", "left_out"]);
const MISSING_FIELD = "_missing";

function missingIn(data: Json): readonly MissingPoint[] {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return [];
  return Object.entries(data).flatMap(([name, value]): readonly MissingPoint[] => {
    if (name.endsWith(MISSING_FIELD)) return [{ what: name.slice(0, -MISSING_FIELD.length) }];
    return MISSING_LISTS.has(name) && Array.isArray(value) ? value.flatMap(toPoint) : [];
  });
}

function toPoint(item: Json): readonly MissingPoint[] {
  if (typeof item === "string") return [{ what: item }];
  const symbol = textAt(item, "symbol");
  const what = ["metric", "indicator", "part", "series"].map((name) => textAt(item, name)).find((text) => text);
  return symbol === undefined && what === undefined ? [] : [omitUndefined({ symbol, what })];
}

/** Escaped: prompts show it between tags, and nothing in it may end them. */
function toDigest({ name, digest }: Tool, output: Json, call: string): string {
  const text = digest?.(output, { call }) ?? `${name}: ${JSON.stringify(output)}`;
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function textAt(value: Json, name: string): string | undefined {
  const text = lookInto(value, name);
  return typeof text === "string" ? text : undefined;
}

function textsAt(value: Json, path: string): string[] {
  const list = lookInto(value, path);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** Every `symbol` in a result, however deep, with the `name` beside it. */
function symbolsIn(output: Json): ReadonlyMap<string, string | undefined> {
  const symbols = new Map<string, string | undefined>();
  const open: Json[] = [output];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const symbol = textAt(value, "symbol");
    if (symbol !== undefined) symbols.set(symbol, textAt(value, "name") ?? symbols.get(symbol));
    open.push(...Object.values(value).filter((part) => typeof part === "object"));
  }
  return symbols;
}
