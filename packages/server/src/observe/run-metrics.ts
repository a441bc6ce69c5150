/**
 * Run metrics: counts what happens in runs, from their committed events and nothing else.
 *
 * A piece of text costs one look-up once the first is counted. What began before the run's last pause is timed from
 * its resume on; what belongs to a run nobody has seen begin is counted and not timed.
 */
import type { Agent, Command, Crew, Json, Receipt, RunEvent } from "@baton/core";
import type { EventBodyOf, Usage } from "@baton/core/ports";
import { lookInto } from "@baton/core/util";
import type { Registry } from "prom-client";
import { closedLabel, openLabel, type ToLabel } from "./label.ts";
import { defineRunMeters } from "./meters.ts";
import { type OpenWork, type ObservedRun, secondsSince } from "./open-runs.ts";
import { toProvider } from "./provider.ts";
import { EMPTY_ENTRY, type WorkStatus, UsageCounts, type UsageCount, workStatusOf } from "./usage-counts.ts";

/** Agents, tools or crews that have a value of their own. */
const MAX_NAMES = 200;
const MAX_PROVIDERS = 32;
const MAX_LIMITS = 32;
/** The limit that ends a run which took too long. */
const TIME_LIMIT = "timeout_seconds";

type Seen<Type extends RunEvent["type"]> = RunEvent & EventBodyOf<Type>;

type Entries = Readonly<Record<string, UsageCount>>;

/** Runs, agents and tools as the JSON form has them; a run counts from a start or resume to its next pause or end. */
export interface RunUsageCounts {
  readonly runs: UsageCount & { readonly crews: Entries };
  readonly agents: Readonly<Record<string, UsageCount & { readonly tools: Entries }>>;
  readonly tools: Entries;
}

/** The metrics of one server's runs. */
export class RunMetrics {
  readonly #runs = new UsageCounts();
  readonly #agents = new UsageCounts();
  readonly #tools = new UsageCounts();
  /** By agent. */
  readonly #toolsOf = new Map<string, UsageCounts>();
  readonly #meters: ReturnType<typeof defineRunMeters>;
  readonly #toAgent: ToLabel;
  readonly #toTool: ToLabel;
  readonly #toCrew: ToLabel;
  readonly #toLimit = openLabel(MAX_LIMITS);
  readonly #toProvider = openLabel(MAX_PROVIDERS);

