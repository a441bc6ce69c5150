/**
 * Meters: every metric that runs are counted with, by name, unit, labels and meaning.
 *
 * One registry per server; nothing is shared in the process. `docs/metrics.md` is held to this by a test.
 */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** From a quick lookup to a run of many minutes. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const TOKENS = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000];

/** A registry of prom-client, as the server reads it. */
export type MetricsRegistry = Pick<Registry, "metrics" | "getMetricsAsJSON" | "getMetricsAsArray">;

/** Builds metrics of one registry, each named `baton_…`. */
export function defineMeter(registry: Registry) {
  const fields = <L extends string>(name: string, help: string, labelNames: readonly L[]) => ({
    name: `baton_${name}`,
    help,
    labelNames: [...labelNames],
    registers: [registry],
  });
  return {
    counter: <L extends string>(name: string, help: string, ...labels: readonly L[]) =>
      new Counter<L>(fields(name, help, labels)),
    seconds: <L extends string>(name: string, help: string, ...labels: readonly L[]) =>
      new Histogram<L>({ ...fields(name, help, labels), buckets: SECONDS }),
    tokens: (name: string, help: string) => new Histogram({ ...fields(name, help, []), buckets: TOKENS }),
    /** Counted elsewhere, and read with the metrics. */
    total: (name: string, help: string, read: () => number) =>
      new Counter({
        ...fields(name, help, []),
        collect() {
          this.reset();
          this.inc(read());
        },
      }),
    /** The same with labels. */
    totals: (name: string, help: string, { labels, read }: TotalsBy) =>
      new Counter({
        ...fields(name, help, labels),
        collect() {
          this.reset();
          for (const [values, count] of read()) this.inc({ ...values }, count);
        },
      }),
    /** Read with the metrics. */
    gauge: (name: string, help: string, read: () => number) =>
      new Gauge({
        ...fields(name, help, []),
        collect() {
          this.set(read());
        },
      }),
    /** One value for each value of the label, read with the metrics. */
    gauges: (name: string, help: string, by: GaugesBy) =>
      new Gauge({
        ...fields(name, help, [by.label]),
        collect() {
          this.reset();
          for (const [value, number] of by.read()) this.set({ [by.label]: value }, number);
        },
      }),
  };
}

/** Label and source of a family of gauges. */
export interface GaugesBy {
  readonly label: string;
  readonly read: () => Iterable<readonly [value: string, number: number]>;
}

/** Labels and source of a family of counters. */
export interface TotalsBy {
  readonly labels: readonly string[];
  readonly read: () => Iterable<readonly [values: Readonly<Record<string, string>>, count: number]>;
}

/** The metrics of a registry that are made from the events of runs. */
export function defineRunMeters(registry: Registry) {
  const { counter, seconds, tokens } = defineMeter(registry);
  return {
    started: counter("runs_started_total", "Runs that started.", "crew"),
    resumed: counter(
      "runs_resumed_total",
      "Times that a run was resumed after a pause or recovered after a crash.",
      "crew",
    ),
    paused: counter("runs_paused_total", "Times that a run paused, by what made it wait.", "crew", "by"),
    ended: counter("runs_total", "Runs that ended, by outcome.", "crew", "outcome"),
    runSeconds: seconds("run_duration_seconds", "From a start or resume of a run to its next pause or end.", "crew"),
    firstToken: seconds("run_first_token_seconds", "From a start or resume of a run to its first text.", "crew"),
    cancelled: counter("cancellations_total", "Runs, lanes and tool calls that were cancelled.", "crew", "what"),
    cancelledWork: counter("cancelled_work_total", "Work that was running in cancelled runs, by how it ended.", "fate"),
    turns: counter("agent_turns_total", "Turns of agents that ended, by status.", "agent", "status"),
    turnSeconds: seconds("agent_turn_duration_seconds", "Duration of agents' turns.", "agent"),
    handoffs: counter("handoffs_total", "Handoffs, by what caused them.", "via"),
    signals: counter("signals_total", "Signals that were found in replies, by how they matched.", "match"),
    calls: counter("tool_calls_total", "Tool calls that ended, by status.", "tool", "status"),
    callRetries: counter("tool_retries_total", "Tool calls that were retried.", "tool"),
    callSeconds: seconds("tool_call_duration_seconds", "Duration of tool calls, waiting and retries included.", "tool"),
    callWait: seconds(
      "tool_queue_wait_seconds",
      "From the request of a tool call to the start of its tool, if nobody had to be asked.",
      "tool",
    ),
    children: counter(
      "child_lanes_total",
      "Agents and crews that were called as tools, by how they ended.",
      "tool",
      "status",
    ),
    mapItems: counter("map_items_total", "Items of maps that ended, by status.", "status"),
    limitWaits: counter("limit_waits_total", "Model calls that waited for room under a cap, by the cap.", "limit"),
    steps: counter("model_calls_total", "Model calls that ended, by status.", "provider", "status"),
    stepRetries: counter("model_retries_total", "Model calls that were retried.", "provider"),
    stepSeconds: seconds("model_call_duration_seconds", "Duration of model calls, retries included.", "provider"),
    tokens: counter(
      "model_tokens_total",
      "Tokens that models used; cached and cache-written ones are part of input, reasoning is part of output.",
      "provider",
      "kind",
    ),
    cost: counter("model_cost_usd_total", "Cost of model calls whose price is known.", "provider"),
    cacheHits: counter("model_cache_hits_total", "Model calls whose input came partly from a cache.", "provider"),
    context: tokens("context_tokens", "Input tokens of a model call."),
    compactions: counter(
      "compactions_total",
      "Times that a history was trimmed to fit the context, or summarised by an agent.",
    ),
    savedTokens: counter("compaction_saved_tokens_total", "Tokens that this kept out of the context."),
  };
}
