/**
 * Assistant meter: counts the questions, answers, plans, cached results and sources of an assistant, so that `/metrics` has
 * them.
 *
 * Counts are of live work in this process: a recorded step or call is not counted again by a recovery or a replay.
 */

/** Every counter by its name in `/metrics`, without `baton_` and `_total`: its labels and its meaning. */
export const ASSISTANT_COUNTERS = [
  {
    name: "assistant_questions",
    labels: ["query_type", "complexity"],
    help: "Questions that were understood, by what they ask for and how they are answered.",
  },
  { name: "assistant_answers", labels: [], help: "Answers whose figures were checked." },
  {
    name: "assistant_turn_limit",
    labels: [],
    help: "Answers that an agent had to give without tools because it reached its limit of turns.",
  },
  { name: "assistant_figures", labels: [], help: "Figures in answers." },
  { name: "assistant_unverified_figures", labels: [], help: "Figures in answers that no fact backs." },
  {
    name: "assistant_plans",
    labels: ["outcome"],
    help: "Plans that ended: completed, partial (a task failed or was skipped), failed (no task succeeded) or invalid.",
  },
  {
    name: "assistant_stale_results",
    labels: [],
    help: "Tool results that were used after their time, because fetching failed.",
  },
  { name: "assistant_no_data_results", labels: [], help: "Tool results that say that there is no data." },
  {
    name: "tool_cache",
    labels: ["tool", "result"],
    help: "Calls of tools with a cache: hit, miss, or coalesced with an equal call under way.",
  },
] as const;

type Counter = (typeof ASSISTANT_COUNTERS)[number];

/** The name of a counter. */
export type AssistantCounter = Counter["name"];

type CounterLabels<C extends AssistantCounter> = Readonly<
  Record<Extract<Counter, { readonly name: C }>["labels"][number], string>
>;

/** One source of an assistant's data, as it is now. */
export interface SourceReading {
  readonly name: string;
  readonly isBreakerOpen: boolean;
  /** Number of times it was asked, by how that ended: `ok` or the kind of failure. */
  readonly requests: ReadonlyMap<string, number>;
}

/** A count, and the labels that it is of. */
export type LabelledCount = readonly [labels: Readonly<Record<string, string>>, count: number];

/** The counts of one assistant: give the same meter to its parts and to `defineAssistant`. */
export class AssistantMeter {
  readonly #counts = new Map<AssistantCounter, Map<string, LabelledCount>>();
  #readSources: () => readonly SourceReading[] = () => [];

  /** Adds to a counter. */
  add<C extends AssistantCounter>(counter: C, labels: CounterLabels<C>, by = 1): void {
    const counts = this.#counts.get(counter) ?? new Map<string, LabelledCount>();
    this.#counts.set(counter, counts);
    const key = JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const [first, count] = counts.get(key) ?? [labels, 0];
    counts.set(key, [first, count + by]);
  }

  /** Sets the reader of the data sources, once they are open. */
  watchSources(read: () => readonly SourceReading[]): void {
    this.#readSources = read;
  }

  /** Returns the data sources as they are now. */
  sources(): readonly SourceReading[] {
    return this.#readSources();
  }

  /** Returns a counter's counts, one for each combination of labels. */
  read(counter: AssistantCounter): readonly LabelledCount[] {
    return [...(this.#counts.get(counter)?.values() ?? [])];
  }

  /** Returns the sum of a counter over all labels. */
  total(counter: AssistantCounter): number {
    return this.read(counter).reduce((sum, [, count]) => sum + count, 0);
  }
}
