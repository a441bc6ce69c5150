/**
 * OpenAI chat: `POST /v1/chat/completions`, where each crew is a model; and the list of models.
 *
 * Messages of the role `tool` at the end answer the questions of a run that waits. A client that leaves cancels.
 * Reads: api, chat-request, dialects, life-answer, service. Read by: app.
 */
import { readAll } from "@baton/store";
import { z } from "zod";
import type { Api } from "../api.ts";
import { beginChat, type ChatAnswer, type ChatMessage, IMAGE_BODY_FACTOR, IMAGE_URL } from "../chat-request.ts";
import { collectChat, type Collected } from "../dialects/collect.ts";
import type { DialectContext, DialectOptions } from "../dialects/dialect.ts";
import type { RunEvent } from "@baton/core";
import { readJson } from "../gateway/body.ts";
import { unavailable } from "../gateway/fault.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { boundedArray, ID, MAX_MESSAGE_BYTES, text } from "../gateway/text.ts";
import { outcomeOf, setRunHeaders, streamLife, toContext } from "../life-answer.ts";
import type { Life } from "../life.ts";
import type { ServedCrew } from "../options.ts";
import type { Service } from "../service.ts";

const MAX_PARTS = 100;
const MAX_MESSAGES = 1_000;
const TEXT = text({ maxBytes: MAX_MESSAGE_BYTES });
const PART = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: TEXT }),
  z.object({ type: z.literal("refusal"), refusal: TEXT }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: IMAGE_URL }) }),
]);
const CONTENT = z.union([TEXT, boundedArray(PART, MAX_PARTS), z.null()]).optional();
const MESSAGE = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer", "user", "assistant"]), content: CONTENT }),
  z.object({ role: z.literal("tool"), content: CONTENT, tool_call_id: z.string().max(1_000) }),
]);
const CHAT = z.object({
  model: z.string().max(256),
  messages: boundedArray(MESSAGE, MAX_MESSAGES),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  session_id: ID.optional(),
});

type SentMessage = z.output<typeof MESSAGE>;

/** Adds the routes of chat completions and models. */
export function addOpenaiChat(api: Api, service: Service): void {
  api.add(
    {
      method: "post",
      path: "/v1/chat/completions",
      summary: "OpenAI Chat Completions; the model is a crew's id",
      scope: "run",
      body: CHAT,
      answers: { 200: { description: "A completion, or its chunks with `stream`" } },
    },
    (c) => complete(service, c),
  );
  const models = () => service.crews.all.map(toModel);
  api.add(
    {
      method: "get",
      path: "/v1/models",
      summary: "The crews as models",
      scope: "run",
      answers: { 200: { description: "Models" } },
    },
    (c) => c.json({ object: "list", data: models() }),
  );
  api.add(
    {
      method: "get",
      path: "/v1/models/:id",
      summary: "One crew as a model",
      scope: "run",
      answers: { 200: { description: "A model" } },
    },
    (c) => c.json(toModel(service.crews.get(c.req.param("id"), "model"))),
  );
}

function toModel({ id }: ServedCrew): object {
  return { id, object: "model", created: 0, owned_by: "baton" };
}

async function complete(service: Service, c: GatewayContext): Promise<Response> {
  const body = await readJson(c, CHAT, { maxBytes: service.maxBodyBytes * IMAGE_BODY_FACTOR });
  const served = service.crews.get(body.model, "model");
  const messages = body.messages.flatMap(({ role, content }, index): ChatMessage[] =>
    role === "tool" ? [] : [{ role: toRole(role), field: toPlace(index), ...toSaid(content) }],
  );
  const answers = answersOf(body.messages);
  const life = await beginChat(service, c, {
    served,
    session: body.session_id,
    field: "messages",
    messages,
    answers,
  });
  const options = { include_usage: body.stream_options?.include_usage === true };
  if (body.stream === true) {
    return streamLife(service, c, { life, dialect: "openai", options, isCancelledOnLeave: true });
  }
  return collectLife(service, c, { life, collect: collectChat });
}

/** How the events of a run become one body. */
type Collect = (context: DialectContext, events: Iterable<RunEvent>) => Collected | undefined;

/** Waits for a life to end, and answers with all of it. */
export async function collectLife(
  service: Service,
  c: GatewayContext,
  { life, collect, options }: { readonly life: Life; readonly collect: Collect; readonly options?: DialectOptions },
): Promise<Response> {
  setRunHeaders(c, life.record);
  const result = await outcomeOf(service, c, { life, isCancelledOnLeave: true });
  // Cancelled, so that the client can ask again.
  if (service.admission.isStopping && result?.outcome === "cancelled") throw unavailable("stopping");
  const context = await toContext(service, life.record, options);
  const collected = result && collect(context, await readAll(service.store.database, life.record.id));
  if (collected === undefined) throw unavailable("stopping");
  return c.json(collected.body, collected.isError ? (result?.error?.code === "model" ? 502 : 500) : 200);
}

function toRole(role: "system" | "developer" | "user" | "assistant"): ChatMessage["role"] {
  return role === "developer" ? "system" : role;
}

const toPlace = (index: number) => `messages.${index}.content`;

function toSaid(content: SentMessage["content"]): Pick<ChatMessage, "text" | "images"> {
  if (typeof content === "string") return { text: content };
  const parts = content ?? [];
  return {
    text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    images: parts.flatMap((part) => (part.type === "image_url" ? [part.image_url.url] : [])),
  };
}

/** The messages at the end that answer. */
function answersOf(messages: readonly SentMessage[]): readonly ChatAnswer[] {
  const last = messages.findLastIndex(({ role }) => role !== "tool");
  return messages.flatMap((message, index) => {
    if (index <= last || message.role !== "tool") return [];
    const idField = `messages.${index}.tool_call_id`;
    return [{ id: message.tool_call_id, idField, value: toSaid(message.content).text, field: toPlace(index) }];
  });
}
