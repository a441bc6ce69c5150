/**
 * Assistant meter: counts the answers of an assistant, so that `/metrics` has them.
 *
 * Counts are of live work in this process: a recorded step or call is not counted again by a recovery or a replay.
 */

/** The names of the counts. */
export const ASSISTANT_COUNT_NAMES = [
  "answers",
  "turn_limits",
  "figures",
  "unverified_figures",
  "cached_results",
  "fetched_results",
  "stale_results",
  "no_data_results",
] as const;

/** The name of a count. */
export type AssistantCount = (typeof ASSISTANT_COUNT_NAMES)[number];

/** The meaning of each count. */
export const ASSISTANT_COUNTS: Readonly<Record<AssistantCount, string>> = {
  answers: "Answers whose figures were checked.",
  turn_limits: "Answers that an agent had to give without tools because it reached its limit of turns.",
  figures: "Figures in answers.",
  unverified_figures: "Figures in answers that no fact backs.",
  cached_results: "Tool results that came from the cache.",
  fetched_results: "Tool results that were fetched because the cache had none.",
  stale_results: "Tool results that were used after their time, because fetching failed.",
  no_data_results: "Tool results that say that there is no data.",
};

/** One source of an assistant's data, as it is now. */
export interface SourceReading {
  readonly name: string;
  /** Whether it may be asked: it is on, and its breaker is not open. */
  readonly isUp: boolean;
  readonly requestsToday: number;
}

/** The counts of one assistant: give the same meter to `withCache`, `withFigures` and `defineAssistant`. */
export class AssistantMeter {
  readonly #counts = new Map<AssistantCount, number>();
  #readSources: () => readonly SourceReading[] = () => [];

  /** Adds to a count. */
  add(name: AssistantCount, by = 1): void {
    this.#counts.set(name, this.read(name) + by);
  }

  /** Sets the reader of the data sources, once they are open. */
  watchSources(read: () => readonly SourceReading[]): void {
    this.#readSources = read;
  }

  /** Returns the data sources as they are now. */
  sources(): readonly SourceReading[] {
    return this.#readSources();
  }

  /** Returns a count. */
  read(name: AssistantCount): number {
    return this.#counts.get(name) ?? 0;
  }
}
