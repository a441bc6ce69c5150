/**
 * Sessions: conversations, what was said in them, and their end.
 */
import { omitUndefined, parseJson } from "@baton/core/util";
import type { Database, SessionPlace, SessionRecord, SessionRuns } from "@baton/store";
import { z } from "zod";
import type { Api } from "../api.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { notFound, type Problem } from "../../gateway/problem.ts";
import { readQuery } from "../../gateway/input/query-string.ts";
import { ID, text } from "../../gateway/input/text.ts";
import { linkRun } from "../../runs/request-segment.ts";
import { FAILURE, RECEIPT, toReceipt } from "../../runs/run-view.ts";
import { readOrDamaged, type Service } from "../../service.ts";
import { readJson } from "../../gateway/input/body.ts";
import { EXPORT_QUERY, readConversation, toMarkdown } from "./session-export.ts";
import { LIST_PAGE, noSuchPage, toListPage } from "../list-page.ts";

const SESSION = z
  .object({
    id: ID,
    title: z.string().optional().meta({ description: "The first input, in one line of at most 120 characters" }),
    crew: z.string().optional().meta({ description: "The crew of its newest run" }),
    runs: z.int().meta({ description: "How many runs of it are kept" }),
    status: z.enum(["queued", "running", "paused", "ended"]).optional().meta({ description: "Of its newest run" }),
    paused_run: ID.optional(),
    pinned: z.boolean().meta({ description: "Pinned ones come first in the list" }),
    error: FAILURE.optional(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Session" });
const MAX_TITLE_CHARS = 200;
/** A place in the list: a session's last use and its id; an id alone is the place that the session has now. */
const PLACE = /^(?:(pinned\.)?([0-9.]{1,32})\.)?([a-zA-Z0-9_-]{1,128})$/;
const LIST = LIST_PAGE.extend({
  before: z.string().regex(PLACE, "must be the `next` of a page, or the id of a session").optional(),
  q: text({ minChars: 1, maxChars: 1_000 }).optional().meta({ description: "Part of the title" }),
});
const EDIT = z.object({
  title: text({ minChars: 1, maxChars: MAX_TITLE_CHARS }).nullable().optional(),
  pinned: z.boolean().optional(),
});
const EXPORTED = z.object({
  id: ID,
  title: z.string().optional(),
  created_at: z.iso.datetime(),
  messages: z.array(
    z.object({
      role: z.enum(["user", "assistant"]),
      agent: z.string().optional(),
      content: z.string(),
      at: z.iso.datetime().optional(),
      run: ID.optional(),
    }),
  ),
});
const SESSIONS = z.object({ sessions: z.array(SESSION), next: z.string().optional() });
const MESSAGES = z.object({
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.string(),
      commentary: z
        .literal(true)
        .optional()
        .meta({ description: "It was said before tool calls: it is not the answer" }),
    }),
  ),
});
const WITH_CALLS = z.looseObject({
  role: z.literal("assistant"),
  agent: z.string().optional(),
  content: z.string(),
  calls: z.array(z.unknown()).min(1),
});
/** Of a longer conversation the feed does not tell each run that went with it. */
const MAX_TOLD = 1_000;
const CANCELLED = z.object({ runs: z.array(z.object({ id: ID, receipt: RECEIPT })) });

/** Adds the routes of sessions. */
export function addSessions(api: Api, service: Service): void {
  const { database } = service.store;
  api.add(
    {
      method: "get",
      path: "/api/sessions",
      summary:
        "Conversations, pinned ones first, then the one that was used last; `next` is the `before` of the next page",
      scope: "read",
      query: LIST,
      answers: { 200: { description: "Sessions", schema: SESSIONS } },
    },
    (c) => list(service, c),
  );
  api.add(
    {
      method: "get",
      path: "/api/sessions/:id/messages",
      summary: "What was said",
      scope: "read",
      answers: { 200: { description: "Messages, oldest first", schema: MESSAGES } },
    },
    async (c) => {
      const { id } = await findSession(service, c);
      const messages = await database.sessions.messages(c.var, id);
      return c.body(`{"messages":[${messages.map(markCommentary).join(",")}]}`, 200, {
        "Content-Type": "application/json",
      });
    },
  );
  addEditing(api, service);
  api.add(
    {
      method: "post",
      path: "/api/sessions/:id/cancel",
      summary: "Cancel every run that is running or waiting in a conversation; messages and runs stay",
      scope: "run",
      answers: { 200: { description: "The runs that were cancelled, each with its receipt", schema: CANCELLED } },
    },
    (c) => cancel(service, c),
  );
  api.add(
    {
      method: "delete",
      path: "/api/sessions/:id",
      summary: "Delete a conversation with its messages and runs; runs in it that have not ended are cancelled",
      scope: "run",
      answers: { 204: { description: "Removed" } },
    },
    (c) => remove(service, c),
  );
}

/** Marks the text of a stored reply that calls tools. */
function markCommentary(message: string): string {
  const { data } = message.includes('"calls"') ? WITH_CALLS.safeParse(parseJson(message)) : {};
  if (data === undefined || data.content.trim() === "") return message;
  return JSON.stringify({ ...data, commentary: true });
}

