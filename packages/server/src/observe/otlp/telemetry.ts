/**
 * Telemetry: spans and metrics, sent to a collector in OTLP/HTTP JSON.
 *
 * Sending never delays a run: spans wait in a bounded queue and go out in batches. What does not fit, or what the
 * collector refuses, is dropped and counted. A collector that fails or hangs is one warning until it answers again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { toMessage } from "@baton/core/util";
import type { Context, Span, SpanOptions, Tracer, TracerProvider } from "@opentelemetry/api";
import { context as active } from "@opentelemetry/api";
import { OtlpMetrics } from "./otlp-metrics.ts";
import { type EndedSpan, OtlpSpan, toPairs } from "./otlp-span.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";

const MAX_QUEUE = 2_048;
const BATCH = 512;
const BATCH_MS = 5_000;
const METRICS_MS = 15_000;
const REQUEST_MS = 10_000;
const FLUSH_MS = 5_000;
const RETRY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MAX_TRIES = 5;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const SCOPE = { name: "@baton/server" };

/** Sends what runs do. */
export interface Telemetry extends AsyncDisposable {
  readonly tracerProvider: TracerProvider;
  /** Whether texts are sent, too. */
  readonly hasContent: boolean;
  /** Spans that were dropped. */
  readonly dropped: number;
}

/** Options of sending. */
export interface TelemetrySending {
  /** Called with what the user should know, at most once until it is in order again. */
  readonly warn: (text: string) => void;
  /** Waits between batches and tries, in milliseconds; a test makes them short. */
  readonly batchMs?: number;
  readonly retryMs?: number;
  readonly flushMs?: number;
}

/** Opens telemetry; disposing sends what is left, for at most 5 s. */
export function openTelemetry(settings: TelemetrySettings, sending: TelemetrySending): Telemetry {
  return new OtlpTelemetry(settings, sending);
}

class OtlpTelemetry implements Telemetry, TracerProvider, Tracer {
  readonly tracerProvider: TracerProvider = this;
  readonly hasContent: boolean;
  readonly #settings: TelemetrySettings;
  readonly #sending: TelemetrySending;
  readonly #metrics = new OtlpMetrics(Date.now());
  readonly #closing = new AbortController();
  #queue: object[] = [];
  #dropped = 0;
  #isTold = false;
  #metricsAt = Date.now();
  /** Wakes the sender before its time. */
  #wake: (() => void) | undefined;
  #isClosed = false;
  readonly #running: Promise<void>;

  constructor(settings: TelemetrySettings, sending: TelemetrySending) {
    this.#settings = settings;
    this.#sending = sending;
    this.hasContent = settings.hasContent;
    this.#running = this.#run();
  }

  get dropped(): number {
    return this.#dropped;
  }

  getTracer(): Tracer {
    return this;
  }

  startSpan(name: string, options: SpanOptions = {}, parent: Context = active.active()): Span {
    return new OtlpSpan({ name, options }, parent, (span) => this.#take(span));
  }

  startActiveSpan(): never {
    throw new Error("spans of runs are started with startSpan");
  }

  #take(span: EndedSpan): void {
    this.#metrics.add(span);
    if (this.#settings.tracesUrl === undefined) return;
    if (this.#queue.length >= MAX_QUEUE || this.#isClosed) {
      this.#dropped++;
      return;
    }
    this.#queue.push(span.json);
    if (this.#queue.length >= BATCH) this.#wake?.();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await this.#wait(this.#sending.batchMs ?? BATCH_MS);
      await this.#sendAll();
    }
  }

  /** Waits for a full batch, for the time, or for the end; the process may end meanwhile. */
  async #wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#queue.length >= BATCH || this.#isClosed) return;
    this.#wake = resolve;
    const timer = setTimeout(resolve, ms);
    timer.unref();
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }

  async #sendAll(): Promise<void> {
    const { tracesUrl, metricsUrl, resource } = this.#settings;
    const about = { attributes: toPairs(resource) };
    // Without an address for spans the queue stays empty.
    while (this.#queue.length > 0) {
      const spans = this.#queue.splice(0, BATCH);
      const body = { resourceSpans: [{ resource: about, scopeSpans: [{ scope: SCOPE, spans }] }] };
      if (!(await this.#post(tracesUrl ?? "", body))) this.#dropped += spans.length;
      if (this.#closing.signal.aborted) return;
    }
    const now = Date.now();
    if (metricsUrl === undefined || !this.#metrics.isChanged) return;
    if (!this.#isClosed && now - this.#metricsAt < Math.min(METRICS_MS, (this.#sending.batchMs ?? BATCH_MS) * 3))
      return;
    this.#metricsAt = now;
    this.#metrics.isChanged = false;
    const scopeMetrics = [{ scope: SCOPE, metrics: this.#metrics.toJson(now) }];
    await this.#post(metricsUrl, { resourceMetrics: [{ resource: about, scopeMetrics }] });
  }

  /** Sends a request, again if the collector is busy; false if it was not taken. */
  async #post(url: string, body: object): Promise<boolean> {
    const { retryMs = RETRY_MS } = this.#sending;
    const text = JSON.stringify(body);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#try(url, text);
      if (answer === "taken") {
        this.#isTold = false;
        return true;
      }
      const waitMs = Math.min(MAX_RETRY_MS, answer.retryAfterMs ?? retryMs * 2 ** (attempt - 1));
      if (!answer.isBusy || attempt >= MAX_TRIES || this.#closing.signal.aborted) {
        this.#tell(url, answer.why);
        return false;
      }
      await sleep(waitMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
    }
  }

  async #try(url: string, body: string): Promise<"taken" | Refused> {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...this.#settings.headers },
        body,
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(REQUEST_MS), this.#closing.signal]),
      });
      await response.body?.cancel();
      if (response.ok) return "taken";
      const seconds = Number(response.headers.get("retry-after") ?? NaN);
      return {
        why: `it answered ${response.status}`,
        isBusy: RETRY_STATUSES.has(response.status),
        retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
      };
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? `: ${toMessage(error.cause)}` : "";
      return { why: `${toMessage(error)}${cause}`, isBusy: false, retryAfterMs: undefined };
    }
  }

  #tell(url: string, why: string): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#sending.warn(`telemetry is not sent to ${new URL(url).origin} (${why}); runs are not affected`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const timer = setTimeout(() => this.#closing.abort(), this.#sending.flushMs ?? FLUSH_MS);
    this.#wake?.();
    try {
      await this.#running;
    } finally {
      clearTimeout(timer);
      this.#dropped += this.#queue.length;
      this.#queue = [];
    }
  }
}

interface Refused {
  readonly why: string;
  /** Whether the same request may succeed a little later. */
  readonly isBusy: boolean;
  readonly retryAfterMs: number | undefined;
}
