/**
 * Crew stream: asks a crew, and streams what it does in the crew documents' wire format.
 *
 * A browser's EventSource comes back by itself, with the address it asked with and the id of the last frame it has:
 * it is given what is left of that stream, and nothing is asked again.
 */
import { given } from "@baton/core";
import type { Owner } from "@baton/store";
import { z } from "zod";
import { RUN_HEADERS } from "./api-headers.ts";
import type { Api } from "./api.ts";
import { crew } from "../dialects/crew.ts";
import { parse, readJson } from "../gateway/body.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { scanJson } from "../gateway/json-scan.ts";
import { checkScope } from "../gateway/keys.ts";
import { invalid } from "../gateway/problem.ts";
import { readQuery } from "../gateway/query-string.ts";
import { HISTORY, ID, QUERY } from "../gateway/text.ts";
import { setRunHeaders, stream, streamLife, toContext } from "../runs/life-answer.ts";
import { startLife } from "../runs/life.ts";
import { findSeenEnd } from "../streams/seen-end.ts";
import type { Service } from "../service.ts";
import { toFormat } from "../streams/format.ts";
import { readFrameId } from "./frame-id.ts";
import { ON_DISCONNECT } from "./on-disconnect.ts";

const NAMES = { crew: ID.optional(), session_id: ID.optional(), resume_agent_id: ID.optional() };
const ASK = z.object({ query: QUERY, history: HISTORY.optional(), ...NAMES });
const ASK_QUERY = ON_DISCONNECT.extend({ q: z.string(), ...NAMES });
const STREAMED = {
  description: "Frames of the crew dialect",
  type: "text/event-stream",
  headers: RUN_HEADERS,
} as const;
const SEEN = { description: "With `Last-Event-ID`: there is nothing more; nothing is asked again" } as const;

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
  const id = c.req.header("last-event-id") ?? "";
  return id === "" ? ask(service, c, asked) : goOn(service, c, { asked, id });
}

async function ask(service: Service, c: GatewayContext, asked: Asked) {
  const { query: input, history, session_id: session, resume_agent_id: agent, on_disconnect } = asked;
  const served = service.crews.get(asked.crew, "crew");
  const field = c.req.method === "GET" ? "q" : "query";
  const life = await startLife(service, c, { served, session, field, start: { input, ...given({ history, agent }) } });
  return streamLife(service, c, { life, dialect: "crew", isCancelledOnLeave: on_disconnect === "cancel" });
}

interface Returned {
  readonly asked: Asked;
  /** Of the last frame the client has. */
  readonly id: string;
}

/** What is left of the stream of whoever has asked before; only with a session is it known which run that was. */
async function goOn(service: Service, c: GatewayContext, { asked, id }: Returned): Promise<Response> {
  const { query, session_id: session } = asked;
  const place = readFrameId("Last-Event-ID", id);
  if (session === undefined) return c.body(null, 204);
  checkScope(c.var.scopes, "read");
  const { store, hub } = service;
  const record = await findAsked(service, { owner: c.var, session, query, seq: place.seq });
  if (record === undefined) return c.body(null, 204);
  setRunHeaders(c, record);
  const format = toFormat(crew, await toContext(service, record, undefined));
  if ((await findSeenEnd(store, { run: record.id, format, place })) !== undefined) return c.body(null, 204);
  await hub.prepare(record.id, 0);
  return stream(service, c, { record, streaming: { dialect: "crew" }, seen: place, pauseAfter: place.seq - 1 });
}

interface AskedBefore {
  readonly owner: Owner;
  readonly session: string;
  readonly query: string;
  readonly seq: number;
}

/** The newest run that was asked this and has come so far; where it was an answer to one that waited, the newest. */
async function findAsked({ store }: Service, { owner, session, query, seq }: AskedBefore) {
  const { tenant, user } = owner;
  const runs = await store.database.runs({ tenant, user, session });
  const same = runs.filter(({ input }) => input === query);
  for (const record of same.length > 0 ? same : runs.slice(0, 1)) {
    if (seq <= (await store.database.length(record.id))) return record;
  }
  return undefined;
}

/** A text; or a whole request, where it is a JSON object with `query`. */
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
