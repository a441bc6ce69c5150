/**
 * Tally: what is known of a run without its log, kept up with every event of it.
 *
 * Reads: database. Read by: stored-log, works.
 */
import type { Fact, RunEvent } from "@baton/core";
import type { RunRecord } from "./database.ts";

type Draft = { -readonly [Key in keyof RunRecord]: RunRecord[Key] };

const NOTHING = { agent: "", turns: 0, steps: 0, calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 } as const;

/** A run's record by its log: what is stored of it may be older, for it is written only at starts, pauses and ends. */
export function recount(record: RunRecord, events: readonly RunEvent[]): RunRecord {
  const tally = new Tally({ ...record, ...NOTHING, questions: [] }, { isNew: false });
  for (const event of events) tally.add(event, event.lane, event.at);
  return tally.record;
}

/** Counts along; `isChanged` says whether the record is worth writing now. */
export class Tally {
  readonly #draft: Draft;
  readonly #questions: Set<string>;
  isChanged: boolean;

  constructor(record: RunRecord, { isNew }: { readonly isNew: boolean }) {
    this.#draft = { ...record };
    this.#questions = new Set(record.questions);
    this.isChanged = isNew;
  }

  get record(): RunRecord {
    return { ...this.#draft, questions: [...this.#questions] };
  }

  /** Takes one fact of the run's own line or of a member's lane. */
  add(fact: Fact, lane: string, at: number): void {
    const draft = this.#draft;
    draft.updatedAt = at;
    switch (fact.type) {
      case "turn.started":
        draft.turns++;
        if (lane === "") draft.agent = fact.agent;
        return;
      case "step.ended":
        draft.steps++;
        draft.inputTokens += fact.usage.inputTokens;
        draft.outputTokens += fact.usage.outputTokens;
        draft.costUsd += fact.costUsd ?? 0;
        return;
      case "call.ended":
        draft.calls++;
        return;
      case "question.opened":
        this.#questions.add(fact.question);
        return;
      case "question.answered":
      case "question.closed":
        this.#questions.delete(fact.question);
        return;
      case "run.started":
        // From here on the log knows what was asked for.
        draft.request = null;
        draft.status = "running";
        this.isChanged = true;
        return;
      case "run.resumed":
        draft.status = "running";
        delete draft.outcome;
        this.isChanged = true;
        return;
      case "run.paused":
        draft.status = "paused";
        draft.outcome = "paused";
        this.isChanged = true;
        return;
      case "run.ended":
        draft.status = "ended";
        draft.outcome = fact.outcome;
        if (fact.error !== undefined) draft.error = fact.error;
        this.isChanged = true;
        return;
      default:
    }
  }
}
