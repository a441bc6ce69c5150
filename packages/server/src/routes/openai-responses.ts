/**
 * OpenAI responses: `POST /v1/responses`, where each crew is a model.
 *
 * A response goes on from `previous_response_id` in the session of that run. Approvals and function outputs answer the
 * questions of a run that waits. A client that leaves cancels. Reads: api, chat-request, dialects, life-answer, service.
 * Read by: app.
 */
import { given } from "@baton/core";
import { z } from "zod";
import type { Api } from "../api.ts";
import { beginChat, type ChatAnswer, type ChatMessage, IMAGE_BODY_FACTOR, IMAGE_URL } from "../chat-request.ts";
import { collectResponse } from "../dialects/collect.ts";
import { readJson } from "../gateway/body.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { notFound } from "../gateway/problem.ts";
import { boundedArray, ID, MAX_MESSAGE_BYTES, text } from "../gateway/text.ts";
import { streamLife } from "../life-answer.ts";
import type { Service } from "../service.ts";
import { collectLife } from "./openai-chat.ts";

const MAX_PARTS = 100;
const MAX_ITEMS = 1_000;
const TEXT = text({ maxBytes: MAX_MESSAGE_BYTES });
const PART = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["input_text", "output_text"]), text: TEXT }),
  z.object({ type: z.literal("refusal"), refusal: TEXT }),
  z.object({ type: z.literal("input_image"), image_url: IMAGE_URL }),
]);
const MESSAGE = z.object({
  type: z
    .literal("message")
    .optional()
    .transform(() => "message" as const),
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: z.union([TEXT, boundedArray(PART, MAX_PARTS)]),
});
const APPROVAL = z.object({
  type: z.literal("mcp_approval_response"),
  approval_request_id: z.string().max(1_000),
  approve: z.boolean(),
});
const OUTPUT = z.object({ type: z.literal("function_call_output"), call_id: z.string().max(1_000), output: TEXT });
/** Items of an earlier response that a client sends back say nothing new. */
const OTHER = z.object({
  type: z.enum(["reasoning", "mcp_call", "mcp_approval_request", "function_call", "item_reference"]),
});
const ITEM = z.discriminatedUnion("type", [MESSAGE, APPROVAL, OUTPUT, OTHER]);
const RESPONSE = z.object({
  model: z.string().max(256),
  input: z.union([TEXT, boundedArray(ITEM, MAX_ITEMS)]),
  instructions: TEXT.nullish(),
  previous_response_id: z.string().max(256).nullish(),
  stream: z.boolean().nullish(),
  session_id: ID.optional(),
});

type Item = z.output<typeof ITEM>;

/** Adds the route of responses. */
export function addOpenaiResponses(api: Api, service: Service): void {
  api.add(
    {
      method: "post",
      path: "/v1/responses",
      summary: "OpenAI Responses; the model is a crew's id",
      scope: "run",
      body: RESPONSE,
      answers: { 200: { description: "A response, or its events with `stream`" } },
    },
    (c) => respond(service, c),
  );
}

async function respond(service: Service, c: GatewayContext): Promise<Response> {
  const body = await readJson(c, RESPONSE, { maxBytes: service.maxBodyBytes * IMAGE_BODY_FACTOR });
  const served = service.crews.get(body.model, "model");
  const previous = body.previous_response_id ?? undefined;
  const session = previous === undefined ? body.session_id : await sessionOf(service, c, previous);
  const { input, instructions } = body;
  const items = typeof input === "string" ? [] : input;
  const messages: readonly ChatMessage[] = [
    ...(instructions ? [{ role: "system", text: instructions, field: "instructions" } as const] : []),
    ...(typeof input === "string" ? [{ role: "user", text: input, field: "input" } as const] : []),
    ...items.flatMap(toMessage),
  ];
  const answers = items.flatMap(toChatAnswer);
  const life = await beginChat(service, c, { served, session, field: "input", messages, answers });
  const options = given({ previous_response_id: previous });
  if (body.stream === true)
    return streamLife(service, c, { life, dialect: "responses", options, isCancelledOnLeave: true });
  return collectLife(service, c, { life, collect: collectResponse, options });
}

const RESPONSE_ID = /^resp_([a-zA-Z0-9_-]{1,128}?)(?:-[0-9]{1,6})?$/;

/** A response is named by its run, and by which life of it. */
async function sessionOf({ store }: Service, c: GatewayContext, id: string): Promise<string | undefined> {
  const whole = id.startsWith("resp_") ? id.slice("resp_".length) : "";
  for (const run of [whole, RESPONSE_ID.exec(id)?.[1] ?? ""]) {
    const record = run === "" ? undefined : await store.database.run(run);
    if (record?.tenant === c.var.tenant) return record.session;
  }
  throw notFound(`response ${id}`, { field: "previous_response_id" });
}

function toMessage(item: Item, index: number): readonly ChatMessage[] {
  if (item.type !== "message") return [];
  const { role, content } = item;
  const parts = typeof content === "string" ? [{ type: "input_text" as const, text: content }] : content;
  return [
    {
      role: role === "developer" ? "system" : role,
      field: `input.${index}.content`,
      text: parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n"),
      images: parts.flatMap((part) => (part.type === "input_image" ? [part.image_url] : [])),
    },
  ];
}

function toChatAnswer(item: Item, index: number): readonly ChatAnswer[] {
  const field = `input.${index}`;
  if (item.type === "mcp_approval_response") {
    const value = item.approve ? "allow" : "deny";
    const idField = `${field}.approval_request_id`;
    return [{ id: item.approval_request_id, idField, value, field: `${field}.approve` }];
  }
  if (item.type !== "function_call_output") return [];
  return [{ id: item.call_id, idField: `${field}.call_id`, value: item.output, field: `${field}.output` }];
}
