/**
 * OpenAI responses: `POST /v1/responses` with each crew as a model.
 *
 * A response continues `previous_response_id` in the session of that run. Approvals and function outputs answer
 * the questions of a run that waits.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import { type ChatAnswer, toDecision } from "./chat-answer.ts";
import { beginChat, type ChatMessage, MAX_MESSAGES, readChat, TEXT, toChatMessage } from "./chat-request.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { IMAGE_DATA } from "../../gateway/input/image.ts";
import { invalid, notFound } from "../../gateway/problem.ts";
import { fromFunctions, RESPONSE_TOOLS } from "../../gateway/input/request-tools.ts";
import { boundedArray, ID } from "../../gateway/input/text.ts";
import { answerOpenai, FINAL_ONLY, toFinalOnly } from "./openai-answer.ts";
import type { Service } from "../../service.ts";

const MAX_PARTS = 100;
const PART = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["input_text", "output_text"]), text: TEXT }).transform(({ text }) => text),
  z.object({ type: z.literal("refusal"), refusal: TEXT }).transform(() => ""),
  z.object({ type: z.literal("input_image"), image_url: IMAGE_DATA }).transform((part) => part.image_url),
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
  reason: z.string().nullish(),
});
const OUTPUT = z.object({ type: z.literal("function_call_output"), call_id: z.string().max(1_000), output: TEXT });
/** Items of an earlier response that a client sends back say nothing new. */
const OTHER = z.object({
  type: z.enum(["reasoning", "mcp_call", "mcp_approval_request", "function_call", "item_reference"]),
});
const ITEM = z.discriminatedUnion("type", [MESSAGE, APPROVAL, OUTPUT, OTHER]);
const RESPONSE = z.object({
  model: z.string().max(256),
  input: z.union([TEXT, boundedArray(ITEM, MAX_MESSAGES)]),
  instructions: TEXT.nullish(),
  previous_response_id: z.string().max(256).nullish(),
  stream: z.boolean().nullish(),
  tools: RESPONSE_TOOLS,
  session_id: ID.optional(),
  baton_final_only: FINAL_ONLY,
});

/** OpenAI's own description says more of it. */
const ANSWER = z
  .looseObject({ id: z.string(), object: z.string(), status: z.string(), output: z.array(z.looseObject({})) })
  .meta({ id: "Response" });

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
      answers: {
        200: {
          description: "A response, or its events with `stream`",
          schema: ANSWER,
          type: "text/event-stream",
          headers: RUN_HEADERS,
        },
      },
    },
    (c) => respond(service, c),
  );
}

async function respond(service: Service, c: GatewayContext): Promise<Response> {
  const body = await readChat(service, c, RESPONSE);
  const served = service.crews.get(body.model, "model");
  const previous = body.previous_response_id ?? undefined;
  const session = previous === undefined ? body.session_id : await sessionOf(service, c, previous);
  const { input, instructions } = body;
  const items = typeof input === "string" ? [] : input;
  const messages: readonly ChatMessage[] = [
    ...(instructions ? [toChatMessage("system", "instructions", instructions)] : []),
    ...(typeof input === "string" ? [toChatMessage("user", "input", input)] : []),
    ...items.flatMap((item, index) =>
      item.type === "message" ? [toChatMessage(item.role, `input.${index}.content`, item.content)] : [],
    ),
  ];
  const answers = items.flatMap(toChatAnswer);
  checkAlone(items, previous);
  if (answers.length === 0 && session === undefined) checkWhole(items);
  const tools = fromFunctions(body.tools);
  const segment = await beginChat(service, c, { served, session, field: "input", messages, answers, tools });
  const options = { ...omitUndefined({ previous_response_id: previous }), ...toFinalOnly(body) };
  return answerOpenai(service, c, { segment, dialect: "responses", options, isStreamed: body.stream === true });
}

/** Refuses a new message beside answers, because no agent would read it; a client that sends the whole conversation repeats old ones. */
function checkAlone(items: readonly Item[], previous: string | undefined): void {
  const last = items.findLastIndex(isAnswer);
  if (last < 0) return;
  const index = items.findLastIndex((item) => item.type === "message" && item.role === "user");
  if (index < 0 || (previous === undefined && index < last)) return;
  throw invalid([{ field: `input.${index}`, message: "must be sent after the answers, in a request of its own" }]);
}

/** Refuses item references without a session: the item would be lost. */
function checkWhole(items: readonly Item[]): void {
  const index = items.findIndex(({ type }) => type === "item_reference");
  if (index < 0) return;
  const message =
    "must be the item itself (`store: false` in the AI SDK), or be left out if previous_response_id is given";
  throw invalid([{ field: `input.${index}`, message }]);
}

const isAnswer = ({ type }: Item) => type === "mcp_approval_response" || type === "function_call_output";

const RESPONSE_ID = /^resp_([a-zA-Z0-9_-]{1,128}?)(?:-[0-9]{1,6})?$/;

/** A response is named by its run, and by which segment of it. */
async function sessionOf({ store }: Service, c: GatewayContext, id: string): Promise<string | undefined> {
  const whole = id.startsWith("resp_") ? id.slice("resp_".length) : "";
  for (const run of [whole, RESPONSE_ID.exec(id)?.[1] ?? ""]) {
    const record = run === "" ? undefined : await store.database.runs.find(run);
    // The session is the caller's own, so an administrator cannot continue another user's.
    if (record?.tenant === c.var.tenant && record.user === c.var.user) return record.session;
  }
  throw notFound(`response ${id}`, { field: "previous_response_id" });
}

function toChatAnswer(item: Item, index: number): readonly ChatAnswer[] {
  const field = `input.${index}`;
  if (item.type === "mcp_approval_response") {
    const value = toDecision({ approved: item.approve, reason: item.reason });
    const idField = `${field}.approval_request_id`;
    return [{ id: item.approval_request_id, idField, value, field: `${field}.approve` }];
  }
  if (item.type !== "function_call_output") return [];
  return [{ id: item.call_id, idField: `${field}.call_id`, text: item.output, field: `${field}.output` }];
}
