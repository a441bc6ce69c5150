/**
 * Chat request: the requests of all chat protocols in one form: messages, or answers to questions.
 *
 * Clients of these protocols send the whole conversation each time. If the session is known here, it remembers
 * better, and only the last message counts.
 */
import type { Image, Message } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { z } from "zod";
import { parse, readJson } from "../../gateway/input/body.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { MAX_IMAGES } from "../../gateway/input/image.ts";
import { readRequestTools, type SentTool } from "../../gateway/input/request-tools.ts";
import { invalid } from "../../gateway/problem.ts";
import { CAPTION, MAX_MESSAGE_BYTES, QUERY, text as boundedText } from "../../gateway/input/text.ts";
import { answerSegment, type RequestSegment, startSegment, notForSystem } from "../../runs/request-segment.ts";
import type { ServedCrew } from "../../options.ts";
import type { Service } from "../../service.ts";
import { type ChatAnswer, findAnswering } from "./chat-answer.ts";

/** One message of a conversation. */
export interface ChatMessage {
  /** The field of the request that holds its text. */
  readonly field: string;
  readonly role: "user" | "assistant" | "system";
  readonly text: string;
  readonly images?: readonly Image[];
}

/** A request of a chat protocol, independent of the protocol. */
export interface ChatRequest {
  readonly served: ServedCrew;
  readonly session: string | undefined;
  /** The request's field with the list of messages. */
  readonly field: "messages" | "input";
  /** The whole conversation; the last message is the user's, unless there are answers. */
  readonly messages: readonly ChatMessage[];
  /** To questions that the run before has asked; those that are no longer open are left out. */
  readonly answers: readonly ChatAnswer[];
  /** The conversation as the client has it counts, whatever the session remembers. */
  readonly isRewritten?: boolean;
  /** Tools that the client brings for a run that begins. */
  readonly tools?: readonly SentTool[];
}

/** The most messages of a conversation, and a text in one. */
export const MAX_MESSAGES = 1_000;
export const TEXT = boundedText({ maxBytes: MAX_MESSAGE_BYTES });

/** Reads and checks the body of a chat protocol. */
export function readChat<Schema extends z.ZodType>(service: Service, c: GatewayContext, schema: Schema) {
  return readJson(c, schema, { maxBytes: service.maxImageBodyBytes });
}

/** The content of a message: a text, or texts and images. */
type Content = string | readonly (string | Image)[] | null;

/** A message in words of our own. */
export function toChatMessage(
  role: ChatMessage["role"] | "developer",
  field: string,
  content: Content = null,
): ChatMessage {
  const pieces = typeof content === "string" ? [content] : (content ?? []);
  const texts = pieces.filter((piece) => typeof piece === "string");
  const images = pieces.filter((piece) => typeof piece !== "string");
  const text = texts.filter((one) => one !== "").join("\n");
  return { role: role === "developer" ? "system" : role, field, text, images };
}

/** Starts or continues the run that the client asks for. */
export async function beginChat(service: Service, c: GatewayContext, request: ChatRequest): Promise<RequestSegment> {
  const { served, session, messages, isRewritten = false } = request;
  const last = messages.at(-1);
  if (request.answers.length > 0)
    return answerSegment(service, c, await findAnswering(service, c, { ...request, last }));
  if (last?.role !== "user")
    throw invalid([{ field: request.field, message: "must end with a message from the user" }]);
  checkImages(messages);
  const system = messages.find(({ role }) => role === "system");
  if (system !== undefined && !c.get("scopes").includes("admin")) throw notForSystem(system.field);
  const { field, images = [] } = last;
  const input = parse(images.length === 0 ? QUERY : CAPTION, last.text, field);
  const isKnown = session !== undefined && (await service.store.database.sessions.find(c.var, session)) !== undefined;
  const earlier = messages.slice(0, -1).flatMap(toMessage);
  const isOurs = isKnown || earlier.length === 0;
  const history = isOurs && !isRewritten ? undefined : earlier;
  const tools = readRequestTools(served.crew, request.tools ?? []);
  const seen = images.length === 0 ? undefined : images;
  return startSegment(service, c, {
    served,
    session,
    field,
    start: { input, ...omitUndefined({ history, images: seen, tools }) },
  });
}

function checkImages(messages: readonly ChatMessage[]): void {
  const problems = messages.flatMap(({ field, images = [] }) =>
    images.length > MAX_IMAGES
      ? [{ field, message: `has ${images.length} images, at most ${MAX_IMAGES} are allowed` }]
      : [],
  );
  if (problems.length > 0) throw invalid(problems);
}

/** An empty message of the past says nothing. */
function toMessage({ role, text, images = [] }: Omit<ChatMessage, "field">): readonly Message[] {
  if (text === "" && images.length === 0) return [];
  return role === "user" && images.length > 0 ? [{ role, content: text, images }] : [{ role, content: text }];
}