/** Adds the routes that rename, pin and export a session. */
function addEditing(api: Api, service: Service): void {
  api.add(
    {
      method: "patch",
      path: "/api/sessions/:id",
      summary: "Rename or pin a conversation; the title `null` gives the automatic one back",
      scope: "run",
      body: EDIT,
      answers: { 200: { description: "The session", schema: SESSION } },
    },
    (c) => edit(service, c),
  );
  api.add(
    {
      method: "get",
      path: "/api/sessions/:id/export",
      summary: "The conversation as a file: roles, agents, times and run ids, without outputs of tools",
      scope: "read",
      query: EXPORT_QUERY,
      answers: { 200: { description: "The file", schema: EXPORTED, type: "text/markdown" } },
    },
    (c) => exportSession(service, c),
  );
}

async function edit(service: Service, c: GatewayContext): Promise<Response> {
  const asked = await readJson(c, EDIT, { maxBytes: service.maxBodyBytes });
  const { sessions } = service.store.database;
  const id = c.req.param("id") ?? "";
  const session = await sessions.edit(c.var, id, omitUndefined(asked));
  if (session === undefined) throw noSession(id);
  const known = (await sessions.runs(c.var, [id])).get(id);
  return c.json(toView(session, known && { ...known, crew: service.crews.idOf(known) }));
}

async function exportSession(service: Service, c: GatewayContext): Promise<Response> {
  const { format } = readQuery(c, EXPORT_QUERY);
  const session = await findSession(service, c);
  const messages = await readConversation(service, session);
  const [type, ending] = format === "json" ? ["application/json", "json"] : ["text/markdown; charset=utf-8", "md"];
  const headers = {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="session-${session.id}.${ending}"`,
  };
  if (format === "markdown") return c.body(toMarkdown(session, messages), 200, headers);
  const title = session.givenTitle ?? session.title;
  const created = new Date(session.createdAt).toISOString();
  return c.body(JSON.stringify({ id: session.id, title, created_at: created, messages }), 200, headers);
}

async function list({ store: { database }, crews }: Service, c: GatewayContext): Promise<Response> {
  const { before: asked, q, limit } = readQuery(c, LIST);
  const { tenant, user } = c.var;
  const before = asked === undefined ? undefined : await toPlace(database, c, asked);
  const found = await database.sessions.list({ tenant, user, ...omitUndefined({ text: q, before }), limit: limit + 1 });
  const { items } = toListPage(found, limit);
  const runs = await database.sessions.runs(
    c.var,
    items.map(({ id }) => id),
  );
  const sessions = items.map((session) => {
    const known = runs.get(session.id);
    return toView(session, known && { ...known, crew: crews.idOf(known) });
  });
  const last = found.length > limit ? items.at(-1) : undefined;
  return c.json({
    sessions,
    ...omitUndefined({ next: last && `${last.pinned === true ? "pinned." : ""}${last.updatedAt}.${last.id}` }),
  });
}

/** The end of the page before; it does not move if its session is used meanwhile. */
async function toPlace(database: Database, c: GatewayContext, asked: string): Promise<SessionPlace> {
  const [, pinned, time, id = ""] = PLACE.exec(asked) ?? [];
  const updatedAt = Number(time ?? NaN);
  if (Number.isFinite(updatedAt)) return { id, updatedAt, ...(pinned === undefined ? {} : { pinned: true }) };
  const session = await readOrDamaged(database.sessions.find(c.var, id));
  if (session === undefined || session === "damaged") throw noSuchPage(`session ${id}`);
  return session;
}

async function cancel(service: Service, c: GatewayContext): Promise<Response> {
  const id = await requireSession(service, c);
  await linkOpenRuns(service, c, id);
  const cancelled = await service.engine.cancelSession(c.var, id);
  return c.json({ runs: cancelled.map(({ run, receipt }) => ({ id: run, receipt: toReceipt(receipt) })) });
}

async function remove(service: Service, c: GatewayContext): Promise<Response> {
  const id = await requireSession(service, c);
  service.admission.check();
  await linkOpenRuns(service, c, id);
  await service.engine.cancelSession(c.var, id, "its session was deleted");
  const { tenant, user } = c.var;
  const runs = await service.store.database.runs.list({ tenant, user, session: id, limit: MAX_TOLD });
  await service.hub.flush(runs);
  await service.store.database.sessions.delete(c.var, id);
  service.feed.removed(runs);
  service.sockets.removed(runs);
  return c.body(null, 204);
}

/** Says which request ends the runs of a session. */
async function linkOpenRuns(service: Service, c: GatewayContext, session: string): Promise<void> {
  const { tenant, user } = c.var;
  for (const status of ["running", "paused"] as const)
    for (const run of await service.store.database.runs.list({ tenant, user, session, status }))
      linkRun(service, c, run);
}

/** The id of a session that is there, damaged or not. */
async function requireSession({ store }: Service, c: GatewayContext): Promise<string> {
  const id = c.req.param("id") ?? "";
  if ((await readOrDamaged(store.database.sessions.find(c.var, id))) === undefined) throw noSession(id);
  return id;
}

async function findSession({ store }: Service, c: GatewayContext): Promise<SessionRecord> {
  const id = c.req.param("id") ?? "";
  const session = await store.database.sessions.find(c.var, id);
  if (session === undefined) throw noSession(id);
  return session;
}

function noSession(id: string): Problem {
  return notFound(`session ${id}`, { next: "GET /api/sessions has all of your sessions." });
}

function toView(session: SessionRecord, known: SessionRuns | undefined): z.infer<typeof SESSION> {
  const { id, givenTitle, title, pinned = false, paused, error, createdAt, updatedAt } = session;
  return {
    id,
    ...omitUndefined({ title: givenTitle ?? title, crew: known?.crew }),
    runs: known?.runs ?? 0,
    pinned,
    ...omitUndefined({ status: known?.status, paused_run: paused, error: error && { ...error } }),
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}
