/**
 * Results: whole outputs of a run's calls, read from its log: those whose words and rows an answer shows beside their
 * figures.
 *
 * Their figures are cited by the place they stand at; every text in them is data.
 */
import type { Fact } from "@baton/assistant";
import type { Json, Model, Prompt } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { z } from "zod";
import type { QuestionLanguage } from "../intent/intent.ts";
import { metricName, toTitle } from "./words/metric-names.ts";

const PREFIX = "results/";
const MAX_CHARS = 200_000;

/** Tools whose answers need more than figures. */
const KEPT: ReadonlySet<string> = new Set(
  `saveToMemory recallMemory searchMemory getPortfolio setHolding importHoldings analyzePortfolio getPortfolioEvents setWatchlist
   setAlert listAlerts removeAlert setSchedule getFilings readFilingSection searchFilings getInsiderTrades getInstitutionalHoldings getRates
   getEconomicSeries convertCurrency compareSources`.split(/\s+/),
);

const RESULT = z.object({ tool: z.string(), args: z.json(), output: z.json() });

/** A result that was kept. */
export type KeptResult = z.output<typeof RESULT> & Readonly<{ call: string }>;

/** The model, whose prompt has the results that answers show beside the values of the run's state. */
export function withResults(model: Model): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      const values = new Map([...prompt.values, ...(await readResults(prompt))]);
      yield* model.stream({ ...prompt, values }, scope);
    },
  };
}

async function readResults({ calls, outputOf }: Prompt): Promise<readonly (readonly [string, Json])[]> {
  const shown = calls.filter(({ ok, tool }) => ok && KEPT.has(tool));
  const read = shown.map(async ({ call, tool, args }): Promise<readonly (readonly [string, Json])[]> => {
    const output = await outputOf(call);
    const isShort = output !== undefined && JSON.stringify(output).length <= MAX_CHARS;
    return isShort ? [[`${PREFIX}${call}`, { tool, args, output }]] : [];
  });
  return (await Promise.all(read)).flat();
}

/** The results of a prompt, in the order of their calls. */
export function keptOf(values: ReadonlyMap<string, Json>): readonly KeptResult[] {
  return [...values].flatMap(([key, value]) => {
    const { data } = key.startsWith(PREFIX) ? RESULT.safeParse(value) : {};
    return data === undefined ? [] : [{ ...data, call: key.slice(PREFIX.length) }];
  });
}

/** A call with its whole result. */
export type WithOutput = Readonly<{ output?: Json | undefined; facts: readonly Fact[] }>;

/** What a result says under `data`, if it has the shape. */
export function dataOf<T>({ output }: WithOutput, schema: z.ZodType<T>): T | undefined {
  return schema.safeParse(output === undefined ? undefined : lookInto(output, "data")).data;
}

/** The figure at a place of a result as it is cited; a dash if there is none. */
export function ref({ facts }: WithOutput, path: string): string {
  const fact = facts.find((one) => one.path === path);
  return fact === undefined ? "–" : `{${fact.id}}`;
}

/** The figure at a place with what it measures before it; empty if there is none. */
export function told({ facts }: WithOutput, path: string, language: QuestionLanguage): string {
  const fact = facts.find((one) => one.path === path);
  return fact === undefined ? "" : `${metricName(fact.metric, language)} {${fact.id}}`;
}

/** What the figures at these places measure, as the head of their column; the words if there is none. */
export function headOf({ facts }: WithOutput, isColumn: (path: string) => boolean, language: QuestionLanguage): string {
  const fact = facts.find(({ path }) => isColumn(path));
  return fact === undefined ? "–" : toTitle(metricName(fact.metric, language));
}

/** Whether there is a figure at a place. */
export const hasRef = ({ facts }: WithOutput, path: string): boolean => facts.some((one) => one.path === path);

/** The figures at these places. */
export function factsAt({ facts }: WithOutput, isShown: (path: string) => boolean): readonly Fact[] {
  return facts.filter(({ path }) => isShown(path));
}

const DAY = /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?/g;
const MAX_DAYS = 400;

/** The days and times that a result has. */
export function daysIn(output: Json): readonly string[] {
  const text = JSON.stringify(output).slice(0, MAX_CHARS);
  return [...new Set(Array.from(text.matchAll(DAY), ([day]) => day))].slice(0, MAX_DAYS);
}
