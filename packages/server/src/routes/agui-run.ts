/**
 * AG-UI run: `POST /api/agui`, what CopilotKit and other clients of AG-UI talk to.
 *
 * A thread is a session. Entries of `resume` answer the interrupts of the run that waits.
 * Reads: api, chat-request, life-answer, service. Read by: app.
 */
import type { Json } from "@baton/core";
import { z } from "zod";
import type { Api } from "../api.ts";
import { beginChat, type ChatAnswer, type ChatMessage, IMAGE_BODY_FACTOR, parseImage } from "../chat-request.ts";
import { readJson } from "../gateway/body.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { readQuery } from "../gateway/query-string.ts";
import { boundedArray, ID, MAX_MESSAGE_BYTES, text, VALUE } from "../gateway/text.ts";
import { streamLife } from "../life-answer.ts";
import type { Service } from "../service.ts";
import { ON_DISCONNECT } from "./on-disconnect.ts";

const MAX_PARTS = 100;
const MAX_MESSAGES = 1_000;
const MAX_ANSWERS = 100;
const TEXT = text({ maxBytes: MAX_MESSAGE_BYTES });
const SOURCE = z.object({ type: z.enum(["data", "url", "file"]), value: z.string(), mimeType: z.string().optional() });
const PART = z.object({ type: z.string().max(256), text: TEXT.optional(), source: SOURCE.optional() });
const MESSAGE = z.object({
  role: z.string().max(64),
  content: z
    .union([TEXT, boundedArray(PART, MAX_PARTS), z.null(), z.looseObject({})], {
      error: "must be a text of at most 100 KiB without control characters, or a list of text and image parts",
    })
    .optional(),
});
const SPOKEN = z.object({ role: z.enum(["user", "system", "developer", "assistant"]) });
const RESUME = z.object({
  interruptId: z.string().max(1_000),
  status: z.enum(["resolved", "cancelled"]),
  payload: VALUE.optional(),
});
const RUN = z.object({
  threadId: ID,
  runId: z.string().max(256),
  messages: boundedArray(MESSAGE, MAX_MESSAGES),
  resume: boundedArray(RESUME, MAX_ANSWERS).optional(),
});
const RUN_QUERY = ON_DISCONNECT.extend({ crew: ID.optional() });

/** Adds the route of AG-UI. */
export function addAguiRun(api: Api, service: Service): void {
  api.add(
    {
      method: "post",
      path: "/api/agui",
      summary: "A run of AG-UI; the crew is in the query",
      scope: "run",
      query: RUN_QUERY,
      body: RUN,
      answers: { 200: { description: "AG-UI's events", type: "text/event-stream" } },
    },
    (c) => run(service, c),
  );
}

async function run(service: Service, c: GatewayContext): Promise<Response> {
  const { crew, on_disconnect: onDisconnect } = readQuery(c, RUN_QUERY);
  const body = await readJson(c, RUN, { maxBytes: service.maxBodyBytes * IMAGE_BODY_FACTOR });
  const life = await beginChat(service, c, {
    served: service.crews.get(crew),
    session: body.threadId,
    messages: body.messages.flatMap(toMessage),
    answers: (body.resume ?? []).map(toAnswer),
  });
  return streamLife(service, c, { life, dialect: "agui", isCancelledOnLeave: onDisconnect === "cancel" });
}

/** Tools and reasoning are remembered here, not there. */
function toMessage({ role: sent, content }: z.output<typeof MESSAGE>): readonly ChatMessage[] {
  const spoken = SPOKEN.safeParse({ role: sent });
  if (!spoken.success) return [];
  const role = spoken.data.role === "developer" ? "system" : spoken.data.role;
  const parts: readonly Part[] = typeof content === "string" ? [{ type: "text", text: content }] : toList(content);
  const images = parts.flatMap(({ type, source }) =>
    type === "image" && source !== undefined ? [toImage(source)] : [],
  );
  return [{ role, text: parts.flatMap(({ text: said }) => (said === undefined ? [] : [said])).join("\n"), images }];
}

type Part = z.output<typeof PART>;

function toList(content: z.output<typeof MESSAGE>["content"]): readonly Part[] {
  return Array.isArray(content) ? content : [];
}

function toImage({ type, value, mimeType = "image/*" }: z.output<typeof SOURCE>) {
  return type === "data" ? { mediaType: mimeType, data: value } : parseImage(value, mimeType);
}

const APPROVED = z.object({ approved: z.boolean() });

/** Clients send the answer itself, or whether they approve. */
function toAnswer({ interruptId: id, status, payload = null }: z.output<typeof RESUME>): ChatAnswer {
  if (status === "cancelled") return { id, value: "deny" };
  const approved = APPROVED.safeParse(payload);
  const value: Json = approved.success ? (approved.data.approved ? "allow" : "deny") : payload;
  return { id, value };
}
