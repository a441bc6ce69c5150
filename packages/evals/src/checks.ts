/**
 * Checks: pure functions of a conversation. A check whose input is missing never passes: it fails, or it is an error.
 */
import type { Json } from "@baton/core";
import { checkJson } from "@baton/core/util";
import type { CaseChecks } from "./eval-case.ts";
import { findUngrounded } from "./grounded.ts";
import type { ScoredCall, ScoredRun } from "./scored-run.ts";
import { matches } from "./value-match.ts";

/** Result of one check; an error is neither a pass nor a fail. */
export type CheckOutcome = Readonly<{ check: string; pass: boolean; why: string; isError?: true }>;

/** A check of one's own: true, or why not. */
export type CodeCheck = (run: ScoredRun & Readonly<{ expected: Expected }>) => true | string | Promise<true | string>;

/** Makes a check of one's own. */
export function defineCheck(check: CodeCheck): CodeCheck {
  return check;
}

type Expected = string | readonly string[] | undefined;

/** Everything beside the log that checks may need. */
export interface CheckContext {
  readonly expected?: Expected;
  readonly code?: ReadonlyMap<string, CodeCheck>;
  /** Judges one criterion; undefined if there is no judge. */
  readonly judge?: ((criterion: string, reference: string | undefined) => Promise<boolean | string>) | undefined;
}

/** Scores a conversation by the checks of a case. */
export async function scoreRun(
  run: ScoredRun,
  checks: CaseChecks,
  context: CheckContext,
): Promise<readonly CheckOutcome[]> {
  const { code = [], judge, ...plain } = checks;
  const results = Object.entries(plain).flatMap(([check, wanted]) =>
    wanted === undefined ? [] : [toResult(check, () => checkOne(run, { [check]: wanted }, context))],
  );
  for (const name of code) results.push(await runCode(run, name, context));
  for (const criterion of judge?.criteria ?? []) results.push(await runJudge(criterion, judge?.reference, context));
  return results;
}

function toResult(check: string, run: () => string | undefined): CheckOutcome {
  try {
    const why = run();
    return { check, pass: why === undefined, why: why ?? "" };
  } catch (error) {
    return { check, pass: false, why: error instanceof Error ? error.message : String(error), isError: true };
  }
}

async function runCode(run: ScoredRun, name: string, { code, expected }: CheckContext): Promise<CheckOutcome> {
  const check = `code:${name}`;
  const own = code?.get(name);
  if (own === undefined) return { check, pass: false, why: `evals/checks.ts has no check "${name}"`, isError: true };
  try {
    const said = await own({ ...run, expected });
    if (said === true) return { check, pass: true, why: "" };
    if (typeof said === "string") return { check, pass: false, why: said };
    return { check, pass: false, why: "the check returned neither true nor a text", isError: true };
  } catch (error) {
    return {
      check,
      pass: false,
      why: `the check threw: ${error instanceof Error ? error.message : String(error)}`,
      isError: true,
    };
  }
}

async function runJudge(
  criterion: string,
  reference: string | undefined,
  { judge }: CheckContext,
): Promise<CheckOutcome> {
  const check = `judge: ${criterion}`;
  if (judge === undefined)
    return { check, pass: false, why: "the case wants a judge: name one with --judge MODEL", isError: true };
  const said = await judge(criterion, reference);
  if (typeof said === "boolean") return { check, pass: said, why: said ? "" : "the judge says no" };
  return { check, pass: false, why: said, isError: true };
}

/** Why a check does not hold; undefined if it does. Exactly one check is given. */
function checkOne(run: ScoredRun, checks: CaseChecks, { expected }: CheckContext): string | undefined {
  const {
    outcome,
    route,
    route_includes: includes,
    calls,
    calls_exactly: exactly,
    never,
    denied,
    text,
    output,
  } = checks;
  if (outcome !== undefined) return outcome.includes(run.outcome) ? undefined : `the outcome is ${run.outcome}`;
  if (route !== undefined) return isSame(run.route, route) ? undefined : `the route is ${show(run.route)}`;
  if (includes !== undefined)
    return isWithin(run.route, includes, (one, other) => one === other) ? undefined : `the route is ${show(run.route)}`;
  if (calls !== undefined)
    return isWithin(run.calls, calls, isCall) ? undefined : `the calls are ${showCalls(run.calls)}`;
  if (exactly !== undefined) {
    const isExact = run.calls.length === exactly.length && isWithin(run.calls, exactly, isCall);
    return isExact ? undefined : `the calls are ${showCalls(run.calls)}`;
  }
  if (never !== undefined) {
    const made = run.calls.filter((call) => never.some((one) => isCall(call, one)));
    return made.length === 0 ? undefined : `was called: ${showCalls(made)}`;
  }
  if (denied !== undefined)
    return isSame(run.denied.toSorted(), denied.toSorted()) ? undefined : `refused were ${show(run.denied)}`;
  if (text !== undefined) return checkText(run.text, text);
  if (output !== undefined) return checkOutput(run.output, output);
  if (checks.limits !== undefined) return checkLimits(run, checks.limits);
  if (checks.pauses !== undefined) {
    const pauses = run.events.filter(({ type }) => type === "run.paused").length;
    return pauses === checks.pauses ? undefined : `it paused ${pauses} times`;
  }
  if (checks.grounded !== undefined) return checkGrounded(run);
  if (checks.expected !== undefined) return checkExpected(run.text, expected);
  throw new Error("the check is not known");
}

