/**
 * Metrics: all numbers of one server, as Prometheus reads them and as JSON.
 *
 * Both forms come from one registry, which no other server shares.
 */
import type { Crew, RunEvent } from "@baton/core";
import { Registry } from "prom-client";
import type { ServerOptions } from "../options.ts";
import { defineMeter } from "./meters.ts";
import type { OpenRun } from "./open-runs.ts";
import { RunMetrics } from "./run-metrics.ts";
import { type Readings, ServerMetrics } from "./server-metrics.ts";
import type { TallyEntry } from "./tally.ts";

/** What metrics are made for. */
export interface MetricsOptions {
  /** Whose agents and tools have values of their own. */
  readonly crews: readonly Crew[];
  readonly breakers?: ServerOptions["breakers"];
  /** How many runs are at work. */
  readonly activeRuns: () => number;
}

/** One number of a metric; a histogram's have names of their own (`…_bucket`, `…_sum`, `…_count`). */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** The JSON form. */
export interface MetricsJson {
  readonly metrics: readonly { readonly name: string; readonly type: string; readonly samples: readonly Sample[] }[];
  readonly agents: Readonly<Record<string, TallyEntry>>;
  readonly tools: Readonly<Record<string, TallyEntry>>;
}

/** The metrics of one server. */
export class Metrics {
  readonly registry = new Registry();
  readonly server: ServerMetrics;
  readonly #runs: RunMetrics;

  constructor({ crews, breakers = () => [], activeRuns }: MetricsOptions) {
    this.#runs = new RunMetrics(this.registry, crews);
    this.server = new ServerMetrics(this.registry, breakers);
    defineMeter(this.registry).gauge("active_runs", "Runs that are at work.", activeRuns);
  }

  /** Shows these too. */
  read(readings: Readings): void {
    this.server.read(this.registry, readings);
  }

  observe(event: RunEvent, run: OpenRun | undefined): void {
    this.#runs.observe(event, run);
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
      agents: this.#runs.agents.toJson(),
      tools: this.#runs.tools.toJson(),
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
