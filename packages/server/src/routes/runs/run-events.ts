/**
 * Run events: a run's log, in any dialect and from any place, as a stream or as a list.
 */
import { omitUndefined, toMessage } from "@baton/core/util";
import type { RunRecord, Store } from "@baton/store";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import type { DialectOptions } from "../../dialects/dialect.ts";
import { sendParts } from "../../gateway/compress.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { invalid } from "../../gateway/problem.ts";
import { readQuery } from "../../gateway/input/query-string.ts";
import { text } from "../../gateway/input/text.ts";
import { setRunHeaders, stream, type Streaming, dialectContextOf } from "../../runs/segment-answer.ts";
import { findVisibleRun, type Service } from "../../service.ts";
import type { EventId } from "../../streams/event-id.ts";
import { toFormat } from "../../streams/stream-format.ts";
import { findSeenEnd } from "../../streams/find-seen-end.ts";
import { type OmittedEvents, omitEvents } from "../../streams/omit-events.ts";
import { readFrameId } from "../../runs/frame-id.ts";

/** Events that a list omits; a stream is always complete. */
const LISTED = z.object({
  deltas: z.literal("none").optional().meta({ description: "Of a list: leave out the pieces of streamed text" }),
  history: z.literal("none").optional().meta({ description: "Of a list: leave out the conversation before the run" }),
  to: z.coerce.number().int().min(1).optional().meta({ description: "Of a list: the last event wanted" }),
});

const OPTIONS_QUERY = z.object({
  after: z.string().optional(),
  /** Of the dialects `openai`, `responses` and `agui`: as the request had them. */
  include_usage: z.enum(["true", "false"]).optional(),
  baton_final_only: z.enum(["true", "false"]).optional(),
  previous_response_id: text({ minChars: 1, maxChars: 256 }).optional(),
  run_id: text({ minChars: 1, maxChars: 256 }).optional(),
  ...LISTED.shape,
});
const EVENTS = z.object({ events: z.array(z.looseObject({ run: z.string(), seq: z.int(), type: z.string() })) });

const JSON_TYPE = { "Content-Type": "application/json" } as const;
const LIST_IS_LOG = "must be left out, or baton, for a list of events (Accept: application/json)";

/** The query, with the dialects that this server has. */
function toQuery({ dialects }: Service) {
  return OPTIONS_QUERY.extend({ dialect: z.enum(dialects.names).default("baton") });
}

type EventsQuery = ReturnType<typeof toQuery>;

/** Adds the route of a run's events. */
export function addRunEvents(api: Api, service: Service): void {
  const query = toQuery(service);
  api.add(
    {
      method: "get",
      path: "/api/runs/:id/events",
      summary:
        "The log as server-sent events, from `Last-Event-ID` or `after` on; with `Accept: application/json` as a list",
      scope: "read",
      query,
      headers: ["Last-Event-ID"],
      answers: {
        200: {
          description: "Events; the stream is open until the run has ended",
          schema: EVENTS,
          type: "text/event-stream",
          headers: RUN_HEADERS,
        },
        204: { description: "The run has ended, and there is nothing more", headers: RUN_HEADERS },
      },
    },
    (c) => answer(service, c, query),
  );
}

async function answer(service: Service, c: GatewayContext, asked: EventsQuery): Promise<Response> {
  const { store, hub } = service;
  const query = readQuery(c, asked);
  const place = readPlace(c, query.after);
  const record = await findVisibleRun(service, c, c.req.param("id") ?? "");
  setRunHeaders(c, record);
  if (isJsonWanted(c.req.header("accept"))) {
    if (query.dialect !== "baton") throw invalid([{ field: "dialect", message: LIST_IS_LOG }]);
    const { deltas, history, to = Infinity } = query;
    const leave = omitUndefined({ deltas, history });
    return sendList(service, c, { run: record.id, after: place?.seq ?? 0, to, leave });
  }
  const streaming: Streaming = { dialect: query.dialect, ...omitUndefined({ options: toOptions(query) }) };
  const length = place === undefined ? 0 : await store.database.logs.length(record.id);
  // Frames that no client can have seen yet are not skipped when they come.
  const seen = place !== undefined && place.seq > length ? { seq: length, part: Infinity } : place;
  if (seen !== undefined && (await hasEnded(service, { record, streaming, seen }))) return c.body(null, 204);
  await hub.prepare(record.id, query.dialect === "baton" ? (seen?.seq ?? 0) : 0);
  return stream(service, c, { record, streaming, seen, pauseAfter: Infinity });
}

