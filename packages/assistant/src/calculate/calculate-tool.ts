/**
 * The tool `calculate`: a model computes with the facts of its run and with numbers of the user, and the results are
 * facts again.
 *
 * A result is as old as the oldest fact it uses; one of plain numbers alone is of now.
 */
import { type CallContext, defineTool, type Json, type Tool, ToolError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { calculate, type Calculated, toCalculatedFigure } from "./calculate.ts";
import type { DataKind, Fact, Period, Unit } from "../facts/fact.ts";
import { factsOfState } from "../facts/fact-state.ts";
import { type Cited, withFacts } from "../facts/with-facts.ts";
import { FORMULA_NAMES } from "./formulas.ts";

/** Where a result comes from: the facts it uses. */
interface CalculatedOrigin {
  readonly kind: DataKind;
  readonly source: string;
  readonly as_of: string;
  readonly derived_from: readonly string[];
}

/** The value of one expression. */
export interface CalculatedValue {
  readonly value: number;
  readonly unit: Unit;
  readonly currency?: string;
  readonly symbol?: string;
  readonly metric: string;
  readonly formula: string;
  readonly period?: Period;
}

/** The output of `calculate`: the value of one expression, or the values of several. */
export interface CalculateOutput {
  readonly data:
    | CalculatedValue
    | Readonly<{ results: readonly (CalculatedValue & { provenance: CalculatedOrigin })[] }>;
  readonly provenance: CalculatedOrigin;
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

/** Defines `calculate`, which reads the facts of the run it is called in. */
export function defineCalculate(): Tool {
  const tool = defineTool<z.output<typeof INPUT>>({
    name: "calculate",
    description:
      "Calculates with fact ids and plain numbers; the result is a fact. A plain number takes the unit of its place. " +
      `Also ${FORMULA_NAMES.join(", ")}.`,
    effect: "read",
    input: INPUT,
    run: ({ expression, expressions = [] }, context) =>
      calculateAll([...expressions, ...(expression === undefined ? [] : [expression])], context),
  });
  return withFacts<CalculateOutput>(tool, {
    figuresOf: ({ data, provenance }) => {
      if (!("results" in data)) return { figures: [toCited(data, "data.value")], origin: provenance };
      const figures = data.results.map((one, at) => {
        const { kind, source, as_of: asOf } = one.provenance;
        return { ...toCited(one, `data.results[${at}].value`), kind, source, asOf };
      });
      return { figures, origin: provenance };
    },
    frame: ({ provenance, missing = [] }) => ({
      head: `calculate · ${provenance.as_of.slice(0, 10)}, the day of the oldest input`,
      day: provenance.as_of.slice(0, 10),
      tail: missing.map(({ expression, reason }) => `missing: ${expression}: ${reason}`),
    }),
  });
}

type Loaded = Readonly<{ value: CalculatedValue; origin: CalculatedOrigin }>;

function calculateAll(expressions: readonly string[], { state, scope }: CallContext): Json {
  const facts = new Map(factsOfState(state).map((fact) => [fact.id, fact]));
  const now = new Date(scope.clock.now()).toISOString();
  const missing: { expression: string; reason: string }[] = [];
  const found = expressions.flatMap((expression): readonly Loaded[] => {
    const result = calculate(expression, (id) => facts.get(id));
    if (result.ok) return [toLoaded(result, now)];
    missing.push({ expression, reason: result.problem });
    return [];
  });
  const [first, ...others] = found;
  if (first === undefined) throw new ToolError("validation", missing.map(({ reason }) => reason).join("; "));
  const oldest = found.map(({ origin }) => origin).reduce((one, other) => (other.as_of < one.as_of ? other : one));
  const lacking = missing.length === 0 ? {} : { missing };
  if (others.length === 0 && missing.length === 0) return toJson({ data: first.value, provenance: first.origin });
  const results = found.map(({ value, origin }) => ({ ...value, provenance: origin }));
  return toJson({ data: { results }, provenance: oldest, ...lacking });
}

function toLoaded(calculated: Calculated, now: string): Loaded {
  const { value, unit, currency, metric, formula, uses } = calculated;
  const figured = toCalculatedFigure(calculated, "data.value");
  const [figure] = figured?.figures ?? [];
  const origin = figured?.origin ?? { as_of: now, kind: "live" as const, source: "calculated" };
  const known = omitUndefined({ currency, symbol: figure?.symbol || undefined, period: figure?.period });
  return {
    value: { value, unit, metric, formula, ...known },
    origin: { ...origin, derived_from: uses.map(({ id }: Fact) => id) },
  };
}

function toCited(
  { value, unit, symbol = "", metric, formula, currency, period }: CalculatedValue,
  path: string,
): Cited {
  return { path, value, unit, symbol, metric, formula, ...omitUndefined({ currency, period }) };
}

const toJson = (value: unknown): Json => z.json().parse(value);
