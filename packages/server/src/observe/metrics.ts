/**
 * Metrics: all numbers of one server, as Prometheus reads them and as JSON.
 *
 * Both forms come from one registry, which no other server shares.
 */
import type { Crew, RunEvent } from "@baton/core";
import { Registry } from "prom-client";
import type { ServerOptions } from "../options.ts";
import { defineMeter } from "./meters.ts";
import type { OpenWork, ObservedRun, WorkCounts } from "./open-runs.ts";
import { RunMetrics, type RunUsageCounts } from "./run-metrics.ts";
import { type Readings, ServerMetrics } from "./server-metrics.ts";
import type { UsageCount } from "./usage-counts.ts";

/** Options of the metrics. */
export interface MetricsOptions {
  /** The crews whose agents and tools have label values of their own. */
  readonly crews: readonly Crew[];
  readonly breakers?: ServerOptions["breakers"];
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

  constructor({ crews, breakers = () => [], activeRuns, underWay }: MetricsOptions) {
    this.#runs = new RunMetrics(this.registry, crews);
    this.server = new ServerMetrics(this.registry, breakers);
    const { gauge } = defineMeter(this.registry);
    gauge("active_runs", "Runs that are running.", activeRuns);
    gauge("active_agents", "Turns of agents that are running.", () => underWay().agents);
    gauge("active_tool_calls", "Tool calls whose tools are running.", () => underWay().activeCalls);
    gauge("queued_tool_calls", "Tool calls that wait for a permit or for other calls.", () => underWay().queuedCalls);
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

  toText(): Promise<string> {
    return this.registry.metrics();
  }

  async toJson(): Promise<MetricsJson> {
    const metrics = await this.registry.getMetricsAsJSON();
    return {
      metrics: metrics.map(({ name, type, values }) => ({
        name,
        type: String(type),
        samples: toSamples(name, values),
      })),
      ...this.#runs.toJson(),
      requests: this.server.toJson(),
    };
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
