/**
 * The tool `calculate`: a model computes with the facts of its run and with numbers of the user, and the results are
 * facts again.
 *
 * A result is as old as the oldest fact it uses, and as real as the least real one. A number that is neither in a fact nor
 * in the user's words makes the result an assumption: it is told, and it is not a fact.
 */
import { type CallContext, defineTool, type Json, type Tool, ToolError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { sizesIn, toSize } from "../permission/own-words.ts";
import type { DataKind, Fact } from "../facts/fact.ts";
import { factsFrom, type FactTool, withFacts } from "../facts/with-facts.ts";
import { calculate, type Calculated } from "./calculate.ts";
import { BASIC, type Calculus, toFormulaNames } from "./formulas.ts";

/** The value of one expression. */
type CalculatedValue = ReturnType<typeof toValue>;

/** The output of `calculate`: the value of each expression, and the origin of the oldest. */
interface CalculateOutput {
  readonly data: Readonly<{ results: readonly CalculatedValue[] }>;
  readonly provenance: CalculatedValue["provenance"];
  /** Expressions that could not be calculated, and why. */
  readonly missing?: readonly Readonly<{ expression: string; reason: string }>[];
}

const MAX_EXPRESSIONS = 10;
const Expression = z.string().trim().min(1).max(2_000);

const INPUT = z
  .strictObject({
    expressions: z
      .array(Expression)
      .min(1)
      .max(MAX_EXPRESSIONS)
      .optional()
      .describe("(f1.1.1.1 - f1.1.1.2) / f1.1.1.2; compound(0, 8, 20, 500); a currency: 500 USD"),
    expression: Expression.optional().describe("Instead of one"),
  })
  .refine(({ expression, expressions }) => expression !== undefined || expressions !== undefined, {
    error: "must be text such as f1.1.1.1 / f1.1.1.2",
    path: ["expressions"],
  });

/** Options of `calculate`. */
export interface CalculateOptions {
  /** The tools whose facts expressions may use, beside its own results. */
  readonly tools: () => readonly Tool[];
  /** Functions beside the basic ones, and what a model should know about them. */
  readonly calculus?: Calculus;
  readonly help?: string;
}

/** Defines `calculate`. */
export function defineCalculate({ tools, calculus = BASIC, help = "" }: CalculateOptions): FactTool {
  const all = { words: calculus.words, formulas: new Map([...BASIC.formulas, ...calculus.formulas]) };
  const tool = defineTool<z.output<typeof INPUT>>({
    name: "calculate",
    description:
      "Calculates with fact ids and the user's own numbers; the result is a fact. A plain number takes the unit of its " +
      `place. Also ${toFormulaNames(all)}. cagr is the yearly growth rate in percent; percent(x) shows a part of 1 in ` +
      `percent. ${help}`.trim(),
    effect: "read",
    input: INPUT,
    run: async ({ expression, expressions = [] }, context) => {
      const facts = await factsFrom([...tools().filter(({ name }) => name !== "calculate"), counted])(context);
      const asked = [...expressions, ...(expression === undefined ? [] : [expression])];
      return calculateAll(asked, { facts, calculus: all }, context);
    },
  });
  const counted: FactTool = withFacts<CalculateOutput>(tool, {
    figuresOf: ({ data, provenance: origin }) => ({
      figures: data.results.flatMap(({ provenance, assumed, defaults = [], symbol = "", ...figure }, at) => {
        const { kind, source, as_of: asOf } = provenance;
        const place = `data.results[${at}]`;
        const taken = defaults.map((one, index) => {
          const metric = `${one.metric}, assumed because none is given: say so`;
          return { ...one, symbol, metric, path: `${place}.defaults[${index}].value`, kind, source: "assumed", asOf };
        });
        return assumed === undefined
          ? [{ ...figure, symbol, path: `${place}.value`, kind, source, asOf }, ...taken]
          : [];
      }),
      origin,
    }),
    frame: ({ data: { results }, provenance, missing = [] }) => ({
      head: toHead(results),
      day: provenance.as_of.slice(0, 10),
      tail: [
        ...results.flatMap(toAssumption),
        ...missing.map(({ expression, reason }) => `missing: ${expression}: ${reason}`),
      ],
    }),
  });
  return counted;
}

/** The days of the inputs, or that there are none but plain numbers. */
function toHead(values: readonly CalculatedValue[]): string {
  const used = values.filter(({ provenance }) => provenance.derived_from.length > 0);
  if (used.length === 0) return "calculate · from plain numbers alone";
  const days = [...new Set(used.map(({ provenance }) => provenance.as_of.slice(0, 10)))].toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === last) return `calculate · ${first}, the day of the oldest input`;
  return `calculate · oldest inputs of ${first} to ${last}`;
}

