/**
 * Chat metrics: the counts of an assistant and the state of its data sources, for the server's `/metrics`.
 */
import { createMetricsRegistry, defineMeter, type MetricsRegistry } from "@baton/server/mount";
import { ASSISTANT_COUNTERS, type AssistantMeter } from "../metrics/assistant-meter.ts";

/** Creates the registry of an assistant's metrics; they are read when `/metrics` is. */
export function createChatMetrics(meter: AssistantMeter): MetricsRegistry {
  const registry = createMetricsRegistry();
  const { totals, gauges } = defineMeter(registry);
  for (const { name, labels, help } of ASSISTANT_COUNTERS) {
    totals(`${name}_total`, help, { labels, read: () => meter.read(name) });
  }
  totals(
    "source_requests_total",
    "Times that a source of data was asked, by how that ended: ok or the kind of failure.",
    {
      labels: ["source", "status"],
      read: () =>
        meter
          .sources()
          .flatMap(({ name, requests }) =>
            Array.from(requests, ([status, n]) => [{ source: name, status }, n] as const),
          ),
    },
  );
  gauges("source_breaker_open", "1 if the breaker of a source of data is open, 0 if it may be asked.", {
    label: "source",
    read: () => meter.sources().map(({ name, isBreakerOpen }) => [name, isBreakerOpen ? 1 : 0] as const),
  });
  return registry;
}
