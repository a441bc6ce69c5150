/**
 * UI chat: `POST /api/chat`, what `useChat` of the AI SDK talks to.
 *
 * A chat is a session. Approvals that were given in the last message answer the run that waits for them.
 * Reads: api, chat-request, life-answer, service. Read by: app.
 */
import { z } from "zod";
import type { Api } from "../api.ts";
import { beginChat, type ChatAnswer, type ChatMessage, IMAGE_BODY_FACTOR, parseImage } from "../chat-request.ts";
import { readJson } from "../gateway/body.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { readQuery } from "../gateway/query-string.ts";
import { boundedArray, ID, MAX_MESSAGE_BYTES, text } from "../gateway/text.ts";
import { streamLife } from "../life-answer.ts";
import type { Service } from "../service.ts";
import { ON_DISCONNECT } from "./on-disconnect.ts";

const MAX_PARTS = 10_000;
const MAX_MESSAGES = 1_000;
const APPROVAL = z.object({ id: z.string().max(1_000), approved: z.boolean().optional() });
const PART = z.object({
  type: z.string().max(256),
  text: text({ maxBytes: MAX_MESSAGE_BYTES }).optional(),
  url: z.string().optional(),
  mediaType: z.string().max(256).optional(),
  state: z.string().max(256).optional(),
  approval: APPROVAL.optional(),
});
const MESSAGE = z.object({ role: z.enum(["system", "user", "assistant"]), parts: boundedArray(PART, MAX_PARTS) });
const CHAT = z.object({
  id: ID,
  messages: boundedArray(MESSAGE, MAX_MESSAGES),
  trigger: z.enum(["submit-message", "regenerate-message"]).default("submit-message"),
  crew: ID.optional(),
});
const CHAT_QUERY = ON_DISCONNECT.extend({ crew: ID.optional() });

type SentMessage = z.output<typeof MESSAGE>;

/** Adds the route of the AI SDK's chats. */
export function addUiChat(api: Api, service: Service): void {
  api.add(
    {
      method: "post",
      path: "/api/chat",
      summary: "A chat of the AI SDK; the crew is in the query or the body",
      scope: "run",
      query: CHAT_QUERY,
      body: CHAT,
      answers: { 200: { description: "A UI message stream", type: "text/event-stream" } },
    },
    (c) => chat(service, c),
  );
}

async function chat(service: Service, c: GatewayContext): Promise<Response> {
  const { crew, on_disconnect: onDisconnect } = readQuery(c, CHAT_QUERY);
  const body = await readJson(c, CHAT, { maxBytes: service.maxBodyBytes * IMAGE_BODY_FACTOR });
  const life = await beginChat(service, c, {
    served: service.crews.get(crew ?? body.crew),
    session: body.id,
    messages: body.messages.map(toMessage),
    answers: answersOf(body.messages.at(-1)),
    isRewritten: body.trigger === "regenerate-message",
  });
  return streamLife(service, c, { life, dialect: "ui", isCancelledOnLeave: onDisconnect === "cancel" });
}

function toMessage({ role, parts }: SentMessage): ChatMessage {
  const images = parts.flatMap(({ type, url, mediaType }) =>
    type === "file" && url !== undefined && mediaType?.startsWith("image/") === true
      ? [parseImage(url, mediaType)]
      : [],
  );
  const texts = parts.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : []));
  return { role, text: texts.join("\n"), images };
}

function answersOf(message: SentMessage | undefined): readonly ChatAnswer[] {
  if (message?.role !== "assistant") return [];
  return message.parts.flatMap(({ state, approval }) =>
    state === "approval-responded" && approval !== undefined
      ? [{ id: approval.id, value: approval.approved === true ? "allow" : "deny" }]
      : [],
  );
}
