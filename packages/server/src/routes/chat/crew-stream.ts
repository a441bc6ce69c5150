/**
 * Crew stream: asks a crew, and streams what it does in the crew documents' wire format.
 *
 * A browser's EventSource comes back by itself, with the address it asked with and the id of the last frame it has.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import { parse, readJson } from "../../gateway/input/body.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { scanJson } from "../../gateway/input/json-scan.ts";
import { invalid } from "../../gateway/problem.ts";
import { readQuery } from "../../gateway/input/query-string.ts";
import { HISTORY, ID, QUERY } from "../../gateway/input/text.ts";
import { reconnect, lastFrameOf } from "../../runs/reconnect.ts";
import { streamSegment } from "../../runs/segment-answer.ts";
import { startSegment } from "../../runs/request-segment.ts";
import type { Service } from "../../service.ts";
import { ON_DISCONNECT } from "../runs/on-disconnect.ts";

const NAMES = { crew: ID.optional(), session_id: ID.optional(), resume_agent_id: ID.optional() };
const ASK = z.object({ query: QUERY, history: HISTORY.optional(), ...NAMES });
const ASK_QUERY = ON_DISCONNECT.extend({ q: z.string(), ...NAMES });
const STREAMED = {
  description: "Frames of the crew dialect",
  type: "text/event-stream",
  headers: RUN_HEADERS,
} as const;
const SEEN = { description: "With `Last-Event-ID`: the stream has ended; nothing is asked again" } as const;

/** Adds the routes of the crew stream. */
export function addCrewStream(api: Api, service: Service): void {
  const path = "/api/crew/stream";
  const common = { path, summary: "Ask a crew and stream its work", scope: "run" } as const;
  const get = { ...common, method: "get", query: ASK_QUERY, headers: ["Last-Event-ID"], isHeadRefused: true } as const;
  const post = { ...common, method: "post", query: ON_DISCONNECT, body: ASK, headers: ["Last-Event-ID"] } as const;
  api.add({ ...get, answers: { 200: STREAMED, 204: SEEN } }, (c) => {
    const { q, ...named } = readQuery(c, ASK_QUERY);
    return answer(service, c, { ...parseQuery(q), ...named });
  });
  api.add({ ...post, answers: { 200: STREAMED, 204: SEEN } }, async (c) => {
    const { on_disconnect } = readQuery(c, ON_DISCONNECT);
    const body = await readJson(c, ASK, { maxBytes: service.maxBodyBytes });
    return answer(service, c, { ...body, on_disconnect });
  });
}

type Asked = z.output<typeof ASK> & z.output<typeof ON_DISCONNECT>;

/** Clients that come back by themselves ask the same again, with what they have seen. */
function answer(service: Service, c: GatewayContext, asked: Asked): Promise<Response> {
  const { query: input, session_id: session } = asked;
  const id = lastFrameOf(c);
  return id === ""
    ? ask(service, c, asked)
    : reconnect(service, c, { id, session, input, streaming: { dialect: "crew" } });
}

async function ask(service: Service, c: GatewayContext, asked: Asked) {
  const { query: input, history, session_id: session, resume_agent_id: agent, on_disconnect } = asked;
  const served = service.crews.get(asked.crew, "crew");
  const field = c.req.method === "GET" ? "q" : "query";
  const segment = await startSegment(service, c, {
    served,
    session,
    field,
    start: { input, ...omitUndefined({ history, agent }) },
  });
  return streamSegment(service, c, { segment, dialect: "crew", isCancelledOnLeave: on_disconnect === "cancel" });
}

/** A text; or a whole request, if it is a JSON object with `query`. */
function parseQuery(q: string): z.output<typeof ASK> {
  const value = parseObject(q);
  if (value === undefined) return { query: parse(QUERY, q, "q") };
  const problems = scanJson(q);
  if (problems.length > 0) throw invalid(problems);
  return parse(ASK, value);
}

function parseObject(q: string): object | undefined {
  if (!q.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(q);
    return typeof value === "object" && value !== null && "query" in value ? value : undefined;
  } catch {
    return undefined;
  }
}
