/**
 * AG-UI run: `POST /api/agui`, what CopilotKit and other clients of AG-UI talk to.
 *
 * A thread is a session. Entries of `resume` answer the interrupts of the run that waits, messages of the role `tool`
 * its calls of the client's tools.
 */
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import type { ChatAnswer } from "./chat-answer.ts";
import { beginChat, MAX_MESSAGES, readChat, TEXT, toChatMessage } from "./chat-request.ts";
import { parseOutsideId, toToolQuestion } from "../../dialects/chat/outside-id.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { IMAGE_DATA, MEDIA_TYPE } from "../../gateway/input/image.ts";
import { readQuery } from "../../gateway/input/query-string.ts";
import { AGUI_TOOLS, fromFunctions } from "../../gateway/input/request-tools.ts";
import { boundedArray, ID, text, VALUE } from "../../gateway/input/text.ts";
import { streamSegment } from "../../runs/segment-answer.ts";
import type { Service } from "../../service.ts";
import { ON_DISCONNECT } from "../runs/on-disconnect.ts";

const MAX_PARTS = 100;
const MAX_ANSWERS = 100;
const SOURCE = z.discriminatedUnion("type", [
  z.object({ type: z.literal("data"), value: IMAGE_DATA, mimeType: MEDIA_TYPE }),
  z.object({ type: z.literal("url"), value: IMAGE_DATA, mimeType: MEDIA_TYPE.optional() }),
]);
const PART = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: TEXT }).transform((part) => part.text),
  z.object({ type: z.literal("image"), source: SOURCE }).transform(({ source }) => source.value),
]);
const CONTENT = z.union([TEXT, boundedArray(PART, MAX_PARTS), z.null()]).default(null);
/** Messages of tools, activities and reasoning are ignored: the server has its own record of them. */
const MESSAGE = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["user", "system", "developer", "assistant"]), content: CONTENT }),
  z.object({
    role: z.literal("tool"),
    toolCallId: z.string().max(1_000).default(""),
    content: z.unknown().optional(),
    error: z.string().nullish(),
  }),
  z.object({ role: z.enum(["activity", "reasoning"]) }),
]);
const RESUME = z.object({
  interruptId: z.string().max(1_000),
  status: z.enum(["resolved", "cancelled"]),
  payload: VALUE.optional(),
});
const RUN = z.object({
  threadId: ID,
  runId: text({ minChars: 1, maxChars: 256 }),
  messages: boundedArray(MESSAGE, MAX_MESSAGES),
  resume: boundedArray(RESUME, MAX_ANSWERS).optional(),
  tools: AGUI_TOOLS,
});
type SentMessage = z.output<typeof MESSAGE>;

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
      answers: { 200: { description: "AG-UI's events", type: "text/event-stream", headers: RUN_HEADERS } },
    },
    (c) => run(service, c),
  );
}

async function run(service: Service, c: GatewayContext): Promise<Response> {
  const { crew, on_disconnect: onDisconnect } = readQuery(c, RUN_QUERY);
  const body = await readChat(service, c, RUN);
  const segment = await beginChat(service, c, {
    served: service.crews.get(crew, "crew"),
    session: body.threadId,
    field: "messages",
    messages: body.messages.flatMap((message, index) =>
      "content" in message && message.role !== "tool"
        ? [toChatMessage(message.role, `messages.${index}.content`, message.content)]
        : [],
    ),
    answers: [...(body.resume ?? []).map(toAnswer), ...resultsOf(body.messages)],
    tools: fromFunctions(body.tools),
  });
  const options = { run_id: body.runId };
  return streamSegment(service, c, {
    segment,
    dialect: "agui",
    options,
    isCancelledOnLeave: onDisconnect === "cancel",
  });
}

/** Clients that do not answer refuse: an approval is denied, a call of their own cancelled. */
function toAnswer({ interruptId: id, status, payload = null }: z.output<typeof RESUME>, index: number): ChatAnswer {
  const named = { id, idField: `resume.${index}.interruptId`, field: `resume.${index}.payload` };
  return status === "cancelled" ? { ...named, isCancelled: true } : { ...named, value: payload };
}

/** Results of the client's tools since the last user message; calls of other agents are left out. */
function resultsOf(messages: readonly SentMessage[]): readonly ChatAnswer[] {
  const said = messages.findLastIndex(({ role }) => role === "user");
  return messages.flatMap((message, index): readonly ChatAnswer[] => {
    if (index < said || message.role !== "tool" || parseOutsideId(message.toolCallId) === undefined) return [];
    const path = `messages.${index}`;
    const named = { id: toToolQuestion(message.toolCallId), idField: `${path}.toolCallId` };
    if (message.error) return [{ ...named, failure: message.error, field: `${path}.error` }];
    const texts = TEXTS.safeParse(message.content).data?.join("\n");
    return [{ ...named, text: texts ?? message.content ?? null, field: `${path}.content` }];
  });
}

const TEXTS = z.array(z.object({ type: z.literal("text"), text: z.string() }).transform((part) => part.text));
