/**
 * Replayed run: what all lanes of a replay share: the log, what it led to, and where the run parts from it.
 */
import { BatonError, type Crew, fold, type Json, type Prompt, type RunEvent, ToolError } from "@baton/core";
import { CallLog, type FinishedCalls, type GuardOf, type RunGuard, RunGuards } from "@baton/core/ports";
import { omitUndefined, hasChanges, withChanges } from "@baton/core/util";
import type { Difference, ReplayedAction } from "./difference.ts";
import { LaneTape } from "./lane-tape.ts";

/** The step that a replay is for, if it is for one, and what makes guards of crews' policies. */
export type ReplayParts = Readonly<{ step?: string; guardOf?: GuardOf }>;

/** State that all lanes of a replay share. */
export class ReplayedRun {
  readonly id: string;
  readonly differences: Difference[] = [];
  /** Actions of lanes that have reached the end of their logs. */
  readonly wants: { readonly lane: string; readonly now: ReplayedAction }[] = [];
  /** Calls that would be made now. */
  readonly calls = new Set<string>();
  /** The step that the replay is for, if it is for one, and what its model was given. */
  readonly step: string | undefined;
  prompt: Prompt | undefined;
  readonly #tapes: Map<string, LaneTape>;
  readonly #changes: readonly RunEvent[];
  readonly #events: readonly RunEvent[];
  readonly #calls = new CallLog();
  readonly #guardOf: GuardOf | undefined;
  /** Guards that have seen the log before a place. */
  #guards: { readonly all: RunGuards; readonly policies: readonly Json[]; before: number } | undefined;

  constructor(id: string, events: readonly RunEvent[], { step, guardOf }: ReplayParts = {}) {
    this.id = id;
    this.step = step;
    this.#guardOf = guardOf;
    this.#events = events;
    this.#changes = events.filter(hasChanges);
    for (const event of events) this.#calls.add(event, event.seq, event.at);
    const lanes = Map.groupBy(events, ({ lane }) => lane);
    this.#tapes = new Map(Array.from(lanes, ([lane, own]) => [lane, new LaneTape(own)]));
  }

  /** Why a crew was cancelled that waited for a message, alone or with the run: that came from outside. */
  reasonOf(lane: string): BatonError | undefined {
    const commands = this.#events.flatMap((event) => (event.type === "command.received" ? event.command : []));
    const own = commands.find((command) => command.type === "cancel" && isWithin(lane, command.lane ?? command.call));
    if (own?.type === "cancel") {
      return new BatonError("cancelled", own.reason ?? "cancelled by command", omitUndefined({ lane: own.lane }));
    }
    const isIt = (event: RunEvent) => event.type === "turn.ended" && `${event.turn}/${event.agent}` === lane;
    const ends = [this.#events.find(({ type }) => type === "run.ended"), this.#events.find(isIt)];
    const errors = ends.flatMap((end) => (end !== undefined && "error" in end ? (end.error ?? []) : []));
    const error = errors.find(({ code }) => code === "cancelled");
    return error && new BatonError("cancelled", error.message, omitUndefined({ lane: error.lane }));
  }

  /** The run's state as it was before a place in the log. */
  values(before: number): ReadonlyMap<string, Json> {
    return withChanges(
      new Map(),
      this.#changes.filter(({ seq }) => seq < before),
    );
  }

  /** The calls that ended before a place in the log. */
  finishedCalls(before: number): FinishedCalls {
    return this.#calls.before(before);
  }

  /** The guards of these policies, which have seen the log before a place. */
  guards(policies: readonly Json[], place: number): readonly RunGuard[] {
    const guardOf = this.#guardOf;
    if (guardOf === undefined) throw new BatonError("invalid", "the crew has policies: a replay needs `guardOf`");
    let known = this.#guards;
    const hasAll = known !== undefined && policies.every((own) => known?.policies.includes(own));
    if (known === undefined || known.before > place || !hasAll) {
      const all = [...new Set([...(known?.policies ?? []), ...policies])];
      known = { all: new RunGuards(all, guardOf), policies: all, before: 1 };
      this.#guards = known;
    }
    for (; known.before < place; known.before++) {
      const event = this.#events[known.before - 1];
      if (event === undefined) break;
      known.all.add(event);
    }
    return known.all.of(policies);
  }

  /** The output of a call. */
  outputOf(call: string): Json | undefined {
    const ended = this.#events.find((event) => event.type === "call.ended" && event.call === call);
    return ended?.type === "call.ended" ? ended.output : undefined;
  }

  /** Text that had been written when the run ended, as the process that ended it read it. */
  get text(): string {
    return fold(this.#events.filter(({ type }) => type !== "run.ended")).text;
  }

  tape(lane: string): LaneTape {
    return this.#tapes.get(lane) ?? new LaneTape([]);
  }

  has(lane: string): boolean {
    return this.#tapes.has(lane);
  }

  /** The first event that the run has not come to. */
  get left(): RunEvent | undefined {
    const events = [...this.#tapes.values()].flatMap(({ left }) => left ?? []);
    return events.toSorted((one, other) => one.seq - other.seq)[0];
  }

  /** The crew with tools that decide as they would, and do nothing. */
  toIdle(crew: Crew): Crew {
    const tools = Array.from(crew.tools, ([name, tool]) => {
      const bind = (prepared: Awaited<ReturnType<typeof tool.prepare>>) =>
        prepared.ok ? { ok: true as const, run: ({ call }: { readonly call: string }) => this.#call(call) } : prepared;
      const prepare: typeof tool.prepare = (args) => {
        const prepared = tool.prepare(args);
        return prepared instanceof Promise ? prepared.then(bind) : bind(prepared);
      };
      const { release: _, ...idle } = tool;
      return [name, { ...idle, prepare }] as const;
    });
    const subCrews = Array.from(crew.subCrews, ([name, sub]) => [name, this.toIdle(sub)] as const);
    return { ...crew, tools: new Map(tools), subCrews: new Map(subCrews) };
  }

  #call(call: string): never {
    this.calls.add(call);
    throw new ToolError("permanent", "nothing is done in a replay");
  }
}

function isWithin(lane: string, other: string | undefined): boolean {
  return other !== undefined && (lane === other || lane.startsWith(`${other}/`));
}