const toAssumption = ({ formula, value, assumed }: CalculatedValue): readonly string[] =>
  assumed === undefined
    ? []
    : [`assumed: ${formula} = ${value}; not a fact: ${assumed.join(", ")} is in no result and not the user's number`];

function calculateAll(
  expressions: readonly string[],
  { facts, calculus }: Readonly<{ facts: readonly Fact[]; calculus: Calculus }>,
  context: CallContext,
): Json {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const own = new Set(context.messages.flatMap((message) => (isPersons(message) ? sizesIn(message.content) : [])));
  const now = new Date(context.scope.clock.now()).toISOString();
  const missing: { expression: string; reason: string }[] = [];
  const found = expressions.flatMap((expression): readonly CalculatedValue[] => {
    const result = calculate(expression, (id) => byId.get(id), calculus);
    if (result.ok) return [toValue(result, { own, now })];
    missing.push({ expression, reason: result.problem });
    return [];
  });
  const [oldest] = found.toSorted((one, other) => timeOf(one.provenance.as_of) - timeOf(other.provenance.as_of));
  if (oldest === undefined) throw new ToolError("validation", missing.map(({ reason }) => reason).join("; "));
  const { provenance } = oldest;
  return z.json().parse({ data: { results: found }, provenance, ...(missing.length > 0 && { missing }) });
}

const isPersons = (message: CallContext["messages"][number]): boolean =>
  message.role === "user" && message.from === undefined;

/** The kinds of data, the least real last. */
const KINDS: readonly DataKind[] = ["live", "delayed", "snapshot", "history"];

function toValue(calculated: Calculated, known: Readonly<{ own: ReadonlySet<number>; now: string }>) {
  const { value, unit, currency, metric, formula, uses, defaults } = calculated;
  const ages = uses.map(({ as_of }) => as_of).toSorted((one, other) => timeOf(one) - timeOf(other));
  const kind = KINDS.findLast((one) => uses.some((fact) => fact.kind === one)) ?? "live";
  const names = new Set(uses.map(({ symbol }) => symbol).filter((name) => name !== ""));
  const symbol = names.size === 0 ? undefined : [...names].join(", ");
  const periods = uses.flatMap(({ period }) => period ?? []);
  const period = periods.toSorted((one, other) => (one.end < other.end ? 1 : one.end > other.end ? -1 : 0))[0];
  const assumed = findAssumed(calculated, known.own);
  const provenance = {
    kind,
    source: "calculated",
    as_of: ages[0] ?? known.now,
    derived_from: uses.map(({ id }) => id),
  };
  return {
    value,
    unit,
    metric,
    formula,
    ...omitUndefined({ currency, symbol, period, assumed, defaults }),
    provenance,
  };
}

/** A time that cannot be read is older than all. */
function timeOf(moment: string): number {
  const time = Date.parse(moment);
  return Number.isNaN(time) ? -Infinity : time;
}

/** Months, days and hundredths convert; they say nothing of the world. */
const CONVERSIONS: ReadonlySet<number> = new Set([0, 1, 2, 4, 12, 52, 100, 252, 365, 1e3, 1e6, 1e9]);
/** Beside a fact, a small whole number counts its years or parts. */
const MAX_COUNT = 60;

/** The numbers of an expression that nothing backs; undefined if all are a fact's, the user's or a conversion. */
function findAssumed({ numbers, uses }: Calculated, own: ReadonlySet<number>): readonly number[] | undefined {
  // After "20 %", 0.2, 0.8 and 1.2 are the user's.
  const isOwn = (number: number): boolean =>
    [number, number * 100, (1 - number) * 100].some((one) => own.has(toSize(one)));
  const isCount = (number: number): boolean => uses.length > 0 && Number.isInteger(number) && number <= MAX_COUNT;
  const hasGround = uses.length > 0 || numbers.some(isOwn);
  const assumed = numbers.filter((number) => !isOwn(number) && !isCount(number) && !CONVERSIONS.has(number));
  if (hasGround) return assumed.length === 0 ? undefined : assumed;
  return numbers;
}
