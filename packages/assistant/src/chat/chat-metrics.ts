/**
 * Chat metrics: the counts of an assistant and the state of its data sources, for the server's `/metrics`.
 */
import { createMetricsRegistry, defineMeter, type MetricsRegistry } from "@baton/server/mount";
import {
  ASSISTANT_COUNT_NAMES,
  ASSISTANT_COUNTS,
  type AssistantMeter,
  type SourceReading,
} from "../metrics/assistant-meter.ts";

/** Creates the registry of an assistant's metrics; they are read when `/metrics` is. */
export function createChatMetrics(meter: AssistantMeter): MetricsRegistry {
  const registry = createMetricsRegistry();
  const { total, gauges } = defineMeter(registry);
  const read = (valueOf: (source: SourceReading) => number) => () =>
    meter.sources().map((source) => [source.name, valueOf(source)] as const);
  for (const name of ASSISTANT_COUNT_NAMES) {
    total(`assistant_${name}_total`, ASSISTANT_COUNTS[name], () => meter.read(name));
  }
  const sourceUp = { label: "source", read: read(({ isUp }) => (isUp ? 1 : 0)) };
  gauges("assistant_source_up", "1 if a source of data may be asked, 0 if it is off or its breaker is open.", sourceUp);
  gauges("assistant_source_requests", "Requests to a source of data today.", {
    label: "source",
    read: read(({ requestsToday }) => requestsToday),
  });
  return registry;
}
