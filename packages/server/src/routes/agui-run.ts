/**
 * AG-UI run: `POST /api/agui`, what CopilotKit and other clients of AG-UI talk to.
 *
 * A thread is a session. Entries of `resume` answer the interrupts of the run that waits.
 */
import type { Json } from "@baton/core";
import { z } from "zod";
import { RUN_HEADERS } from "./api-headers.ts";
import type { Api } from "./api.ts";
import { beginChat, type ChatAnswer, MAX_MESSAGES, readChat, TEXT, toChatMessage } from "./chat-request.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { IMAGE_DATA, MEDIA_TYPE } from "../gateway/image.ts";
import { readQuery } from "../gateway/query-string.ts";
import { boundedArray, ID, text, VALUE } from "../gateway/text.ts";
import { streamLife } from "../runs/life-answer.ts";
import type { Service } from "../service.ts";
import { ON_DISCONNECT } from "./on-disconnect.ts";

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
/** What tools, activities and reasoning said is remembered here, whatever the client has of it. */
const MESSAGE = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["user", "system", "developer", "assistant"]), content: CONTENT }),
  z.object({ role: z.enum(["tool", "activity", "reasoning"]) }),
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
      answers: { 200: { description: "AG-UI's events", type: "text/event-stream", headers: RUN_HEADERS } },
    },
    (c) => run(service, c),
  );
}

async function run(service: Service, c: GatewayContext): Promise<Response> {
  const { crew, on_disconnect: onDisconnect } = readQuery(c, RUN_QUERY);
  const body = await readChat(service, c, RUN);
  const life = await beginChat(service, c, {
    served: service.crews.get(crew, "crew"),
    session: body.threadId,
    field: "messages",
    messages: body.messages.flatMap((message, index) =>
      "content" in message ? [toChatMessage(message.role, `messages.${index}.content`, message.content)] : [],
    ),
    answers: (body.resume ?? []).map(toAnswer),
  });
  const options = { run_id: body.runId };
  return streamLife(service, c, { life, dialect: "agui", options, isCancelledOnLeave: onDisconnect === "cancel" });
}

const APPROVED = z.object({ approved: z.boolean() });

/** Clients send the answer itself, or whether they approve. */
function toAnswer({ interruptId: id, status, payload = null }: z.output<typeof RESUME>, index: number): ChatAnswer {
  const named = { id, idField: `resume.${index}.interruptId`, field: `resume.${index}.payload` };
  if (status === "cancelled") return { ...named, value: "deny" };
  const approved = APPROVED.safeParse(payload);
  const value: Json = approved.success ? (approved.data.approved ? "allow" : "deny") : payload;
  return { ...named, value };
}
