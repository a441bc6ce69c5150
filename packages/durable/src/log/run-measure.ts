/**
 * Run measure: how long a run took without its waits, how soon it wrote, and what its models, tools and agents did.
 *
 * It counts along with the tally. What a run counted before is in its record; a call that was under way in a process
 * that has gone counts with no time.
 */
import type { EventBody, EventBodyOf } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { RunRecord } from "@baton/store";
import type { AgentCount, ToolCount } from "@baton/store/ports";

/** The measured fields of a record. */
export type RunMeasurements = Pick<
  RunRecord,
  "activeMs" | "runningSince" | "firstTextMs" | "models" | "tools" | "agents"
>;

/** Names that are counted separately; a crew has fewer models, tools and agents. */
const MAX_NAMES = 200;

/** A call that was denied or stopped is not an error of the tool. */
const NOT_FAILED: ReadonlySet<string | undefined> = new Set(["permission", "cancelled"]);
const NO_TOOL = { calls: 0, errors: 0, ms: 0 } as const;
const NO_AGENT = { turns: 0, errors: 0, tokens: 0, costUsd: 0 } as const;

/** Measures one run. */
export class RunMeasure {
  #activeMs: number | undefined;
  #runningSince: number | undefined;
  #firstTextMs: number | undefined;
  /** Of the last fact. */
  #lastAt: number;
  readonly #models: Set<string>;
  readonly #tools: Map<string, ToolCount>;
  readonly #agents: Map<string, AgentCount>;
  readonly #calls = new Map<string, number>();

  constructor({ activeMs, runningSince, firstTextMs, models = [], tools = [], agents = [], updatedAt }: RunRecord) {
    this.#activeMs = activeMs;
    this.#runningSince = runningSince;
    this.#firstTextMs = firstTextMs;
    this.#lastAt = updatedAt;
    this.#models = new Set(models);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#agents = new Map(agents.map((agent) => [agent.name, agent]));
  }

  /** The measured fields; none of a run whose start was not measured. */
  get measured(): RunMeasurements {
    if (this.#activeMs === undefined) return {};
    return {
      activeMs: this.#activeMs,
      ...omitUndefined({ runningSince: this.#runningSince, firstTextMs: this.#firstTextMs }),
      models: [...this.#models],
      tools: [...this.#tools.values()],
      agents: [...this.#agents.values()],
    };
  }

  /** A piece of text was written. */
  text(at: number): void {
    this.#lastAt = at;
    if (this.#firstTextMs !== undefined || this.#runningSince === undefined || this.#activeMs === undefined) return;
    this.#firstTextMs = this.#activeMs + Math.max(0, at - this.#runningSince);
  }

  /** Takes one fact. */
  add(fact: EventBody, at: number): void {
    this.#turn(fact, at);
    this.#lastAt = at;
    switch (fact.type) {
      case "text.delta":
        return this.text(at);
      case "step.started":
        if (this.#models.size < MAX_NAMES) this.#models.add(fact.model);
        return;
      case "step.ended":
        return this.#endStep(fact, at);
      case "turn.ended":
        return this.#count(fact.agent, { turns: 1, errors: fact.error === undefined ? 0 : 1 });
      case "call.started":
        this.#calls.set(fact.call, at);
        return;
      case "call.ended":
        return this.#endCall(fact, at);
      default:
    }
  }

  #endStep({ agent, text, usage, costUsd = 0 }: EventBodyOf<"step.ended">, at: number): void {
    if (text !== "") this.text(at);
    this.#count(agent, { tokens: usage.inputTokens + usage.outputTokens, costUsd });
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

  /** The run begins, waits, continues or ends. */
  #turn({ type }: EventBody, at: number): void {
    if (type === "run.started") {
      this.#activeMs = 0;
      this.#runningSince = at;
    } else if (type === "run.resumed") {
      // If it did not wait, its process is gone: it ran up to the last thing that it said.
      this.#rest(this.#lastAt);
      if (this.#activeMs !== undefined) this.#runningSince = at;
      for (const call of this.#calls.keys()) this.#calls.set(call, at);
    } else if (type === "run.paused" || type === "run.ended") this.#rest(at);
  }

  #rest(at: number): void {
    if (this.#runningSince === undefined || this.#activeMs === undefined) return;
    this.#activeMs += Math.max(0, at - this.#runningSince);
    this.#runningSince = undefined;
  }
}

/** The time in which a run ran so far, without its waits. */
export function activeMsOf({ activeMs, runningSince, updatedAt }: RunRecord): number | undefined {
  if (activeMs === undefined || runningSince === undefined) return activeMs;
  return activeMs + Math.max(0, updatedAt - runningSince);
}
