/**
 * Evidence: what answers may repeat from results that have no facts: the names of listings, and days and times.
 */
import type { Prompt } from "@baton/core";
import { readTime } from "./topics/others.ts";
import { toView } from "./view.ts";

const DAYS = /\d{4}-\d{2}-\d{2}/g;

/** The days and times of a run's results: of headlines, of the clock, of what there is instead of data. */
export function momentsOf(prompt: Pick<Prompt, "values" | "messages">): readonly string[] {
  const { calls } = toView(prompt);
  return calls.flatMap((call) => {
    const now = call.tool === "getCurrentTime" ? readTime(call) : undefined;
    const clock = now === undefined ? [] : [now.time, now.data_day];
    const dated = [...call.quoted.map((line) => line.slice(0, 10)), call.available ?? "", call.as_of ?? ""];
    return [...clock, ...dated.flatMap((text) => Array.from(text.matchAll(DAYS), ([day]) => day))];
  });
}

/** What each symbol of a run is called. */
export function namesOf(prompt: Pick<Prompt, "values" | "messages">): ReadonlyMap<string, string> {
  return new Map(Array.from(toView(prompt).names, ([symbol, { name }]) => [symbol, name]));
}
