/**
 * Run record builder: updates the record of a run with every event of its log: its status, what it used, how long it took
 * without its waits, and what its models, tools and agents did.
 *
 * A call that was under way in a process that has gone counts with no time. One thing is known only here: whether the run was
 * left in good order.
 */
import type { RunEvent } from "@baton/core";
import type { EventBody, EventBodyOf } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { RunRecord } from "@baton/store";
import { type AgentCount, NO_COUNTS, type ToolCount } from "@baton/store/ports";

type Draft = { -readonly [Key in keyof RunRecord]: RunRecord[Key] };

/** Names that are counted separately; a crew has fewer models, tools and agents. */
const MAX_NAMES = 200;

/** A call that was denied or stopped is not an error of the tool. */
const NOT_FAILED: ReadonlySet<string | undefined> = new Set(["permission", "cancelled"]);
const NO_TOOL = { calls: 0, errors: 0, ms: 0 } as const;
const NO_AGENT = { turns: 0, errors: 0, tokens: 0, costUsd: 0 } as const;

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

/** The time in which a run ran so far, without its waits. */
export function activeMsOf({ activeMs, runningSince, updatedAt }: RunRecord): number | undefined {
  if (activeMs === undefined || runningSince === undefined) return activeMs;
  return activeMs + Math.max(0, updatedAt - runningSince);
}

/** Counts along; `isChanged` says whether the record is worth writing now. */
export class RunRecordBuilder {
  readonly #draft: Draft;
  readonly #questions: Set<string>;
  readonly #models: Set<string>;
  readonly #tools: Map<string, ToolCount>;
  readonly #agents: Map<string, AgentCount>;
  /** Calls that are under way, and when they began. */
  readonly #calls = new Map<string, number>();
  /** Time of the last fact. */
  #lastAt: number;
  isChanged: boolean;
  /** As it was last asked for. */
  #record: RunRecord | undefined;

  constructor(record: RunRecord, { isNew }: { readonly isNew: boolean }) {
    const { questions, models = [], tools = [], agents = [], updatedAt } = record;
    this.#draft = { ...record };
    this.#questions = new Set(questions);
    this.#models = new Set(models);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#agents = new Map(agents.map((agent) => [agent.name, agent]));
    this.#lastAt = updatedAt;
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
    const { activeMs, runningSince, firstTextMs } = this.#draft;
    this.#record = undefined;
    this.#lastAt = at;
    if (firstTextMs !== undefined || runningSince === undefined || activeMs === undefined) return;
    this.#draft.firstTextMs = activeMs + Math.max(0, at - runningSince);
  }

  /** Takes one fact of the run's own line or of a member's lane. */
  add(fact: EventBody, lane: string, at: number): void {
    const draft = this.#draft;
    this.#record = undefined;
    draft.updatedAt = at;
    switch (fact.type) {
      case "turn.started":
        draft.turns++;
        if (lane === "") draft.agent = fact.agent;
        break;
      case "turn.ended":
        this.#count(fact.agent, { turns: 1, errors: fact.error === undefined ? 0 : 1 });
        break;
      case "text.delta":
        this.text(at);
        break;
      case "step.started":
        if (this.#models.size < MAX_NAMES) this.#models.add(fact.model);
        break;
      case "step.ended":
        this.#endStep(fact, at);
        break;
      case "call.started":
        this.#calls.set(fact.call, at);
        break;
      case "call.ended":
        draft.calls++;
        this.#endCall(fact, at);
        this.leave();
        break;
      case "question.opened":
        this.#questions.add(fact.question);
        break;
      case "question.answered":
      case "question.closed":
        this.#questions.delete(fact.question);
        break;
      default:
        this.#turn(fact, at);
    }
    this.#lastAt = at;
  }

  #endStep({ agent, text, usage, costUsd = 0 }: EventBodyOf<"step.ended">, at: number): void {
    const draft = this.#draft;
    draft.steps++;
    draft.inputTokens += usage.inputTokens;
    draft.outputTokens += usage.outputTokens;
    draft.cachedTokens = (draft.cachedTokens ?? 0) + (usage.cachedTokens ?? 0);
    draft.cacheWriteTokens = (draft.cacheWriteTokens ?? 0) + (usage.cacheWriteTokens ?? 0);
    draft.costUsd += costUsd;
    if (text !== "") this.text(at);
    this.#count(agent, { tokens: usage.inputTokens + usage.outputTokens, costUsd });
    this.leave();
  }

  #count(name: string, more: Partial<AgentCount>): void {
    const { turns, errors, tokens, costUsd } = this.#agents.get(name) ?? NO_AGENT;
    if (!this.#agents.has(name) && this.#agents.size >= MAX_NAMES) return;
    this.#agents.set(name, {
      name,
      turns: turns + (more.turns ?? 0),
      errors: errors + (more.errors ?? 0),
      tokens: tokens + (more.tokens ?? 0),
      costUsd: costUsd + (more.costUsd ?? 0),
    });
  }

  #endCall({ call, tool: name, error }: EventBodyOf<"call.ended">, at: number): void {
    const begun = this.#calls.get(call) ?? at;
    this.#calls.delete(call);
    const { calls, errors, ms } = this.#tools.get(name) ?? NO_TOOL;
    if (!this.#tools.has(name) && this.#tools.size >= MAX_NAMES) return;
    const failed = error === undefined || NOT_FAILED.has(error.kind) ? 0 : 1;
    this.#tools.set(name, { name, calls: calls + 1, errors: errors + failed, ms: ms + Math.max(0, at - begun) });
  }

  /** Takes a fact of the whole run: it begins, waits, continues or ends, and that is worth writing. */
  #turn(fact: EventBody, at: number): void {
    const draft = this.#draft;
    switch (fact.type) {
      case "run.started":
        // From here on the log knows what was asked for.
        draft.request = null;
        draft.status = "running";
        draft.activeMs = 0;
        draft.runningSince = at;
        break;
      case "run.resumed":
        delete draft.interrupted;
        // It was not paused, so its process has crashed: it ran up to the last thing that it said.
        if (draft.status === "running") draft.recoveries = (draft.recoveries ?? 0) + 1;
        else delete draft.recoveries;
        this.#rest(this.#lastAt);
        if (draft.activeMs !== undefined) draft.runningSince = at;
        for (const call of this.#calls.keys()) this.#calls.set(call, at);
        draft.status = "running";
        delete draft.outcome;
        break;
      case "run.paused":
        this.#rest(at);
        draft.status = "paused";
        draft.outcome = "paused";
        break;
      case "run.ended":
        this.#rest(at);
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

  #rest(at: number): void {
    const { activeMs, runningSince } = this.#draft;
    if (runningSince === undefined || activeMs === undefined) return;
    this.#draft.activeMs = activeMs + Math.max(0, at - runningSince);
    delete this.#draft.runningSince;
  }

  /** A run whose start was not measured has no measurements. */
  #toRecord(): RunRecord {
    const record = { ...this.#draft, questions: [...this.#questions] };
    if (record.activeMs === undefined) return record;
    record.models = [...this.#models];
    record.tools = [...this.#tools.values()];
    record.agents = [...this.#agents.values()];
    return record;
  }
}
