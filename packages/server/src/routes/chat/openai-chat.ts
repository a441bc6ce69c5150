/**
 * OpenAI chat: `POST /v1/chat/completions` with each crew as a model, and the list of models.
 *
 * Messages of the role `tool` at the end answer the questions of a run that waits.
 */
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import type { ChatAnswer } from "./chat-answer.ts";
import { beginChat, MAX_MESSAGES, readChat, TEXT, toChatMessage } from "./chat-request.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { IMAGE_DATA } from "../../gateway/input/image.ts";
import { invalid } from "../../gateway/problem.ts";
import { CHAT_TOOLS, fromChatTools } from "../../gateway/input/request-tools.ts";
import { boundedArray, ID } from "../../gateway/input/text.ts";
import { answerOpenai, FINAL_ONLY, toFinalOnly } from "./openai-answer.ts";
import type { ServedCrew } from "../../options.ts";
import type { Service } from "../../service.ts";

const MAX_PARTS = 100;
const PART = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: TEXT }).transform(({ text }) => text),
  z.object({ type: z.literal("refusal"), refusal: TEXT }).transform(() => ""),
  z
    .object({ type: z.literal("image_url"), image_url: z.object({ url: IMAGE_DATA }) })
    .transform((part) => part.image_url.url),
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
  tools: CHAT_TOOLS,
  session_id: ID.optional(),
  baton_final_only: FINAL_ONLY,
});

/** OpenAI's own description says more of it. */
const COMPLETION = z
  .looseObject({ id: z.string(), object: z.string(), model: z.string(), choices: z.array(z.looseObject({})) })
  .meta({ id: "Completion" });
const MODEL = z
  .object({ id: z.string(), object: z.string(), created: z.int(), owned_by: z.string() })
  .meta({ id: "Model" });

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
      answers: {
        200: {
          description: "A completion, or its chunks with `stream`",
          schema: COMPLETION,
          type: "text/event-stream",
          headers: RUN_HEADERS,
        },
      },
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
      answers: { 200: { description: "Models", schema: z.object({ object: z.string(), data: z.array(MODEL) }) } },
    },
    (c) => c.json({ object: "list", data: models() }),
  );
  api.add(
    {
      method: "get",
      path: "/v1/models/:id",
      summary: "One crew as a model",
      scope: "run",
      answers: { 200: { description: "A model", schema: MODEL } },
    },
    (c) => c.json(toModel(service.crews.get(c.req.param("id"), "model"))),
  );
}

function toModel({ id }: ServedCrew): z.infer<typeof MODEL> {
  return { id, object: "model", created: 0, owned_by: "baton" };
}

async function complete(service: Service, c: GatewayContext): Promise<Response> {
  const body = await readChat(service, c, CHAT);
  const segment = await beginChat(service, c, {
    served: service.crews.get(body.model, "model"),
    session: body.session_id,
    field: "messages",
    messages: body.messages.flatMap(({ role, content }, index) =>
      role === "tool" ? [] : [toChatMessage(role, `messages.${index}.content`, content)],
    ),
    answers: answersOf(body.messages),
    tools: fromChatTools(body.tools),
  });
  const options = { include_usage: body.stream_options?.include_usage === true, ...toFinalOnly(body) };
  return answerOpenai(service, c, { segment, dialect: "openai", options, isStreamed: body.stream === true });
}

/** The messages at the end that answer. */
function answersOf(messages: readonly SentMessage[]): readonly ChatAnswer[] {
  const last = messages.findLastIndex(({ role }) => role !== "tool");
  const asked = messages.findLastIndex(({ role }) => role === "assistant");
  const answered = messages.findLastIndex(({ role }) => role === "tool");
  if (answered > asked && answered < last)
    throw invalid([{ field: `messages.${last}`, message: "must be sent after the answers, in a request of its own" }]);
  return messages.flatMap((message, index) => {
    if (index <= last || message.role !== "tool") return [];
    const idField = `messages.${index}.tool_call_id`;
    const { text, field } = toChatMessage("user", `messages.${index}.content`, message.content);
    return [{ id: message.tool_call_id, idField, text, field }];
  });
}
