/**
 * Server metrics: requests, streams, the machine, and what other parts are asked for when somebody looks.
 *
 * Routes are patterns, never paths. Reads: label, meters. Read by: metrics.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Registry } from "prom-client";
import { openLabel, OTHER } from "./label.ts";
import { defineMeter } from "./meters.ts";

/** A request that was answered. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** The pattern that matched, `/api/runs/:id`; undefined where none did. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly run?: string;
  readonly session?: string;
}

/** What other parts tell of themselves when asked; what is not there has no metric. */
export interface Readings {
  /** How far the reader that lags most is behind, in events. */
  readonly busLag?: () => number;
  /** Events that lagging readers have lost since the start. */
  readonly busDropped?: () => number;
  /** Commands that wait in the mailboxes of all runs. */
  readonly mailboxDepth?: () => number;
  /** Models with a breaker, and whether it is open. */
  readonly breakers?: () => Iterable<readonly [model: string, isOpen: boolean]>;
}

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const MAX_ROUTES = 100;
const MAX_MODELS = 100;
const RESOLUTION_MS = 20;
const NS_PER_SECOND = 1e9;

/** The metrics of one server beside its runs'. */
export class ServerMetrics {
  readonly #requests;
  readonly #requestSeconds;
  readonly #toRoute = openLabel(MAX_ROUTES);
  /** Counts the interval itself too. */
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #streams = 0;

  constructor(registry: Registry, readings: Readings) {
    const { counter, seconds, gauge, gauges } = defineMeter(registry);
    this.#requests = counter("http_requests_total", "Requests that were answered.", "method", "route", "status");
    this.#requestSeconds = seconds(
      "http_request_duration_seconds",
      "From a request to the end of its answer; a stream's is how long it was open.",
      "route",
    );
    gauge("open_streams", "Streams that are open.", () => this.#streams);
    gauges("event_loop_delay_seconds", "Delay of the event loop since it was last read.", {
      label: "quantile",
      read: () => this.#readDelay(),
    });
    gauges("memory_bytes", "Memory of the process.", { label: "kind", read: readMemory });
    addReadings(registry, readings);
    this.#delay.enable();
  }

  request({ method, route, status, durationMs }: AnsweredRequest): void {
    const label = route === undefined ? OTHER : this.#toRoute(route);
    this.#requests.inc({ method: METHODS.includes(method) ? method : OTHER, route: label, status });
    this.#requestSeconds.observe({ route: label }, Math.max(0, durationMs) / 1_000);
  }

  openStream(): void {
    this.#streams += 1;
  }

  closeStream(): void {
    this.#streams = Math.max(0, this.#streams - 1);
  }

  close(): void {
    this.#delay.disable();
  }

  #readDelay(): readonly (readonly [string, number])[] {
    const toSeconds = (ns: number) => Math.max(0, ns / NS_PER_SECOND - RESOLUTION_MS / 1_000);
    const { max } = this.#delay;
    const read = [
      ["0.5", toSeconds(this.#delay.percentile(50))],
      ["0.99", toSeconds(this.#delay.percentile(99))],
      ["1", toSeconds(max)],
    ] as const;
    this.#delay.reset();
    return read;
  }
}

function readMemory(): readonly (readonly [string, number])[] {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  return [
    ["rss", rss],
    ["heap_total", heapTotal],
    ["heap_used", heapUsed],
    ["external", external],
  ];
}

function addReadings(registry: Registry, { busLag, busDropped, mailboxDepth, breakers }: Readings): void {
  const { gauge, gauges, total } = defineMeter(registry);
  if (busLag !== undefined) gauge("bus_lag_events", "Events that the slowest reader of a bus is behind.", busLag);
  if (busDropped !== undefined) {
    total("bus_dropped_events_total", "Events that lagging readers of a bus have lost.", busDropped);
  }
  if (mailboxDepth !== undefined) gauge("mailbox_depth", "Commands that wait in runs' mailboxes.", mailboxDepth);
  if (breakers === undefined) return;
  const toModel = openLabel(MAX_MODELS);
  gauges("model_breaker_open", "1 while a model is left alone after it failed again and again, else 0.", {
    label: "model",
    read: () => Array.from(breakers(), ([model, isOpen]) => [toModel(model), isOpen ? 1 : 0] as const),
  });
}
