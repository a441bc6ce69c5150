/**
 * OTLP metrics: histograms of model calls and tools, made from spans that have ended.
 */
import type { Attributes, AttributeValue } from "@opentelemetry/api";
import { toNano, toPairs, type EndedSpan } from "./otlp-span.ts";

const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
/** Series of one histogram; more are not counted, so that names from outside cannot fill the memory. */
const MAX_SERIES = 500;

interface Series {
  readonly attributes: Attributes;
  readonly counts: number[];
  count: number;
  sum: number;
}

/** One histogram with its series. */
class Histogram {
  readonly #about: Readonly<{ name: string; unit: string; description: string }>;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(about: Readonly<{ name: string; unit: string; description: string }>, bounds: readonly number[]) {
    this.#about = about;
    this.#bounds = bounds;
  }

  add(value: number, attributes: Attributes): void {
    const key = JSON.stringify(attributes);
    const known = this.#series.get(key);
    if (known === undefined && this.#series.size >= MAX_SERIES) return;
    const series = known ?? {
      attributes,
      counts: Array.from({ length: this.#bounds.length + 1 }, () => 0),
      count: 0,
      sum: 0,
    };
    this.#series.set(key, series);
    const index = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = index < 0 ? this.#bounds.length : index;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count++;
    series.sum += value;
  }

  toJson(beganAt: number, now: number): object | undefined {
    if (this.#series.size === 0) return undefined;
    const dataPoints = Array.from(this.#series.values(), ({ attributes, counts, count, sum }) => ({
      attributes: toPairs(attributes),
      startTimeUnixNano: toNano(beganAt),
      timeUnixNano: toNano(now),
      count: String(count),
      sum,
      bucketCounts: counts.map(String),
      explicitBounds: this.#bounds,
    }));
    // 2: totals since the beginning.
    return { ...this.#about, histogram: { aggregationTemporality: 2, dataPoints } };
  }
}

const OPERATION = "gen_ai.operation.name";
const SHARED = [OPERATION, "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.response.model", "error.type"];

/** The histograms of one program. */
export class OtlpMetrics {
  readonly #beganAt: number;
  readonly #duration = new Histogram(
    { name: "gen_ai.client.operation.duration", unit: "s", description: "Duration of calls of models." },
    SECONDS,
  );
  readonly #tokens = new Histogram(
    { name: "gen_ai.client.token.usage", unit: "{token}", description: "Tokens of calls of models." },
    TOKENS,
  );
  readonly #tools = new Histogram(
    { name: "gen_ai.execute_tool.duration", unit: "s", description: "Duration of tool calls." },
    SECONDS,
  );
  /** Whether something was counted since the last export. */
  isChanged = false;

  constructor(beganAt: number) {
    this.#beganAt = beganAt;
  }

  add({ attributes, durationMs }: EndedSpan): void {
    const operation = attributes[OPERATION];
    const seconds = durationMs / 1_000;
    if (operation === "execute_tool") {
      this.isChanged = true;
      this.#tools.add(seconds, pick(attributes, [OPERATION, "gen_ai.tool.name", "error.type"]));
    }
    if (operation !== "chat") return;
    this.isChanged = true;
    const shared = pick(attributes, SHARED);
    this.#duration.add(seconds, shared);
    for (const type of ["input", "output"]) {
      const tokens = attributes[`gen_ai.usage.${type}_tokens`];
      if (typeof tokens === "number") this.#tokens.add(tokens, { ...shared, "gen_ai.token.type": type });
    }
  }

  toJson(now: number): readonly object[] {
    const all = [this.#duration, this.#tokens, this.#tools].map((histogram) => histogram.toJson(this.#beganAt, now));
    return all.filter((one) => one !== undefined);
  }
}

function pick(attributes: Attributes, names: readonly string[]): Attributes {
  const picked: Record<string, AttributeValue> = {};
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined && value !== null) picked[name] = value;
  }
  return picked;
}
