/**
 * Overview: recent activity of the runs that the caller may see, and the state of the server.
 */
import { omitUndefined } from "@baton/core/util";
import type { Database, RunFilter, RunRecord } from "@baton/store";
import { z } from "zod";
import type { Api } from "./api.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { readQuery } from "../gateway/input/query-string.ts";
import { minuteStart, toAgentFigures, toFigures, toMinutes, toToolFigures } from "../runs/overview.ts";
import { type Service, visibleRuns } from "../service.ts";

const QUERY = z.object({ minutes: z.coerce.number().int().min(1).max(1_440).default(60) });
const FIGURES = z.object({
  runs: z.int().meta({ description: "Created in this period" }),
  ended: z.int(),
  done: z.int(),
  p50_ms: z
    .number()
    .optional()
    .meta({ description: "Median duration of runs that ended, without the time they waited" }),
  p95_ms: z.number().optional(),
  first_text_p95_ms: z.number().optional(),
  tokens: z.int(),
  cost_usd: z.number(),
});
const TOOL = z.object({ name: z.string(), calls: z.int(), errors: z.int(), average_ms: z.number() });
const AGENT = z.object({
  name: z.string(),
  crew: z.string(),
  turns: z.int(),
  errors: z.int(),
  tokens: z.int(),
  cost_usd: z.number(),
});
const OVERVIEW = z
  .object({
    of: z.enum(["tenant", "user"]).meta({ description: "`tenant` for a key with `admin`, else your own runs" }),
    minutes: z.array(FIGURES.extend({ at: z.iso.datetime() })).meta({ description: "Oldest first" }),
    total: FIGURES,
    tools: z.array(TOOL).meta({ description: "Those with the most errors first" }),
    agents: z.array(AGENT),
    is_partial: z.literal(true).optional().meta({ description: "True if there were more runs than are counted here" }),
    server: z.object({
      open_streams: z.int(),
      active_runs: z.int(),
      breakers: z.array(z.object({ model: z.string(), is_open: z.boolean() })),
      store: z.object({ kind: z.string(), is_healthy: z.boolean(), problem: z.string().optional() }),
    }),
  })
  .meta({ id: "Overview" });

const PAGE = 1_000;
/** More runs are not read: a minute of them is enough to see how they fare. */
const MAX_RUNS = 20_000;

/** Adds the route of the overview. */
export function addOverview(api: Api, service: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/overview",
      summary: "Recent activity of runs by minute, their tools and agents, and the state of the server",
      scope: "read",
      query: QUERY,
      answers: { 200: { description: "The overview", schema: OVERVIEW } },
    },
    async (c) => c.json(await toOverview(service, c)),
  );
}

async function toOverview(service: Service, c: GatewayContext): Promise<z.infer<typeof OVERVIEW>> {
  const { store, crews, hub, feed, engine } = service;
  const { minutes } = readQuery(c, QUERY);
  const now = store.clock.now();
  const visible = visibleRuns(c);
  const records = await readRuns(store.database, { ...visible, since: minuteStart(now, minutes) });
  const { problem } = store;
  return {
    of: visible.user === undefined ? "tenant" : "user",
    minutes: [...toMinutes(records, now, minutes)],
    total: toFigures(records),
    tools: [...toToolFigures(records)],
    agents: [...toAgentFigures(records, (record) => crews.idOf(record))],
    ...(records.length < MAX_RUNS ? {} : { is_partial: true }),
    server: {
      open_streams: hub.size + feed.size,
      active_runs: engine.open,
      breakers: Array.from(service.breakers(), ([model, isOpen]) => ({ model, is_open: isOpen })),
      store: { kind: store.database.name, is_healthy: store.healthy, ...omitUndefined({ problem: problem?.message }) },
    },
  };
}

async function readRuns(database: Database, filter: RunFilter): Promise<readonly RunRecord[]> {
  const records: RunRecord[] = [];
  while (records.length < MAX_RUNS) {
    const page = await database.runs.list({ ...filter, ...omitUndefined({ before: records.at(-1)?.id }), limit: PAGE });
    records.push(...page);
    if (page.length < PAGE) break;
  }
  return records;
}
