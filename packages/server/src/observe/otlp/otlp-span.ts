/**
 * OTLP span: a span of OpenTelemetry's API that is sent as OTLP/HTTP JSON when it has ended.
 */
import { randomBytes } from "node:crypto";
import {
  type Attributes,
  type AttributeValue,
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  trace,
  TraceFlags,
} from "@opentelemetry/api";

/** A span that has ended, as the metrics and the exporter see it. */
export interface EndedSpan {
  readonly name: string;
  readonly attributes: Attributes;
  readonly durationMs: number;
  /** As OTLP writes it. */
  readonly json: object;
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const MAX_EVENTS = 128;

/** A span under way. */
export class OtlpSpan implements Span {
  readonly #name: string;
  readonly #options: SpanOptions;
  readonly #context: SpanContext;
  readonly #parentId: string | undefined;
  readonly #beganAt: number;
  readonly #attributes: Attributes;
  readonly #events: object[] = [];
  readonly #ended: (span: EndedSpan) => void;
  #status: SpanStatus = { code: SpanStatusCode.UNSET };
  #isEnded = false;

  constructor(
    named: { readonly name: string; readonly options: SpanOptions },
    parent: Context,
    ended: (span: EndedSpan) => void,
  ) {
    const { name, options } = named;
    const above = trace.getSpanContext(parent);
    this.#name = name;
    this.#options = options;
    this.#parentId = above?.spanId;
    this.#context = {
      traceId: above?.traceId ?? randomBytes(TRACE_ID_BYTES).toString("hex"),
      spanId: randomBytes(SPAN_ID_BYTES).toString("hex"),
      traceFlags: above?.traceFlags ?? TraceFlags.SAMPLED,
    };
    this.#beganAt = toMs(options.startTime);
    this.#attributes = { ...options.attributes };
    this.#ended = ended;
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  setAttribute(key: string, value: AttributeValue): this {
    this.#attributes[key] = value;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    Object.assign(this.#attributes, attributes);
    return this;
  }

  addEvent(name: string, attributes?: Attributes | TimeInput, at?: TimeInput): this {
    const own =
      typeof attributes === "object" && !Array.isArray(attributes) && !(attributes instanceof Date) ? attributes : {};
    if (this.#events.length < MAX_EVENTS)
      this.#events.push({ name, timeUnixNano: toNano(toMs(at)), attributes: toPairs({ ...own }) });
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus(status: SpanStatus): this {
    this.#status = status;
    return this;
  }

  updateName(): this {
    return this;
  }

  recordException(): void {}

  isRecording(): boolean {
    return !this.#isEnded;
  }

  end(at?: TimeInput): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // A parent that is not sampled is not recorded by anybody, and neither is what is under it.
    if ((this.#context.traceFlags & TraceFlags.SAMPLED) === 0) return;
    const endedAt = Math.max(this.#beganAt, toMs(at));
    const { code, message } = this.#status;
    this.#ended({
      name: this.#name,
      attributes: this.#attributes,
      durationMs: endedAt - this.#beganAt,
      json: {
        traceId: this.#context.traceId,
        spanId: this.#context.spanId,
        ...(this.#parentId === undefined ? {} : { parentSpanId: this.#parentId }),
        name: this.#name,
        kind: (this.#options.kind ?? 0) + 1,
        startTimeUnixNano: toNano(this.#beganAt),
        endTimeUnixNano: toNano(endedAt),
        attributes: toPairs(this.#attributes),
        events: this.#events,
        status: code === SpanStatusCode.UNSET ? {} : { code, ...(message === undefined ? {} : { message }) },
      },
    });
  }
}

function toMs(time: TimeInput | undefined): number {
  if (time instanceof Date) return time.getTime();
  return typeof time === "number" ? time : Date.now();
}

/** Nanoseconds as text: they are larger than a number can hold exactly. */
export function toNano(ms: number): string {
  return `${BigInt(Math.max(0, Math.round(ms * 1_000)))}000`;
}

/** Attributes as OTLP writes them; those without a value are left out. */
export function toPairs(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: toValue(value) }],
  );
}

function toValue(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toValue) } };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value !== "number") return { stringValue: String(value) };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
