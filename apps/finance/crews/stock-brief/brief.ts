/**
 * Brief: the facts of a run as a few lines of text, each figure as a tool found it.
 *
 * Figures of different kinds stand apart, and what is simulated is said to be so in the first sentence.
 */
import { type DataKind, type Fact, toValueText } from "@baton/assistant";

/** The figures of one call that the brief shows: the most important come first. */
const PER_CALL = 4;

const KINDS: readonly (readonly [kind: DataKind, words: string])[] = [
  ["live", "Live"],
  ["delayed", "Delayed"],
  ["real-snapshot", "Real, snapshot"],
  ["real-history", "Real, history"],
  ["synthetic", "Simulated"],
];

/** Renders the facts that were found, or says that there are none. */
export function toBrief(facts: readonly Fact[]): string {
  if (facts.length === 0) return "The tools found no figures, so there is nothing to tell.";
  const symbols = [...new Set(facts.map(({ symbol }) => symbol))];
  const lines = KINDS.flatMap(([kind, words]) =>
    toLines(
      facts.filter((fact) => fact.kind === kind),
      words,
    ),
  );
  return [toOpening(facts, symbols), "", ...lines, "", "Not investment advice."].join("\n");
}

function toOpening(facts: readonly Fact[], symbols: readonly string[]): string {
  const days = facts.map(({ as_of }) => as_of.slice(0, 10)).toSorted();
  const count = facts.filter(({ kind }) => kind === "synthetic").length;
  const share = count === facts.length ? "all figures come" : "the figures under Simulated come";
  const warning = count === 0 ? "" : `; ${share} from a simulated price path, not from the market`;
  return `**${symbols.join(", ")}**, as of ${days.at(-1)}${warning}.`;
}

/** A line a call, under the words. */
function toLines(facts: readonly Fact[], words: string): readonly string[] {
  const calls = new Map<string, Fact[]>();
  for (const fact of facts) calls.set(fact.call, [...(calls.get(fact.call) ?? []), fact]);
  return [...calls.values()].map((found) => `- ${words}: ${found.slice(0, PER_CALL).map(toFigure).join(" · ")}`);
}

function toFigure(fact: Fact): string {
  const { metric, period } = fact;
  const when = period === undefined ? "" : ` (${period.label ?? toSpan(period)})`;
  return `${metric} ${toValueText(fact)}${when}`;
}

const toSpan = ({ start, end }: NonNullable<Fact["period"]>): string =>
  start === undefined ? end : `${start} to ${end}`;
