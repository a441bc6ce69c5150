/**
 * Run events: a run's log, in any dialect and from any place, as a stream or as a list.
 *
 * Reads: api, life-answer, service, streams. Read by: app.
 */
import { given } from "@baton/core";
import type { RunRecord, Store } from "@baton/store";
import { z } from "zod";
import type { Api } from "../api.ts";
import type { DialectName, DialectOptions } from "../dialects/dialect.ts";
import { DIALECTS } from "../dialects/index.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { invalid } from "../gateway/problem.ts";
import { readQuery } from "../gateway/query-string.ts";
import { text } from "../gateway/text.ts";
import { setRunHeaders, stream, type Streaming, toContext } from "../life-answer.ts";
import { findRun, type Service } from "../service.ts";
import { type EventId, parseEventId } from "../streams/event-id.ts";
import { toFormat } from "../streams/format.ts";
import { Page } from "../streams/page.ts";
import { Projection } from "../streams/projection.ts";

const NAMES = ["baton", "crew", "openai", "responses", "ui", "agui"] as const satisfies readonly DialectName[];
const EVENTS_QUERY = z.object({
  dialect: z.enum(NAMES).default("baton"),
  after: z.string().max(64).optional(),
  /** Of the dialects `openai` and `agui`: as the request had them. */
  include_usage: z.enum(["true", "false"]).optional(),
  run_id: text({ minChars: 1, maxChars: 256 }).optional(),
});
const EVENTS = z.object({ events: z.array(z.looseObject({ run: z.string(), seq: z.int(), type: z.string() })) });

const LIST_IS_LOG = "must be left out, or baton, where the events are wanted as a list (Accept: application/json)";

/** Adds the route of a run's events. */
export function addRunEvents(api: Api, service: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/runs/:id/events",
      summary:
        "The log as server-sent events, from `Last-Event-ID` or `after` on; with `Accept: application/json` as a list",
      scope: "read",
      query: EVENTS_QUERY,
      answers: {
        200: { description: "Events; the stream is open until the run has ended", schema: EVENTS },
        204: { description: "The run has ended, and there is nothing more" },
      },
    },
    (c) => answer(service, c),
  );
}

async function answer(service: Service, c: GatewayContext): Promise<Response> {
  const query = readQuery(c, EVENTS_QUERY);
  const seen = readPlace(c, query.after);
  const record = await findRun(service, c, c.req.param("id") ?? "");
  setRunHeaders(c, record);
  if (isJsonWanted(c.req.header("accept"))) {
    if (query.dialect !== "baton") throw invalid([{ field: "dialect", message: LIST_IS_LOG }]);
    return toList(service.store, record, seen?.seq ?? 0);
  }
  const streaming: Streaming = { dialect: query.dialect, ...given({ options: toOptions(query) }) };
  if (seen !== undefined && (await isPastEnd(service, { record, streaming, seen }))) return c.body(null, 204);
  return stream(service, c, { record, streaming, seen, pauseAfter: Infinity });
}

/** What says nothing of the dialect is left out: streams with the same options are made once. */
function toOptions({ dialect, include_usage, run_id }: z.output<typeof EVENTS_QUERY>): DialectOptions | undefined {
  if (dialect === "agui" && run_id !== undefined) return { run_id };
  return dialect === "openai" && include_usage === "true" ? { include_usage: true } : undefined;
}

/** A browser that reconnects sends the header, and the same address as before. */
function readPlace(c: GatewayContext, after: string | undefined): EventId | undefined {
  const header = c.req.header("last-event-id");
  const [field, id] = header === undefined || header === "" ? ["after", after] : ["Last-Event-ID", header];
  if (id === undefined) return undefined;
  const place = parseEventId(id);
  if (place === undefined) throw invalid([{ field: field ?? "", message: "must be the id of a frame: SEQ or SEQ.N" }]);
  return place.seq === 0 ? undefined : place;
}

function isJsonWanted(accept = ""): boolean {
  const types = accept.split(",").map((part) => part.split(";")[0]?.trim().toLowerCase());
  return types.includes("application/json") && !types.includes("text/event-stream");
}

interface Place {
  readonly record: RunRecord;
  readonly streaming: Streaming;
  readonly seen: EventId;
}

/** Whether the run has ended and no frame follows. Only the frames of its very last event must be counted. */
async function isPastEnd(service: Service, { record, streaming, seen }: Place): Promise<boolean> {
  if (record.status !== "ended") return false;
  const { store } = service;
  const length = await store.database.length(record.id);
  if (seen.seq !== length || seen.part === Infinity) return seen.seq >= length;
  const dialect = DIALECTS.get(streaming.dialect);
  if (dialect === undefined) return false;
  const projection = new Projection(toFormat(dialect, await toContext(service, record, streaming.options)), seen);
  while (projection.after < length) {
    const page = new Page(projection.after, await store.lines(record.id, projection.after));
    for (let piece = projection.next(page, length); piece !== undefined; piece = projection.next(page, length)) {
      if (piece.bytes.length > 0) return false;
    }
    await store.clock.breathe();
  }
  return true;
}

/** Sent as it is read: a log may be long. */
function toList(store: Store, record: RunRecord, after: number): Response {
  const parts = listOf(store, record.id, after);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await parts.return(undefined);
    },
  });
  return new Response(body, { headers: { "Content-Type": "application/json" } });
}

async function* listOf(store: Store, run: string, after: number): AsyncGenerator<Uint8Array, undefined> {
  yield Buffer.from('{"events":[');
  let next = after;
  for (let lines = await store.lines(run, next); lines.length > 0; lines = await store.lines(run, next)) {
    yield Buffer.from((next === after ? "" : ",") + lines.join(","));
    next += lines.length;
  }
  yield Buffer.from("]}");
  return undefined;
}
