/**
 * Tool calls: the arguments with which tests call every tool, and the checks that every answer must pass.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MAX_DIGEST_CHARS, toValueText } from "@baton/assistant";
import type { Json, Tool } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { callTool, toolContext } from "@baton/core/testing";
import { z } from "zod";
import { factsIn } from "./facts-in.ts";
import { numbersOf } from "./numbers-of.ts";

/** Arguments of a call. */
export type Args = Readonly<Record<string, Json>>;

/** Arguments for each tool, with a company of the pack, a coin, and a window that is inside real history. */
const file = join(import.meta.dirname, "fixtures", "arguments.json");
export const ASKED: ReadonlyMap<string, Args> = new Map(
  Object.entries(z.record(z.string(), z.record(z.string(), z.json())).parse(JSON.parse(readFileSync(file, "utf8")))),
);

/** These ask no source: they answer whatever happens to the world. */
export const LOCAL: ReadonlySet<string> = new Set(["tool_search", "getCurrentTime", "resolveSymbol", "calculate"]);

/** Numbers that are no facts: arguments that are echoed, times, counts, rows of a series, and points of a drawing. */
const PLAIN: readonly RegExp[] = [
  /(^|\.)(t|limit|count|page|days|period|fast|slow|signal|std_dev|observations|returns|shown|total|rank)$/,
  /(^|\.)(days_per_year|horizon_days|confidence|portfolio_value|cash|cost_bps|lookback_days|lookback_years|delay_s)$/,
  /^data\.(amount|total_chars|of)$/,
  /^data\.results\[\d+\]\.(change$|closes\.)/,
  /\.(growth_percent|discount_percent|strike|delay_s|of|bars|needs_bars)$/,
  /\.(criteria)\.\w+$/,
  /\.(prices|bars|trades|levels)\[\d+\]\.\w+$/,
  /\.(points|equity|spark)\[\d+\]\[\d\]$/,
];

const OUTPUT = z.looseObject({
  data: z.json().optional(),
  no_data: z.literal(true).optional(),
  ambiguous: z.literal(true).optional(),
  message: z.string().optional(),
  candidates: z.array(z.looseObject({ symbol: z.string(), name: z.string(), exchange: z.string() })).optional(),
  provenance: z
    .looseObject({ kind: z.string(), source: z.string(), as_of: z.string().regex(/T.*(Z|[+-]\d\d:\d\d)$/) })
    .optional(),
});

const FACTS = z.array(
  z.looseObject({
    path: z.string(),
    value: z.number(),
    unit: z.string(),
    currency: z.string().optional(),
    symbol: z.string(),
    metric: z.string().min(1),
    period: z.looseObject({ end: z.iso.date() }).optional(),
    as_of: z.string(),
    kind: z.string(),
    source: z.string().min(1),
  }),
);

/** The output and the facts of a call. */
export const CALLED = z.object({ output: OUTPUT, facts: FACTS });
type Called = z.output<typeof CALLED>;

/** Calls a tool as the engine would, and reads what it gave and set. */
export async function call(tool: Tool, args: Json): Promise<Called> {
  const contextOf = toolContext();
  const context = contextOf("1.1.1");
  const given = await callTool(tool, args, context);
  const output = OUTPUT.parse(parseJson(JSON.stringify(given)) ?? {});
  return { output, facts: FACTS.parse(await factsIn(tool, parseJson(JSON.stringify(given)) ?? {})) };
}

/** Finds a tool by its name. */
export function toolOf(all: readonly Tool[], name: string): Tool {
  const found = all.find((tool) => tool.name === name);
  assert.ok(found, `there is no tool ${name}`);
  return found;
}

/** Asserts what every answer must hold, with data or without. */
export function assertHonest(name: string, { output, facts }: Called): void {
  const text = JSON.stringify(output);
  assert.ok(!text.includes("null") && !text.includes("NaN"), `${name} has a null or NaN: ${text.slice(0, 300)}`);
  if (output.no_data === true || (output.ambiguous === true && output.data === undefined)) {
    assert.ok((output.message ?? "").length > 10, `${name} says why`);
    assert.deepEqual(facts, []);
    return;
  }
  if (LOCAL.has(name)) return;
  assert.ok(output.data !== undefined && output.provenance !== undefined, `${name} gave ${text.slice(0, 200)}`);
  const declared = new Set(facts.map(({ path }) => path));
  const loose = numbersOf({ data: output.data }).filter(
    ({ path }) => !declared.has(path) && !path.includes(".provenance.") && !PLAIN.some((rule) => rule.test(path)),
  );
  assert.deepEqual(loose.slice(0, 5), [], `numbers of ${name} without a unit`);
  for (const { unit, currency, metric, path, period } of facts) {
    assert.ok(period !== undefined, `${name} ${path} has no period`);
    assert.equal(unit.startsWith("money"), currency !== undefined, `${name} ${path} ${metric} is ${unit}`);
  }
}

/** Every id of a digest is a fact of the call, with its value beside it. */
export function assertDigest(tool: Tool, { output, facts }: Called): void {
  const digest = tool.digest?.(parseJson(JSON.stringify(output)) ?? {}, { call: "1.1.1" }) ?? "";
  assert.ok(digest.length <= MAX_DIGEST_CHARS, `${tool.name}: ${digest.length}`);
  if (tool.digest === undefined) return;
  assert.ok(digest.startsWith(output.no_data === true ? `no data: ${tool.name}` : tool.name), digest.slice(0, 80));
  const ids = [...digest.matchAll(/f1\.1\.1\.(\d+) /g)];
  for (const found of ids) {
    const fact = facts[Number(found[1]) - 1];
    assert.ok(fact !== undefined, `${tool.name}: ${found[0]}`);
    const text = toValueText({ value: fact.value, unit: "ratio", metric: fact.metric }).replace(/^\+/, "");
    const after = digest.slice(found.index, found.index + 300).split("\n")[0] ?? "";
    const isThere = [text, text.replace(/\.00$/, ""), `${Number(fact.value.toFixed(2))}`].some((one) =>
      after.includes(one),
    );
    assert.ok(isThere || fact.unit !== "ratio", `${tool.name}: ${after.slice(0, 80)} lacks ${text}`);
  }
  assert.ok(facts.length === 0 || ids.length > 0, `${tool.name}: ${digest}`);
}