interface Returning {
  readonly record: RunRecord;
  readonly streaming: Streaming;
  readonly seen: EventId;
}

/** Whether who has seen so much has seen the end of the run; its log says so, whatever its record said a moment ago. */
async function hasEnded(service: Service, { record, streaming, seen }: Returning): Promise<boolean> {
  const context = await dialectContextOf(service, record, streaming.options);
  const format = toFormat(service.dialects.get(streaming.dialect), context);
  return (await findSeenEnd(service.store, { run: record.id, format, place: seen })) === "run.ended";
}

/** Keeps only the options of the dialect, so that streams with the same options share their bytes. */
function toOptions(query: z.output<EventsQuery>): DialectOptions | undefined {
  const { dialect, previous_response_id, run_id } = query;
  const final = query.baton_final_only === "true" ? { baton_final_only: true } : {};
  const usage = query.include_usage === "true" ? { include_usage: true } : {};
  if (dialect === "agui") return toAny(omitUndefined({ run_id }));
  if (dialect === "responses") return toAny({ ...omitUndefined({ previous_response_id }), ...final });
  return dialect === "openai" ? toAny({ ...usage, ...final }) : undefined;
}

function toAny(options: DialectOptions): DialectOptions | undefined {
  return Object.keys(options).length === 0 ? undefined : options;
}

/** A browser that reconnects sends the header, and the same address as before. */
function readPlace(c: GatewayContext, after: string | undefined): EventId | undefined {
  const header = c.req.header("last-event-id");
  const [field, id] = header === undefined || header === "" ? ["after", after] : ["Last-Event-ID", header];
  if (id === undefined) return undefined;
  const place = readFrameId(field ?? "", id);
  return place.seq === 0 ? undefined : place;
}

/** Whether a list is wanted rather than a stream. */
function isJsonWanted(accept = ""): boolean {
  const ranges = accept.split(",").map((range) => range.split(";").map((part) => part.trim().toLowerCase()));
  const weigh = (...types: readonly string[]): number => {
    const [, ...parameters] = types.flatMap((type) => ranges.filter(([name]) => name === type))[0] ?? ["", "q=0"];
    return Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
  };
  return weigh("application/json", "application/*", "*/*") > weigh("text/event-stream", "text/*", "*/*");
}

interface Listing {
  readonly run: string;
  readonly after: number;
  readonly to: number;
  readonly leave: OmittedEvents;
}

/** Sent as it is read: a log may be long. What cannot be read at first is answered so, and later ends the list early. */
async function sendList({ store, observer }: Service, c: GatewayContext, listing: Listing): Promise<Response> {
  const { run, after } = listing;
  const first = await store.lines(run, after);
  if (c.req.method === "HEAD") return c.body(null, 200, JSON_TYPE);
  try {
    const chars = first.reduce((sum, line) => sum + line.length, 0);
    await sendParts(c, listOf(store, listing, first), { chars, headers: JSON_TYPE });
  } catch (error) {
    if (!isLeft(error)) observer.logger.error("a log could not be read", { run, error: toMessage(error) });
  }
  return RESPONSE_ALREADY_SENT;
}

/** Whether the client closed the connection itself. */
function isLeft(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}

async function* listOf(store: Store, listing: Listing, first: readonly string[]): AsyncGenerator<string, void> {
  const { run, after, to, leave } = listing;
  yield '{"events":[';
  let next = after;
  let isFirst = true;
  for (let lines = first; lines.length > 0 && next < to; lines = await store.lines(run, next)) {
    const kept = omitEvents(lines.slice(0, to - next), leave);
    next += lines.length;
    if (kept.length === 0) continue;
    yield (isFirst ? "" : ",") + kept.join(",");
    isFirst = false;
  }
  yield "]}";
}
