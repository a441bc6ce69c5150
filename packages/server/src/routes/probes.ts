/**
 * Probes: liveness, readiness and metrics.
 */
import { z } from "zod";
import type { Api } from "./api.ts";
import { readQuery } from "../gateway/input/query-string.ts";
import type { Service } from "../service.ts";

const STATUS = z.object({ status: z.string() });
const TALLY = z.object({
  count: z.int(),
  success: z.int(),
  error: z.int(),
  timeout: z.int(),
  cancelled: z.int(),
  success_rate: z.number().min(0).max(1),
  total_seconds: z.number(),
  average_seconds: z.number(),
  min_seconds: z.number(),
  max_seconds: z.number(),
});
const TALLIES = z.record(z.string(), TALLY);
const SAMPLE = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.union([z.string(), z.number()])),
  value: z.number(),
});
const METRICS = z
  .object({
    metrics: z.array(z.object({ name: z.string(), type: z.string(), samples: z.array(SAMPLE) })),
    runs: TALLY.extend({ crews: TALLIES }),
    agents: z.record(z.string(), TALLY.extend({ tools: TALLIES })),
    tools: TALLIES,
    requests: TALLIES.meta({ description: "By route" }),
  })
  .meta({ id: "Metrics" });
const METRICS_QUERY = z.object({ format: z.enum(["prometheus", "json"]).default("prometheus") });

/** Adds the routes of probes and metrics. */
export function addProbes(api: Api, { admission, observer }: Service): void {
  api.add(
    {
      method: "get",
      path: "/health",
      summary: "Liveness: whether the server runs",
      answers: { 200: { description: "It does", schema: STATUS } },
    },
    (c) => c.json({ status: "ok" }),
  );
  api.add(
    {
      method: "get",
      path: "/ready",
      summary: "Readiness: whether the store can be used and the server is not stopping",
      answers: {
        200: { description: "Ready", schema: STATUS },
        503: { description: "Not ready", schema: STATUS, headers: ["Retry-After"] },
      },
    },
    (c) => {
      if (admission.isReady) return c.json({ status: "ready" });
      return c.json({ status: admission.isStopping ? "stopping" : "store_unavailable" }, 503, { "Retry-After": "1" });
    },
  );
  api.add(
    {
      method: "get",
      path: "/metrics",
      summary: "Metrics, for Prometheus or as JSON",
      scope: "admin",
      query: METRICS_QUERY,
      answers: { 200: { description: "Metrics", schema: METRICS, type: "text/plain" } },
    },
    async (c) => {
      const { format } = readQuery(c, METRICS_QUERY);
      if (format === "json") return c.json(await observer.metricsJson());
      return c.body(await observer.metricsText(), 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
    },
  );
}
