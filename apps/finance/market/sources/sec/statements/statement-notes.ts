/**
 * Statement notes: what a reader of rows from company facts must know: that the last filing counts, which periods were
 * restated, which were computed, and whether a newer filing is not yet among the facts.
 */
import type { StatedRow } from "./company-statements.ts";
import { isForm, type Submission } from "../submissions.ts";

const MAX_SHOWN = 4;
const PERIODIC: readonly string[] = ["10-K", "10-Q", "20-F", "40-F"];
const SLACK_MS = 7 * 86_400_000;

/** One note on all rows. */
export function toNote(rows: readonly StatedRow[], lag: string | undefined): string {
  return [
    "values as filed last; fiscal periods are named as the company counts them, see their ends",
    toRestated(rows),
    toDerived(rows),
    lag,
  ]
    .filter((part) => part !== undefined)
    .join("; ");
}

function toRestated(rows: readonly StatedRow[]): string | undefined {
  const texts = rows.flatMap(({ row, restated }) => {
    const [newest] = restated.toSorted((a, b) => (a.filed < b.filed ? 1 : -1));
    if (newest === undefined) return [];
    const lines = [...new Set(restated.map(({ line }) => line))].filter((line) => !line.startsWith("#"));
    const shown = lines.slice(0, MAX_SHOWN).join(", ");
    const more = lines.length > MAX_SHOWN ? " …" : "";
    return [`${row.label} (${shown}${more}; latest ${newest.form} of ${newest.filed})`];
  });
  return texts.length === 0 ? undefined : `restated since first filed: ${join(texts)}`;
}

/** Rows that no filing reports, and those of which some lines are not reported. */
function toDerived(rows: readonly StatedRow[]): string | undefined {
  const derived = rows.map(({ row }) => row).filter((row) => row.derived !== undefined);
  const whole = derived.filter((row) => row.derived?.includes(":") === false);
  const partly = derived.filter((row) => row.derived?.includes(":") === true).map(({ label }) => label);
  const texts = whole.map((row) => `${row.label} = ${row.derived ?? ""}`);
  const parts = [
    texts.length === 0 ? undefined : `derived, not reported: ${join(texts)}`,
    partly.length === 0 ? undefined : `some lines are differences of years to date: ${join(partly)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join("; ");
}

const join = (texts: readonly string[]): string =>
  texts.length <= MAX_SHOWN
    ? texts.join("; ")
    : `${texts.slice(0, MAX_SHOWN).join("; ")} and ${texts.length - MAX_SHOWN} more`;

/** Names the filings that are not yet among the facts whose newest period ends on a day. */
export function toLag(recent: readonly Submission[], newestEnd: string | undefined): string | undefined {
  const newest = recent
    .filter(({ form, reportDay }) => isForm(form, PERIODIC) && !form.endsWith("/A") && reportDay !== undefined)
    .toSorted((a, b) => ((a.reportDay ?? "") < (b.reportDay ?? "") ? 1 : -1))[0];
  if (newest?.reportDay === undefined || newestEnd === undefined) return undefined;
  // The end of a period is written with a few days' difference at times.
  if (Date.parse(newest.reportDay) - Date.parse(newestEnd) <= SLACK_MS) return undefined;
  const { form, reportDay, filed, accession } = newest;
  return `the ${form} for ${reportDay} (filed ${filed}, ${accession}) is not yet among the SEC's company facts`;
}