type Wanted = Readonly<{ tool: string; args?: Json | undefined }>;

const isCall = (call: ScoredCall, { tool, args }: Wanted): boolean =>
  call.tool === tool && (args === undefined || matches(call.args, args));

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

/** Whether all that is wanted comes in this order, among others. */
function isWithin<T, W>(items: readonly T[], wanted: readonly W[], fits: (item: T, wanted: W) => boolean): boolean {
  let next = 0;
  for (const item of items) {
    const one = wanted[next];
    if (one !== undefined && fits(item, one)) next += 1;
  }
  return next === wanted.length;
}

const show = (list: readonly string[]): string => (list.length === 0 ? "empty" : list.join(", "));
const showCalls = (calls: readonly ScoredCall[]): string =>
  calls.length === 0
    ? "none"
    : calls.map(({ tool, args }) => `${tool}(${JSON.stringify(args).slice(0, 200)})`).join(", ");

const NO_ANSWER = "there is no answer";

function checkText(text: string, wanted: NonNullable<CaseChecks["text"]>): string | undefined {
  if (text === "") return NO_ANSWER;
  const lower = text.toLowerCase();
  const missing = wanted.contains?.find((part) => !lower.includes(part.toLowerCase()));
  if (missing !== undefined) return `the answer does not contain "${missing}": ${shorten(text)}`;
  const there = wanted.not_contains?.find((part) => lower.includes(part.toLowerCase()));
  if (there !== undefined) return `the answer contains "${there}": ${shorten(text)}`;
  if (wanted.equals !== undefined && text.trim() !== wanted.equals.trim()) return `the answer is ${shorten(text)}`;
  const unlike = wanted.like?.find((pattern) => !isLike(lower, pattern.toLowerCase()));
  if (unlike !== undefined) return `the answer is not like "${unlike}": ${shorten(text)}`;
  const { max_chars: most } = wanted;
  return most === undefined || text.length <= most ? undefined : `the answer has ${text.length} characters`;
}

const shorten = (text: string): string => (text.length <= 300 ? text : `${text.slice(0, 300)}…`);

/** `*` is any text; the parts between them must come in order. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return text.trim() === pattern.trim();
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function checkOutput(
  output: Json | undefined,
  { schema, fields = {} }: NonNullable<CaseChecks["output"]>,
): string | undefined {
  if (output === undefined) return "there is no structured output";
  const [issue] = schema === undefined ? [] : checkJson(schema, output);
  if (issue !== undefined) return `the output does not fit: ${JSON.stringify(issue)}`;
  for (const [path, wanted] of Object.entries(fields)) {
    const value = lookInto(output, path);
    if (!matches(value, wanted))
      return `${path} is ${value === undefined ? "missing" : JSON.stringify(value).slice(0, 200)}`;
  }
  return undefined;
}

function lookInto(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Object.entries(found).find(([key]) => key === name)?.[1];
  }
  return found;
}

function checkLimits(run: ScoredRun, limits: NonNullable<CaseChecks["limits"]>): string | undefined {
  const count = (type: string) => run.events.filter((event) => event.type === type).length;
  const tokens = run.events.reduce(
    (sum, event) => (event.type === "step.ended" ? sum + event.usage.inputTokens + event.usage.outputTokens : sum),
    0,
  );
  if (limits.cost_usd !== undefined && run.costUsd === undefined) throw new Error("the cost of a step is not known");
  const used = {
    steps: count("step.ended"),
    calls: run.calls.length,
    handoffs: count("handoff.made"),
    tokens,
    cost_usd: run.costUsd ?? 0,
    seconds: run.seconds,
  };
  const above = Object.entries(limits).flatMap(([name, most = Infinity]) => {
    const value = Object.entries(used).find(([key]) => key === name)?.[1] ?? 0;
    return value > most ? `${name} is ${value}` : [];
  });
  return above.length === 0 ? undefined : above.join("; ");
}

function checkGrounded(run: ScoredRun): string | undefined {
  if (run.text === "") return NO_ANSWER;
  const outputs = run.calls.flatMap(({ output }) => (output === undefined ? [] : [output]));
  const others = findUngrounded(run.text, outputs, run.said);
  return others.length === 0 ? undefined : `no call gave ${others.join(", ")}`;
}

function checkExpected(text: string, expected: Expected): string | undefined {
  if (expected === undefined) throw new Error("the case has no `expected`");
  if (text === "") return NO_ANSWER;
  const all = typeof expected === "string" ? [expected] : expected;
  return all.some((one) => text.toLowerCase().includes(one.toLowerCase()))
    ? undefined
    : `the answer does not hold ${all.map((one) => `"${one}"`).join(" or ")}: ${shorten(text)}`;
}
