/**
 * Run record builder: updates the record of a run with every event of its log.
 *
 * One thing is known only here: whether the run was left in good order.
 */
import type { RunEvent } from "@baton/core";
import type { EventBody } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { RunRecord } from "@baton/store";
import { NO_COUNTS } from "@baton/store/ports";
import { RunMeasure } from "./run-measure.ts";

type Draft = { -readonly [Key in keyof RunRecord]: RunRecord[Key] };

/** A run's record by its log: what is stored of it may be older, for it is written only at starts, pauses and ends. */
export function rebuildRecord(record: RunRecord, events: readonly RunEvent[]): RunRecord {
  const { recoveries: stored = 0, activeMs: _ms, runningSince: _since, firstTextMs: _text, ...rest } = record;
  const builder = new RunRecordBuilder(
    { ...rest, ...NO_COUNTS, models: [], tools: [], agents: [], questions: [] },
    { isNew: false },
  );
  for (const event of events) builder.add(event, event.lane, event.at);
  const { recoveries: logged = 0, ...now } = builder.record;
  // The log knows what was finished since, the record when it was left in good order.
  const recoveries = Math.min(stored, logged) || undefined;
  return { ...now, ...omitUndefined({ recoveries }) };
}

/** Counts along; `isChanged` says whether the record is worth writing now. */
export class RunRecordBuilder {
  readonly #draft: Draft;
  readonly #questions: Set<string>;
  readonly #measure: RunMeasure;
  isChanged: boolean;
  /** As it was last asked for. */
  #record: RunRecord | undefined;

  constructor(record: RunRecord, { isNew }: { readonly isNew: boolean }) {
    this.#draft = { ...record };
    this.#questions = new Set(record.questions);
    this.#measure = new RunMeasure(record);
    this.isChanged = isNew;
  }

  get record(): RunRecord {
    return (this.#record ??= this.#toRecord());
  }

  /** The run is left in good order: its recovery was no sign of trouble. */
  leave(): void {
    if (this.#draft.recoveries === undefined) return;
    delete this.#draft.recoveries;
    this.#record = undefined;
    this.isChanged = true;
  }

  /** A piece of text was written. */
  text(at: number): void {
    this.#record = undefined;
    this.#measure.text(at);
  }

  /** Takes one fact of the run's own line or of a member's lane. */
  add(fact: EventBody, lane: string, at: number): void {
    const draft = this.#draft;
    this.#record = undefined;
    this.#measure.add(fact, at);
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
        draft.cachedTokens = (draft.cachedTokens ?? 0) + (fact.usage.cachedTokens ?? 0);
        draft.cacheWriteTokens = (draft.cacheWriteTokens ?? 0) + (fact.usage.cacheWriteTokens ?? 0);
        draft.costUsd += fact.costUsd ?? 0;
        this.leave();
        return;
      case "call.ended":
        draft.calls++;
        this.leave();
        return;
      case "question.opened":
        this.#questions.add(fact.question);
        return;
      case "question.answered":
      case "question.closed":
        this.#questions.delete(fact.question);
        return;
      default:
        this.#turn(fact);
    }
  }

  /** Takes a fact of the whole run: it begins, waits, continues or ends, and that is worth writing. */
  #turn(fact: EventBody): void {
    const draft = this.#draft;
    switch (fact.type) {
      case "run.started":
        // From here on the log knows what was asked for.
        draft.request = null;
        draft.status = "running";
        break;
      case "run.resumed":
        delete draft.interrupted;
        // It was not paused, so its process has crashed.
        if (draft.status === "running") draft.recoveries = (draft.recoveries ?? 0) + 1;
        else delete draft.recoveries;
        draft.status = "running";
        delete draft.outcome;
        break;
      case "run.paused":
        draft.status = "paused";
        draft.outcome = "paused";
        break;
      case "run.ended":
        draft.status = "ended";
        draft.outcome = fact.outcome;
        if (fact.error !== undefined) draft.error = fact.error;
        delete draft.recoveries;
        break;
      default:
        return;
    }
    this.isChanged = true;
  }

  #toRecord(): RunRecord {
    const { activeMs: _ms, runningSince: _since, firstTextMs: _text, ...draft } = this.#draft;
    return { ...draft, ...this.#measure.measured, questions: [...this.#questions] };
  }
}
