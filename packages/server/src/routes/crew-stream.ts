/**
 * Crew stream: asks a crew, and streams what it does in the crew documents' wire format.
 *
 * Reads: api, life, life-answer, service. Read by: app.
 */
import { z } from "zod";
import type { Api } from "../api.ts";
import { parse, readJson } from "../gateway/body.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { scanJson } from "../gateway/json-scan.ts";
import { invalid, notFound, Problem } from "../gateway/problem.ts";
import { readQuery } from "../gateway/query-string.ts";
import { HISTORY, ID, QUERY } from "../gateway/text.ts";
import { given } from "@baton/core";
import { streamLife } from "../life-answer.ts";
import { startLife } from "../life.ts";
import type { ServedCrew } from "../options.ts";
import type { Service } from "../service.ts";
import { ON_DISCONNECT } from "./on-disconnect.ts";

const NAMES = { crew: ID.optional(), session_id: ID.optional(), resume_agent_id: ID.optional() };
const ASK = z.object({ query: QUERY, history: HISTORY.optional(), ...NAMES });
const ASK_QUERY = ON_DISCONNECT.extend({ q: z.string(), ...NAMES });
const ANSWERS = { 200: { description: "Frames of the crew dialect", type: "text/event-stream" } } as const;

/** Adds the routes of the crew stream. */
export function addCrewStream(api: Api, service: Service): void {
  const path = "/api/crew/stream";
  const common = { path, summary: "Ask a crew and stream its work", scope: "run", answers: ANSWERS } as const;
  api.add({ ...common, method: "get", query: ASK_QUERY, isHeadRefused: true }, (c) => {
    const { q, ...named } = readQuery(c, ASK_QUERY);
    return ask(service, c, { ...parseQuery(q), ...named });
  });
  api.add({ ...common, method: "post", query: ON_DISCONNECT, body: ASK }, async (c) => {
    const { on_disconnect } = readQuery(c, ON_DISCONNECT);
    const body = await readJson(c, ASK, { maxBytes: service.maxBodyBytes });
    return ask(service, c, { ...body, on_disconnect });
  });
}

type Asked = z.output<typeof ASK> & z.output<typeof ON_DISCONNECT>;

async function ask(service: Service, c: GatewayContext, asked: Asked) {
  const { query: input, history, session_id: session, resume_agent_id: agent, on_disconnect } = asked;
  const served = service.crews.get(asked.crew, "crew");
  await checkAgent(service, c, { served, session, agent });
  const field = c.req.method === "GET" ? "q" : "query";
  const life = await startLife(service, c, { served, session, field, start: { input, ...given({ history, agent }) } });
  return streamLife(service, c, { life, dialect: "crew", isCancelledOnLeave: on_disconnect === "cancel" });
}

interface Named {
  readonly served: ServedCrew;
  readonly session: string | undefined;
  readonly agent: string | undefined;
}

/** A run goes on with whoever waits in it: who names somebody else would be answered by the wrong one. */
async function checkAgent({ store }: Service, c: GatewayContext, { served, session, agent }: Named): Promise<void> {
  if (agent === undefined) return;
  const field = "resume_agent_id";
  const { agents, groups, name } = served.crew;
  if (!agents.has(agent) && !groups.has(agent)) throw notFound(`agent or group ${agent} in ${name}`, { field });
  const found = session === undefined ? undefined : await store.database.session(c.var.tenant, session);
  const waiting = found?.paused === undefined ? undefined : (await store.database.run(found.paused))?.agent;
  if (waiting === undefined || waiting === agent) return;
  throw new Problem(
    "conflict",
    `In this session ${waiting} waits for an answer: name ${waiting} or nobody, or use another session.`,
    { problems: [{ field, message: `must be left out, or ${waiting}` }] },
  );
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
