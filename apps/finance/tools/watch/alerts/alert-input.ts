/**
 * Alert input: what can be asked of an alert, checked by its kind before anything is looked up.
 */
import { z } from "zod";
import { AnySymbol } from "../../frame/arguments.ts";
import { ALERT_KINDS, type AlertKind } from "./alert.ts";

/** Below it, percent was most likely meant as a fraction. */
const LEAST_PERCENT = 0.5;
const MOST_PERCENT = 1_000;

/** The arguments of a new alert. */
export const ALERT_INPUT = z
  .strictObject({
    symbol: AnySymbol,
    kind: z
      .enum(ALERT_KINDS)
      .describe(
        "A level without a side is price_crosses. percent_move: it moves by value percent. rsi_above, " +
          "rsi_below: RSI(14) crosses value. filing: a new filing with the SEC. earnings: a report within days_before",
      ),
    value: z
      .number()
      .optional()
      .describe(
        "Price in the currency of the listing, percent (5 means 5 %; negative: only down), or RSI from 0 to 100",
      ),
    direction: z.enum(["any", "up", "down"]).default("any").describe("Of percent_move; default any"),
    since: z
      .enum(["set", "day"])
      .default("set")
      .describe(
        "What percent_move is measured from: the price now (set) or the close of the day before (day); default set",
      ),
    forms: z
      .array(z.string().trim().min(1).max(20))
      .min(1)
      .max(10)
      .default(["8-K", "4"])
      .describe("Of filing: forms of the SEC such as 8-K, 4, 10-Q; default 8-K and 4"),
    days_before: z.int().min(0).max(60).default(7).describe("Of earnings: so many days before the report; default 7"),
    repeat: z.boolean().default(false).describe("Whether it stays after it has fired; default false"),
  })
  .superRefine((input, context) => {
    const problem = findProblem(input);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem, path: ["value"] });
  });

/** The arguments that models are shown. */
export const ALERT_OFFERED = z.object({
  symbol: AnySymbol,
  kind: z.enum(ALERT_KINDS).describe("A level without a side is price_crosses"),
  value: z.number().optional().describe("Price, RSI, or percent (5 is 5 %; negative: only down)"),
  direction: z.enum(["any", "up", "down"]).optional().describe("Of percent_move"),
  since: z
    .enum(["set", "day"])
    .optional()
    .describe("Of percent_move: day is within one day; default from the price now"),
  repeat: z.boolean().optional(),
});

export type AlertInput = z.output<typeof ALERT_INPUT>;

type Valued = Readonly<{ kind: AlertKind; value?: number | undefined; direction: "any" | "up" | "down" }>;

/** Finds the problem with the value of an alert of a kind. */
function findProblem({ kind, value, direction }: Valued): string | undefined {
  switch (kind) {
    case "price_above":
    case "price_below":
    case "price_crosses":
      if (value === undefined) return `${kind} needs a value: the price to cross`;
      return value > 0 ? undefined : `a price is above 0; ${value} is not`;
    case "rsi_above":
    case "rsi_below":
      if (value === undefined)
        return `${kind} needs a value: the RSI to cross, such as ${kind === "rsi_above" ? 70 : 30}`;
      return value > 0 && value < 100 ? undefined : `RSI is between 0 and 100; ${value} cannot be crossed`;
    case "percent_move":
      return findPercentProblem(value, direction);
    case "filing":
    case "earnings":
      return value === undefined ? undefined : `an alert of kind ${kind} has no value`;
  }
}

function findPercentProblem(value: number | undefined, direction: Valued["direction"]): string | undefined {
  if (value === undefined) return "percent_move needs a value: the percent to move by, such as 5";
  if (value === 0) return "a move of 0 percent is always reached";
  if (Math.abs(value) < LEAST_PERCENT)
    return `${value} means ${value} %, less than ${LEAST_PERCENT} %: write 5 for 5 %`;
  if (Math.abs(value) > MOST_PERCENT) return `${value} % is more than ${MOST_PERCENT} %`;
  if (value < 0 && direction === "up") return `${value} % is a move down, but direction is up`;
  const isDown = value < 0 || direction === "down";
  return isDown && Math.abs(value) >= 100 ? `nothing falls by ${Math.abs(value)} %` : undefined;
}
