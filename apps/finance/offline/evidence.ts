/**
 * Evidence: what answers may repeat from results that have no facts: the names of listings, days and times, and what the
 * user said.
 */
import type { Json, Prompt } from "@baton/core";
import { daysIn } from "./results.ts";
import { readTime } from "./topics/others.ts";
import { toView, type View } from "./view.ts";

const DAYS = /\d{4}-\d{2}-\d{2}/g;

/** The days and times of a run's results: of headlines, of the clock, of what there is instead of data. */
export function momentsOf(prompt: Pick<Prompt, "values" | "messages">): readonly string[] {
  const { calls } = toView(prompt);
  return calls.flatMap((call) => {
    const now = call.tool === "getCurrentTime" ? readTime(call) : undefined;
    const clock = now === undefined ? [] : [now.time, now.data_day];
    const days = call.output === undefined ? [] : daysIn(call.output);
    const dated = [...call.quoted.map((line) => line.slice(0, 10)), call.available ?? "", call.as_of ?? ""];
    return [...clock, ...days, ...dated.flatMap((text) => Array.from(text.matchAll(DAYS), ([day]) => day))];
  });
}

/** What each symbol of a run is called; and words with numbers that the user said, and that are only repeated. */
export function namesOf(prompt: Pick<Prompt, "values" | "messages">): ReadonlyMap<string, string> {
  const view = toView(prompt);
  const names = Array.from(view.names, ([symbol, { name }]) => [symbol, name] as const);
  const isOwned = view.calls.some(({ facts }) => facts.some(({ symbol }) => symbol === PORTFOLIO));
  const portfolio = isOwned ? [[PORTFOLIO, "danh mục của bạn"] as const] : [];
  const said = saidIn(view).map((text, index) => [`said ${index}`, text] as const);
  return new Map([...names, ...portfolio, ...said]);
}

/** Forms that are only a number. */
const FORMS: readonly string[] = ["Form 3", "Form 4", "Form 5", "Form 144"];

/** Whose the figures of all holdings together are. */
const PORTFOLIO = "portfolio";

/** Tools whose results repeat what the user said. */
const OWN: ReadonlySet<string> = new Set(
  "saveToMemory recallMemory searchMemory setAlert listAlerts removeAlert setSchedule setHolding importHoldings getPortfolio analyzePortfolio".split(
    " ",
  ),
);
const SAID: readonly string[] = ["text", "ask", "id", "account", "metric"];
/** Numbers of documents. */
const NUMBERED: readonly string[] = ["accession"];
const MAX_SAID = 400;

/** Numbers with the words beside them: of memories, of what is asked at times, of alerts, and of numbers of documents. */
function saidIn(view: View): readonly string[] {
  const texts = [
    ...FORMS,
    ...view.profile,
    ...view.summary,
    ...(view.fired === undefined ? [] : [view.fired]),
    ...view.calls.flatMap(({ tool, output }) =>
      output === undefined ? [] : textsIn(output, OWN.has(tool) ? SAID : NUMBERED),
    ),
  ];
  return [...new Set(texts.flatMap(toSnippets))].slice(0, MAX_SAID);
}

/** Texts of these names in a result, however deep. */
function textsIn(output: Json, names: readonly string[]): readonly string[] {
  const found: string[] = [];
  const open: Json[] = [output];
  for (let value = open.pop(); value !== undefined && found.length < MAX_SAID; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    for (const [name, part] of Object.entries(value)) {
      if (typeof part === "string" && names.includes(name)) found.push(part);
      if (typeof part === "object" && part !== null) open.push(part);
    }
  }
  return found;
}

const MAX_SNIPPET = 50;
const MAX_TEXT = 2_000;

/** A text in parts of whole words, those that have a number; a part is short enough to be found as a name. */
function toSnippets(text: string): readonly string[] {
  const parts: string[] = [];
  for (const word of text.slice(0, MAX_TEXT).split(/\s+/)) {
    const last = parts.at(-1);
    if (last === undefined || last.length + word.length + 1 > MAX_SNIPPET) parts.push(word.slice(0, MAX_SNIPPET));
    else parts[parts.length - 1] = `${last} ${word}`;
  }
  return parts.filter((part) => /\d/.test(part));
}
