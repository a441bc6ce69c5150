/**
 * The tool `calculate`: a model computes with the facts of its run, and the result is a fact again.
 *
 * A result of plain numbers alone is returned but is not a fact: numbers that a model brings are not evidence.
 */
import { defineTool, type Json, type Tool, ToolError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { calculate, type Calculated, toCalculatedFigure } from "./calculate.ts";
import type { DataKind, Period, Unit } from "../facts/fact.ts";
import { factsOfState } from "../facts/fact-state.ts";
import { withFacts } from "../facts/with-facts.ts";
import { FORMULA_NAMES } from "./formulas.ts";

/** The output of `calculate`. */
export interface CalculateOutput {
  readonly data: Readonly<{
    value: number;
    unit: Unit;
    currency?: string;
    symbol?: string;
    metric: string;
    formula: string;
    period?: Period;
  }>;
  /** Absent if no fact was used. */
  readonly provenance?: Readonly<{ kind: DataKind; source: string; as_of: string; derived_from: readonly string[] }>;
  /** Says that the value cannot be cited, if it cannot. */
  readonly message?: string;
}

const INPUT = {
  type: "object",
  properties: {
    expression: {
      type: "string",
      description:
        "Fact ids and numbers with + - * / ^ and parentheses, such as (f1.1.1.1 - f1.1.1.2) / f1.1.1.2, or functions: " +
        `${FORMULA_NAMES.join(", ")}. Units are checked.`,
    },
  },
  required: ["expression"],
  additionalProperties: false,
} as const;

/** Defines `calculate`, which reads the facts of the run it is called in. */
export function defineCalculate(): Tool {
  const tool = defineTool<string>({
    name: "calculate",
    description:
      "Calculates with facts of this conversation, by their ids, and checks units. The result is a new fact that can be cited.",
    effect: "read",
    input: {
      jsonSchema: INPUT,
      validate: (args) => {
        const expression = expressionOf(args);
        if (expression !== undefined) return { ok: true, value: expression };
        return { ok: false, issues: [{ path: "expression", message: "must be text such as f1.1.1.1 / f1.1.1.2" }] };
      },
    },
    run: (expression, { state }) => {
      const facts = new Map(factsOfState(state).map((fact) => [fact.id, fact]));
      const result = calculate(expression, (id) => facts.get(id));
      if (!result.ok) throw new ToolError("validation", result.problem);
      return toOutput(result);
    },
  });
  return withFacts<CalculateOutput>(tool, {
    figuresOf: ({ data, provenance }) => {
      if (provenance === undefined) return undefined;
      const { value, unit, symbol = "", metric, formula } = data;
      const figure = { path: "data.value", value, unit, symbol, metric, formula };
      return {
        figures: [{ ...figure, ...omitUndefined({ currency: data.currency, period: data.period }) }],
        origin: provenance,
      };
    },
  });
}

function toOutput(calculated: Calculated): CalculateOutput {
  const { value, unit, currency, metric, formula, uses } = calculated;
  const data = { value, unit, metric, formula, ...omitUndefined({ currency }) };
  const figured = toCalculatedFigure(calculated, "data.value");
  const [figure] = figured?.figures ?? [];
  if (figured === undefined || figure === undefined) {
    return { data, message: `${formula} = ${value}. It uses no fact, so it cannot be cited.` };
  }
  const { as_of, kind, source } = figured.origin;
  const provenance = { as_of, kind, source, derived_from: uses.map(({ id }) => id) };
  return { data: { ...data, symbol: figure.symbol, ...omitUndefined({ period: figure.period }) }, provenance };
}

function expressionOf(args: Json): string | undefined {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return undefined;
  const fields = new Map(Object.entries(args));
  const expression = fields.get("expression");
  return typeof expression === "string" && expression.trim() !== "" && fields.size === 1 ? expression : undefined;
}
