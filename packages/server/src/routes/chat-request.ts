/**
 * Chat request: what the chat protocols ask for, in words of our own: what was said, or answers to questions.
 *
 * Clients of these protocols send the whole conversation each time. Where the session is known here, it remembers
 * better, and only the last message counts.
 */
import { given, type Image, type Json, type Message, type RunEvent } from "@baton/core";
import { readAll, type RunRecord } from "@baton/store";
import type { z } from "zod";
import { parseOutsideId } from "../dialects/outside-id.ts";
import { parse, readJson } from "../gateway/body.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { MAX_IMAGES } from "../gateway/image.ts";
import { invalid, notFound, Problem } from "../gateway/problem.ts";
import { CAPTION, MAX_MESSAGE_BYTES, QUERY, text as boundedText } from "../gateway/text.ts";
import { answerLife, type Life, startLife } from "../runs/life.ts";
import type { ServedCrew } from "../options.ts";
import { findRun, type Service } from "../service.ts";

/** One message of a conversation. */
export interface ChatMessage {
  /** Where the request has its text. */
  readonly field: string;
  readonly role: "user" | "assistant" | "system";
  readonly text: string;
  readonly images?: readonly Image[];
}

/** The answer to a question, by the name the client was given. */
export interface ChatAnswer {
  readonly id: string;
  /** Where the request has the name. */
  readonly idField: string;
  readonly value: Json;
  /** Where the request has the value. */
  readonly field: string;
}

/** What a client of a chat protocol asks for. */
export interface ChatRequest {
  readonly served: ServedCrew;
  readonly session: string | undefined;
  /** What the request calls the list of messages. */
  readonly field: "messages" | "input";
  /** The whole conversation; the last message is the user's, unless there are answers. */
  readonly messages: readonly ChatMessage[];
  /** To questions that the run before has asked; those that are no longer open are left out. */
  readonly answers: readonly ChatAnswer[];
  /** The conversation as the client has it counts, whatever the session remembers. */
  readonly isRewritten?: boolean;
}

/** The most messages of a conversation, and a text in one. */
export const MAX_MESSAGES = 1_000;
export const TEXT = boundedText({ maxBytes: MAX_MESSAGE_BYTES });

/** Reads and checks the body of a chat protocol. */
export function readChat<Schema extends z.ZodType>(service: Service, c: GatewayContext, schema: Schema) {
  return readJson(c, schema, { maxBytes: service.maxImageBodyBytes });
}

/** What a message is sent as: a text, or texts and images. */
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

/** Starts or goes on with what the client asks for. */
export async function beginChat(service: Service, c: GatewayContext, request: ChatRequest): Promise<Life> {
  const [first] = request.answers;
  if (first !== undefined) return answerChat(service, c, request);
  const { served, session, messages, isRewritten = false } = request;
  const last = messages.at(-1);
  if (last?.role !== "user") throw invalid([{ field: request.field, message: "must end with a message of the user" }]);
  checkImages(messages);
  const { field, images = [] } = last;
  const input = parse(images.length === 0 ? QUERY : CAPTION, last.text, field);
  const isKnown = session !== undefined && (await service.store.database.session(c.var, session)) !== undefined;
  const earlier = messages.slice(0, -1).flatMap(toMessage);
  const isOurs = isKnown || earlier.length === 0;
  const history = isOurs && !isRewritten ? undefined : earlier;
  const seen = images.length === 0 ? undefined : images;
  return startLife(service, c, { served, session, field, start: { input, ...given({ history, images: seen }) } });
}

async function answerChat(service: Service, c: GatewayContext, request: ChatRequest): Promise<Life> {
  const { served, answers, field, messages } = request;
  const places = answers.map(({ id, idField, ...answer }) => {
    const place = parseOutsideId(id);
    if (place === undefined) throw notFound(`question ${id}`, { field: idField });
    return { ...answer, run: place.run, question: place.position };
  });
  const runs = new Set(places.map(({ run }) => run));
  const [run = ""] = runs;
  if (runs.size > 1) throw invalid([{ field, message: "has answers to more than one run" }]);
  const record = await findRun(service, c, run);
  if (record.crew !== served.crew.name) throw otherCrew(service.crews.idOf(record), answers[0]?.idField ?? field);
  await checkHeard(service, record, messages.at(-1));
  const open = places.filter(({ question }) => record.questions.includes(question));
  return answerLife(service, c, { record, answers: open.length === 0 ? places : open });
}

/** A new message beside answers would be heard by nobody; clients that send everything send the last one again. */
async function checkHeard({ store }: Service, { id }: RunRecord, last: ChatMessage | undefined): Promise<void> {
  if (last?.role !== "user") return;
  const told = (await readAll(store.database, id)).map(toTold);
  if (told.includes(last.text.replaceAll("\r\n", "\n"))) return;
  throw invalid([{ field: last.field, message: "must be sent after the answers, in a request of its own" }]);
}

/** What the user told the run with an event. */
function toTold(event: RunEvent): string | undefined {
  if (event.type === "run.started" || event.type === "run.resumed") return event.input;
  return event.type === "command.received" && event.command.type === "say" ? event.command.text : undefined;
}

function otherCrew(id: string, field: string): Problem {
  const detail = `The question is one of the crew ${id}: send the answer to that one.`;
  return new Problem("conflict", detail, { problems: [{ field, message: `is a question of the crew ${id}` }] });
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