  constructor(registry: Registry, crews: readonly Crew[]) {
    this.#meters = defineRunMeters(registry);
    const all = crews.flatMap((crew) => [...withInner(crew)]);
    this.#toCrew = closedLabel(
      all.map(({ name }) => name),
      MAX_NAMES,
    );
    // A sub-crew has turns, as agents do.
    this.#toAgent = closedLabel(
      all.flatMap(({ agents, subCrews }) => [...agents.keys(), ...subCrews.keys()]),
      MAX_NAMES,
    );
    // Agents and crews are called as tools by their names there.
    this.#toTool = closedLabel(
      all.flatMap(({ tools, agents }) => [...tools.keys(), ...agents.values().flatMap(toChildNames)]),
      MAX_NAMES,
    );
  }

  /** Counts one event. */
  observe(event: RunEvent, run: ObservedRun | undefined): void {
    const meters = this.#meters;
    switch (event.type) {
      case "text.delta":
        return run?.isQuiet === true ? this.#countFirst(event, run) : undefined;
      case "run.started":
      case "run.resumed":
      case "run.paused":
      case "run.ended":
        return this.#observeRun(event, run);
      case "turn.ended":
        return this.#endTurn(event, run);
      case "step.retried":
        return meters.stepRetries.inc({ provider: this.#providerOf(event.step, run) });
      case "step.ended":
        return this.#endStep(event, run);
      case "call.retried":
        return meters.callRetries.inc({ tool: this.#toTool(event.tool) });
      case "call.started":
        return this.wait(run?.begun.get(event.call));
      case "call.ended":
        return this.#endCall(event, run);
      case "signal.matched":
        return meters.signals.inc({ match: event.match });
      case "handoff.made":
        return meters.handoffs.inc({ via: event.via });
      case "command.received":
        return this.#countCancel(event.command, run);
      case "group.ended":
        return this.#countItems(event);
      case "limit.waiting":
        return meters.limitWaits.inc({ limit: this.#toLimit(event.limit) });
      case "history.trimmed":
        return this.#countCompaction(event.tokensBefore, event.tokensAfter);
      case "note.made":
        return event.kind === "compaction" ? this.#countNote(event.data) : undefined;
      default:
        return;
    }
  }

  /** The note that a crew makes after one of its agents has summarised the conversation. */
  #countNote(data: Json): void {
    const [before, after] = [lookInto(data, "tokens_before"), lookInto(data, "tokens_after")];
    if (typeof before === "number" && typeof after === "number") this.#countCompaction(before, after);
  }

  #countCompaction(before: number, after: number): void {
    this.#meters.compactions.inc();
    this.#meters.savedTokens.inc(Math.max(0, before - after));
  }

  /** Counts how long a call waited, once it was seen to start and its tool to begin. */
  wait(call: OpenWork | undefined): void {
    if (call?.tool === undefined || call.ranAt === undefined || call.asked !== undefined) return;
    this.#meters.callWait.observe({ tool: this.#toTool(call.tool) }, Math.max(0, call.ranAt - call.at) / 1_000);
  }

  /** Every run, agent and tool by name, and each agent's tools. */
  toJson(): RunUsageCounts {
    const agents = new Map(Object.entries(this.#agents.toJson()));
    // An agent whose first turn has not ended may have used tools.
    const names = new Set([...agents.keys(), ...this.#toolsOf.keys()]);
    const toAgent = (name: string) =>
      [name, { ...(agents.get(name) ?? EMPTY_ENTRY), tools: this.#toolsOf.get(name)?.toJson() ?? {} }] as const;
    return {
      runs: { ...this.#runs.all, crews: this.#runs.toJson() },
      agents: Object.fromEntries(Array.from(names, toAgent)),
      tools: this.#tools.toJson(),
    };
  }

  #observeRun(
    event: Seen<"run.started" | "run.resumed" | "run.paused" | "run.ended">,
    run: ObservedRun | undefined,
  ): void {
    const { started, resumed, paused, ended, runSeconds, cancelled } = this.#meters;
    const crew = this.#crewOf(run);
    if (event.type === "run.started") return started.inc({ crew });
    if (event.type === "run.resumed") return resumed.inc({ crew });
    const seconds = secondsSince(run, "", event.at);
    if (seconds !== undefined) runSeconds.observe({ crew }, seconds);
    this.#runs.add(crew, event.type === "run.paused" ? "success" : toRunStatus(event), seconds);
    if (event.type === "run.paused") return paused.inc({ crew, by: event.by });
    ended.inc({ crew, outcome: event.outcome });
    if (event.outcome === "cancelled") cancelled.inc({ crew, what: "run" });
    if (event.receipt !== undefined) this.#countReceipt(event.receipt);
  }

  #countFirst({ at }: Seen<"text.delta">, run: ObservedRun): void {
    const seconds = secondsSince(run, "", at);
    if (seconds !== undefined) this.#meters.firstToken.observe({ crew: this.#crewOf(run) }, seconds);
  }

  #countReceipt({ stopped, finished, abandoned }: Receipt): void {
    for (const [fate, works] of Object.entries({ stopped, finished, abandoned })) {
      this.#meters.cancelledWork.inc({ fate }, works.length);
    }
  }

  #endTurn({ turn, agent: id, at, error }: Seen<"turn.ended">, run: ObservedRun | undefined): void {
    const agent = this.#toAgent(id);
    const status = workStatusOf(error);
    const seconds = secondsSince(run, turn, at);
    this.#meters.turns.inc({ agent, status });
    if (seconds !== undefined) this.#meters.turnSeconds.observe({ agent }, seconds);
    this.#agents.add(agent, status, seconds);
  }

  #endStep({ step, at, usage, costUsd, model, error }: Seen<"step.ended">, run: ObservedRun | undefined): void {
    const { steps, stepSeconds, cost, cacheHits, context } = this.#meters;
    const provider = model === undefined ? this.#providerOf(step, run) : this.#toProvider(toProvider(model));
    steps.inc({ provider, status: workStatusOf(error) });
    const seconds = secondsSince(run, step, at);
    if (seconds !== undefined) stepSeconds.observe({ provider }, seconds);
    this.#countTokens(provider, usage);
    if (usage.inputTokens > 0) context.observe(usage.inputTokens);
    if (costUsd !== undefined) cost.inc({ provider }, Math.max(0, costUsd));
    if ((usage.cachedTokens ?? 0) > 0) cacheHits.inc({ provider });
  }

  #countTokens(provider: string, usage: Usage): void {
    const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
    const { tokens } = this.#meters;
    tokens.inc({ provider, kind: "input" }, Math.max(0, inputTokens));
    tokens.inc({ provider, kind: "output" }, Math.max(0, outputTokens));
    if (cachedTokens !== undefined) tokens.inc({ provider, kind: "cached" }, Math.max(0, cachedTokens));
    if (cacheWriteTokens !== undefined) tokens.inc({ provider, kind: "cache_write" }, Math.max(0, cacheWriteTokens));
    if (reasoningTokens !== undefined) tokens.inc({ provider, kind: "reasoning" }, Math.max(0, reasoningTokens));
  }

  /** A cancel of the whole run is counted when the run has ended. */
  #countCancel(command: Command, run: ObservedRun | undefined): void {
    if (command.type !== "cancel") return;
    const what = command.call === undefined ? (command.lane === undefined ? undefined : "lane") : "call";
    if (what !== undefined) this.#meters.cancelled.inc({ crew: this.#crewOf(run), what });
  }

  #endCall({ call, agent: id, tool: name, at, error }: Seen<"call.ended">, run: ObservedRun | undefined): void {
    const tool = this.#toTool(name);
    const agent = this.#toAgent(id);
    const status = workStatusOf(error);
    const seconds = secondsSince(run, call, at);
    this.#meters.calls.inc({ tool, status });
    if (run?.begun.get(call)?.isChild === true) this.#meters.children.inc({ tool, status });
    if (seconds !== undefined) this.#meters.callSeconds.observe({ tool }, seconds);
    this.#tools.add(tool, status, seconds);
    const own = this.#toolsOf.get(agent) ?? new UsageCounts();
    this.#toolsOf.set(agent, own);
    own.add(tool, status, seconds);
  }

  /** The members of a map, which has a list. */
  #countItems({ over, results }: Seen<"group.ended">): void {
    if (over === undefined) return;
    for (const { error } of results) this.#meters.mapItems.inc({ status: workStatusOf(error) });
  }

  #crewOf(run: ObservedRun | undefined): string {
    return this.#toCrew(run?.origin.crew);
  }

  #providerOf(step: string, run: ObservedRun | undefined): string {
    const model = run?.begun.get(step)?.model;
    return this.#toProvider(model === undefined ? undefined : toProvider(model));
  }
}

function toRunStatus({ outcome, error }: EventBodyOf<"run.ended">): WorkStatus {
  if (outcome === "done" || outcome === "paused") return "success";
  if (outcome === "cancelled") return "cancelled";
  return error?.limit?.name === TIME_LIMIT ? "timeout" : "error";
}

/** A crew, those that it contains, and those that run after it. */
function* withInner(crew: Crew): Iterable<Crew> {
  yield crew;
  for (const sub of crew.subCrews.values()) yield* withInner(sub);
  if (crew.after !== undefined) yield* withInner(crew.after);
}

function toChildNames({ children }: Agent): readonly string[] {
  return children.map(({ as }) => as);
}
