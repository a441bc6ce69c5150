/**
 * Match calls: which calls of an answer are those that the question needs, and whether their arguments are right.
 *
 * A default is equal to an argument that is absent. How many rows or pages are asked for matters only if the question
 * says so.
 */
import type { Json } from "@baton/core";
import type { ObservedCall } from "./observed.ts";
import type { ArgumentRule, ExpectedCall } from "./question.ts";

/** Functions and defaults to compare arguments with. */
export interface ArgumentKit {
  /** The canonical form of a symbol or name that a tool is given. */
  readonly canonical: (symbol: string, tool: string) => string;
  readonly defaultsOf: (tool: string) => ReadonlyMap<string, Json>;
  /** The day of the data, which is where windows end. */
  readonly today: string;
}

/** An expected call with the one that was made for it. */
export interface Matched {
  readonly expected: ExpectedCall;
  readonly made?: ObservedCall;
  readonly hasRightArgs: boolean;
}

/** Names of arguments that a caller may choose freely if the question does not say them. */
const FREE: ReadonlySet<string> = new Set([
  "limit",
  "page",
  "top_k",
  "max_results",
  "query",
  "expression",
  "metrics",
  "csv",
  "ask",
]);
const NEAR_DAYS = 4;
const DAY_MS = 86_400_000;

/** Gives each expected call the made call that fits best; no made call is used twice. */
export function matchCalls(
  way: readonly ExpectedCall[],
  made: readonly ObservedCall[],
  kit: ArgumentKit,
): readonly Matched[] {
  const left = [...made];
  const take = (expected: ExpectedCall, fits: (call: ObservedCall) => boolean): ObservedCall | undefined => {
    const at = left.findIndex((call) => expected.tools.includes(call.tool) && fits(call));
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  const isSame = (expected: ExpectedCall) => (call: ObservedCall) => isRight(expected, call, kit);
  // Calls that fit exactly go first, so that no other expected call takes them.
  const exact = way.map((expected) => ({ expected, made: take(expected, isSame(expected)) }));
  return exact.map(({ expected, made: found }) => {
    const other = found ?? take(expected, () => true);
    return { expected, hasRightArgs: found !== undefined, ...(other === undefined ? {} : { made: other }) };
  });
}

function isRight({ args }: ExpectedCall, call: ObservedCall, kit: ArgumentKit): boolean {
  const defaults = kit.defaultsOf(call.tool);
  const canonical = (symbol: string): string => kit.canonical(symbol, call.tool);
  const valueOf = (name: string): Json | undefined => call.args[name] ?? defaults.get(name);
  for (const [name, rule] of args) {
    if (!follows(rule, valueOf(name), name.startsWith("symbol") ? canonical : normal)) return false;
  }
  return Object.entries(call.args).every(
    ([name, value]) =>
      args.has(name) ||
      FREE.has(name) ||
      isEqual(value, defaults.get(name) ?? null, normal) ||
      (name === "to" && value === kit.today),
  );
}

type Normal = (text: string) => string;

/** Upper and lower case, blanks and underscores are alike. */
const normal: Normal = (text) => text.toLowerCase().replaceAll("_", " ").trim();

function follows(rule: ArgumentRule, value: Json | undefined, same: Normal): boolean {
  if (value === undefined) return rule.kind === "includes" && rule.parts.every((part) => part === "");
  switch (rule.kind) {
    case "is":
      return isEqual(value, rule.value, same);
    case "one_of":
      return rule.values.some((one) => isEqual(value, one, same));
    case "near":
      return typeof value === "string" && Math.abs(Date.parse(value) - Date.parse(rule.day)) <= NEAR_DAYS * DAY_MS;
    case "includes":
      return includes(value, rule.parts);
  }
}

function includes(value: Json, parts: readonly string[]): boolean {
  if (typeof value === "string") return parts.every((part) => normal(value).includes(normal(part)));
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  const isIn = (item: Json, part: string): boolean =>
    typeof item === "string" ? normal(item) === part : normal(JSON.stringify(item)).includes(part);
  return parts.every((part) => items.some((item) => isIn(item, normal(part))));
}

/** Lists are equal if they have the same items. */
function isEqual(one: Json, other: Json, same: Normal): boolean {
  if (typeof one === "string" && typeof other === "string") return same(one) === same(other);
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  const toKeys = (list: readonly Json[]) => new Set(list.map((item) => JSON.stringify(sameItem(item, same))));
  return toKeys(one).symmetricDifference(toKeys(other)).size === 0;
}

const sameItem = (item: Json, same: Normal): Json => (typeof item === "string" ? same(item) : item);
