/**
 * UI chat: `POST /api/chat`, what `useChat` of the AI SDK talks to.
 *
 * A chat is a session. Approvals and results of the client's tools in the last message answer the run that waits for
 * them.
 */
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import { type ChatAnswer, toDecision } from "./chat-answer.ts";
import { beginChat, MAX_MESSAGES, readChat, TEXT, toChatMessage } from "./chat-request.ts";
import { toToolQuestion } from "../../dialects/chat/outside-id.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { IMAGE_DATA, MEDIA_TYPE } from "../../gateway/input/image.ts";
import { readQuery } from "../../gateway/input/query-string.ts";
import { boundedArray, ID } from "../../gateway/input/text.ts";
import { streamSegment } from "../../runs/segment-answer.ts";
import type { Service } from "../../service.ts";
import { ON_DISCONNECT } from "../runs/on-disconnect.ts";

const MAX_PARTS = 10_000;
const APPROVAL = z.object({
  id: z.string().max(1_000),
  approved: z.boolean().optional(),
  reason: z.string().nullish(),
});
const USER_PART = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: TEXT }).transform(({ text }) => text),
  z.object({ type: z.literal("file"), url: IMAGE_DATA, mediaType: MEDIA_TYPE }).transform(({ url }) => url),
]);
/** Data that a page keeps with a message (`data-…`) is not sent to the model. */
const SENT_PART = z.preprocess((part) => (isData(part) ? { type: "text", text: "" } : part), USER_PART);
/** Messages of the assistant that the client sends back: only texts, approvals and results of the client's tools count. */
const PART = z.object({
  type: z.string().max(256),
  text: TEXT.optional(),
  state: z.string().max(256).optional(),
  approval: APPROVAL.optional(),
  toolCallId: z.string().max(1_000).optional(),
  providerExecuted: z.boolean().optional(),
  output: z.unknown().optional(),
  errorText: z.unknown().optional(),
});
const MESSAGE = z.discriminatedUnion("role", [
  z.object({
    role: z.literal("user"),
    id: z.string().max(1_000).optional(),
    parts: boundedArray(SENT_PART, MAX_PARTS),
  }),
  z.object({ role: z.enum(["system", "assistant"]), parts: boundedArray(PART, MAX_PARTS) }),
]);
const CHAT = z.object({
  id: ID,
  messages: boundedArray(MESSAGE, MAX_MESSAGES),
  trigger: z.enum(["submit-message", "regenerate-message"]).default("submit-message"),
  messageId: z.string().max(1_000).nullish(),
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
      answers: { 200: { description: "A UI message stream", type: "text/event-stream", headers: RUN_HEADERS } },
    },
    (c) => chat(service, c),
  );
}

async function chat(service: Service, c: GatewayContext): Promise<Response> {
  const { crew, on_disconnect: onDisconnect } = readQuery(c, CHAT_QUERY);
  const body = await readChat(service, c, CHAT);
  const segment = await beginChat(service, c, {
    served: service.crews.get(crew ?? body.crew, "crew"),
    session: body.id,
    field: "messages",
    messages: body.messages.map((message, index) =>
      toChatMessage(message.role, `messages.${index}.parts`, textsOf(message)),
    ),
    answers: answersOf(body.messages),
    isRewritten: isRewritten(body),
  });
  return streamSegment(service, c, { segment, dialect: "ui", isCancelledOnLeave: onDisconnect === "cancel" });
}

/** Whether what was said before is not as it was: an answer is wanted anew, or a message of the past was changed. */
function isRewritten({ trigger, messageId, messages }: z.output<typeof CHAT>): boolean {
  const last = messages.at(-1);
  const isEdited = last?.role === "user" && last.id !== undefined && last.id === messageId;
  return trigger === "regenerate-message" || isEdited;
}

function textsOf(message: SentMessage) {
  if (message.role === "user") return message.parts;
  return message.parts.flatMap(({ type, text = "" }) => (type === "text" ? [text] : []));
}

function isData(part: unknown): boolean {
  return typeof part === "object" && part !== null && "type" in part && String(part.type).startsWith("data-");
}

function answersOf(messages: readonly SentMessage[]): readonly ChatAnswer[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return [];
  const path = `messages.${messages.length - 1}.parts`;
  return last.parts.flatMap((part, index) => [
    ...toApproval(part, `${path}.${index}.approval`),
    ...toResult(part, `${path}.${index}`),
  ]);
}

type Part = z.output<typeof PART>;

function toApproval({ state, approval }: Part, field: string): readonly ChatAnswer[] {
  if (state !== "approval-responded" || approval === undefined) return [];
  const { id, approved = false, reason } = approval;
  return [{ id, idField: `${field}.id`, value: toDecision({ approved, reason }), field }];
}

/** Skips what the server has recorded itself (`providerExecuted`). */
function toResult(
  { state, toolCallId, providerExecuted, output, errorText }: Part,
  path: string,
): readonly ChatAnswer[] {
  if (toolCallId === undefined || providerExecuted === true) return [];
  const named = { id: toToolQuestion(toolCallId), idField: `${path}.toolCallId` };
  if (state === "output-available") return [{ ...named, value: output ?? null, field: `${path}.output` }];
  return state === "output-error" ? [{ ...named, failure: errorText ?? null, field: `${path}.errorText` }] : [];
}
