/**
 * Metrics: all numbers of one server, as Prometheus reads them and as JSON.
 *
 * Both forms come from one registry, which no other server shares.
 */
import { BatonError, type Crew, type RunEvent } from "@baton/core";
import { Registry } from "prom-client";
import type { ServerOptions } from "../options.ts";
import { defineMeter, type MetricsRegistry } from "./meters.ts";
import type { OpenWork, ObservedRun, WorkCounts } from "./open-runs.ts";
import { RunMetrics, type RunUsageCounts } from "./run-metrics.ts";
import { type Readings, ServerMetrics } from "./server-metrics.ts";
import type { UsageCount } from "./usage-counts.ts";

/** Options of the metrics. */
export interface MetricsOptions {
  /** The crews whose agents and tools have label values of their own. */
  readonly crews: readonly Crew[];
  readonly breakers?: ServerOptions["breakers"];
  /** Metrics of products. */
  readonly added?: ServerOptions["metrics"];
  /** Returns the number of running runs. */
  readonly activeRuns: () => number;
  readonly underWay: () => WorkCounts;
}

/** One number of a metric; a histogram's have names of their own (`…_bucket`, `…_sum`, `…_count`). */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** The JSON form; requests are by route. */
export interface MetricsJson extends RunUsageCounts {
  readonly metrics: readonly { readonly name: string; readonly type: string; readonly samples: readonly Sample[] }[];
  readonly requests: Readonly<Record<string, UsageCount>>;
}

/** The metrics of one server. */
export class Metrics {
  readonly registry = new Registry();
  readonly server: ServerMetrics;
  readonly #runs: RunMetrics;
  readonly #added: readonly MetricsRegistry[];

  constructor({ crews, breakers = () => [], activeRuns, underWay, added = new Map() }: MetricsOptions) {
    this.#runs = new RunMetrics(this.registry, crews);
    this.server = new ServerMetrics(this.registry, breakers);
    const { gauge } = defineMeter(this.registry);
    gauge("active_runs", "Runs that are running.", activeRuns);
    gauge("active_agents", "Turns of agents that are running.", () => underWay().agents);
    gauge("active_tool_calls", "Tool calls whose tools are running.", () => underWay().activeCalls);
    gauge("queued_tool_calls", "Tool calls that wait for a permit or for other calls.", () => underWay().queuedCalls);
    checkNames(this.registry, added);
    this.#added = [...added.values()];
  }

  /** Shows these too. */
  read(readings: Readings): void {
    this.server.read(this.registry, readings);
  }

  observe(event: RunEvent, run: ObservedRun | undefined): void {
    this.#runs.observe(event, run);
  }

  /** Counts how long a call has waited for its tool to begin. */
  wait(call: OpenWork | undefined): void {
    this.#runs.wait(call);
  }

  async toText(): Promise<string> {
    const texts = await Promise.all([this.registry, ...this.#added].map((registry) => registry.metrics()));
    return texts.filter((text) => text.trim() !== "").join("\n");
  }

  async toJson(): Promise<MetricsJson> {
    const metrics = await Promise.all([this.registry, ...this.#added].map((registry) => registry.getMetricsAsJSON()));
    return {
      metrics: metrics.flat().map(({ name, type, values }) => ({
        name,
        type: String(type),
        samples: toSamples(name, values),
      })),
      ...this.#runs.toJson(),
      requests: this.server.toJson(),
    };
  }
}

/** Throws if a product's metric has the name of another one: Prometheus would refuse the whole page. */
function checkNames(own: Registry, added: NonNullable<ServerOptions["metrics"]>): void {
  const names = new Set(own.getMetricsAsArray().map(({ name }) => name));
  for (const [product, registry] of added) {
    for (const { name } of registry.getMetricsAsArray()) {
      if (names.has(name)) throw new BatonError("invalid", `the metrics of ${product} have a second ${name}`);
      names.add(name);
    }
  }
}

type Value = Readonly<{ value: number; labels: Partial<Record<string, string | number>>; metricName?: string }>;

function toSamples(name: string, values: readonly Value[]): readonly Sample[] {
  return values.map(({ value, labels, metricName }) => ({
    name: metricName ?? name,
    labels: Object.fromEntries(Object.entries(labels).map(([label, text = ""]) => [label, text])),
    value,
  }));
}
