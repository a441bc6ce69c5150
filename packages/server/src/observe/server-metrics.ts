/**
 * Server metrics: requests, streams, the machine, and the breakers of models, which are read with the metrics.
 *
 * Routes are patterns, never paths.
 */
import type { Registry } from "prom-client";
import type { ServerOptions } from "../options.ts";
import { openLabel, OTHER } from "./label.ts";
import { LoopDelay } from "./loop-delay.ts";
import { defineMeter } from "./meters.ts";
import { UsageCounts, type UsageCount } from "./usage-counts.ts";

/** A request that was answered. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** The pattern that matched, `/api/runs/:id`; undefined if none did. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly run?: string;
  readonly session?: string;
}

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const MAX_ROUTES = 100;
const MAX_MODELS = 100;
const BYTES_PER_KB = 1_024;
/** The least status of an answer that is an error. */
const FIRST_ERROR = 400;

/** Counts that the parts of a server keep themselves. */
export interface Readings {
  /** Number of open streams, of those that are behind their log, and of all that were dropped. */
  readonly streams: { readonly size: number; readonly behind: number; readonly dropped: number };
  /** Number of spans that were dropped. */
  readonly telemetryDropped?: () => number;
  /** Number of messages that runs have not received yet, and the fill of the fullest mailbox, 0 to 1. */
  readonly mailbox: () => { readonly depth: number; readonly fill: number };
}

/** The metrics of one server beside its runs'. */
export class ServerMetrics {
  readonly #requests;
  readonly #requestSeconds;
  readonly #feedback;
  readonly #toRoute = openLabel(MAX_ROUTES);
  readonly #tally = new UsageCounts();
  readonly #delay = new LoopDelay();

  constructor(registry: Registry, breakers: NonNullable<ServerOptions["breakers"]>) {
    const { counter, seconds, gauge, gauges } = defineMeter(registry);
    this.#requests = counter("http_requests_total", "Requests that were answered.", "method", "route", "status");
    this.#requestSeconds = seconds(
      "http_request_duration_seconds",
      "From a request to the end of its answer; a stream's is how long it was open.",
      "route",
    );
    this.#feedback = counter("feedback_total", "Ratings that users gave runs.", "rating");
    gauges("event_loop_delay_seconds", "Delay of the event loop over the last one to two minutes.", {
      label: "quantile",
      read: () => this.#delay.read(),
    });
    gauges("memory_bytes", "Memory of the process.", { label: "kind", read: readMemory });
    gauge("memory_peak_bytes", "The most resident memory (rss) that the process has had.", readPeak);
    const toModel = openLabel(MAX_MODELS);
    gauges(
      "model_breaker_open",
      "1 while the circuit breaker of a model is open because it failed repeatedly, else 0.",
      {
        label: "model",
        read: () => Array.from(breakers(), ([model, isOpen]) => [toModel(model), isOpen ? 1 : 0] as const),
      },
    );
  }

  /** Reads from these from now on. */
  read(registry: Registry, { streams, mailbox, telemetryDropped = () => 0 }: Readings): void {
    const { gauge, total } = defineMeter(registry);
    total("telemetry_dropped_total", "Spans that were not sent to the collector.", telemetryDropped);
    gauge("open_streams", "Streams that are open.", () => streams.size);
    gauge("streams_behind", "Streams whose reader is behind its log.", () => streams.behind);
    total(
      "streams_cut_off_total",
      "Streams that were closed because their reader had stopped reading.",
      () => streams.dropped,
    );
    gauge("mailbox_depth", "Messages to runs that the runs have not read yet.", () => mailbox().depth);
    gauge("mailbox_fill", "How full the fullest mailbox of a run is, 0 to 1.", () => mailbox().fill);
  }

  request({ method, route, status, durationMs }: AnsweredRequest): void {
    const label = route === undefined ? OTHER : this.#toRoute(route);
    this.#requests.inc({ method: METHODS.includes(method) ? method : OTHER, route: label, status });
    const seconds = Math.max(0, durationMs) / 1_000;
    this.#requestSeconds.observe({ route: label }, seconds);
    this.#tally.add(label, status < FIRST_ERROR ? "success" : "error", seconds);
  }

  feedback(rating: "up" | "down"): void {
    this.#feedback.inc({ rating });
  }

  /** Requests by route. */
  toJson(): Readonly<Record<string, UsageCount>> {
    return this.#tally.toJson();
  }

  close(): void {
    this.#delay.close();
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

function readPeak(): number {
  return process.resourceUsage().maxRSS * BYTES_PER_KB;
}
