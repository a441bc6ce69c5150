/**
 * Chat request: what the chat protocols ask for, in words of our own: what was said, or answers to questions.
 *
 * Clients of these protocols send the whole conversation each time. Where the session is known here, it remembers
 * better, and only the last message counts. Reads: life, outside-id, service. Read by: the routes of chat protocols.
 */
import type { Image, Json, Message } from "@baton/core";
import { z } from "zod";
import { parseOutsideId } from "./dialects/outside-id.ts";
import { parse } from "./gateway/body.ts";
import type { GatewayContext } from "./gateway/gateway-env.ts";
import { invalid, notFound } from "./gateway/problem.ts";
import { QUERY } from "./gateway/text.ts";
import { given } from "@baton/core";
import { answerLife, type Life, startLife } from "./life.ts";
import type { ServedCrew } from "./options.ts";
import { findRun, type Service } from "./service.ts";

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: "user" | "assistant" | "system";
  readonly text: string;
  readonly images?: readonly Image[];
}

/** The answer to a question, by the name the client was given. */
export interface ChatAnswer {
  readonly id: string;
  readonly value: Json;
}

/** What a client of a chat protocol asks for. */
export interface ChatRequest {
  readonly served: ServedCrew;
  readonly session: string | undefined;
  /** The whole conversation; the last message is the user's, unless there are answers. */
  readonly messages: readonly ChatMessage[];
  /** To questions that the run before has asked; those that are no longer open are left out. */
  readonly answers: readonly ChatAnswer[];
  /** The conversation as the client has it counts, whatever the session remembers. */
  readonly isRewritten?: boolean;
}

/** Images may make a body four times as large. */
export const IMAGE_BODY_FACTOR = 4;

/** Starts or goes on with what the client asks for. */
export async function beginChat(service: Service, c: GatewayContext, request: ChatRequest): Promise<Life> {
  const [first] = request.answers;
  if (first !== undefined) return answerChat(service, c, request.answers);
  const { served, session, messages, isRewritten = false } = request;
  const last = messages.at(-1);
  if (last?.role !== "user") throw invalid([{ field: "messages", message: "must end with a message of the user" }]);
  const input = parse(z.object({ messages: QUERY }), { messages: last.text }).messages;
  const isKnown = session !== undefined && (await service.store.database.session(c.var.tenant, session)) !== undefined;
  const earlier = messages.slice(0, -1).flatMap(toMessage);
  const history = (isKnown && !isRewritten) || earlier.length === 0 ? undefined : earlier;
  const images = last.images?.length === 0 ? undefined : last.images;
  return startLife(service, c, { served, session, start: { input, ...given({ history, images }) } });
}

async function answerChat(service: Service, c: GatewayContext, answers: readonly ChatAnswer[]): Promise<Life> {
  const places = answers.map(({ id, value }) => {
    const place = parseOutsideId(id);
    if (place === undefined) throw notFound(`question ${id}`);
    return { run: place.run, question: place.position, value };
  });
  const runs = new Set(places.map(({ run }) => run));
  const [run = ""] = runs;
  if (runs.size > 1) throw invalid([{ field: "messages", message: "has answers to more than one run" }]);
  const record = await findRun(service, c, run);
  const open = places.filter(({ question }) => record.questions.includes(question));
  return answerLife(service, c, { record, answers: open.length === 0 ? places : open });
}

/** An empty message of the past says nothing. */
function toMessage({ role, text, images = [] }: ChatMessage): readonly Message[] {
  if (text === "" && images.length === 0) return [];
  return role === "user" && images.length > 0 ? [{ role, content: text, images }] : [{ role, content: text }];
}

const DATA_URL = /^data:(image\/[a-z0-9.+-]{1,64});base64,/;

/** A picture that is in an address, or at one. */
export function parseImage(url: string, mediaType = "image/*"): Image {
  const head = DATA_URL.exec(url.slice(0, 128));
  if (head !== null) return { mediaType: head[1] ?? mediaType, data: url.slice(head[0].length) };
  if (url.startsWith("https://") && URL.canParse(url)) return { mediaType, data: url };
  throw invalid([
    { field: "messages", message: "has an image that is neither an https address nor data:image/…;base64" },
  ]);
}
