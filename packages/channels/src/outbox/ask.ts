/**
 * Ask: a question of a run as a message: with buttons, or with numbered choices on platforms without them.
 */
import type { RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import type { BotParts } from "../parts.ts";
import type { Ask, ChannelChat, Delivery } from "../state/channel-records.ts";
import type { NewRow } from "../state/chat-book.ts";
import { type ChannelWords, wordsOf } from "../words.ts";

/** A question of a run, with its place in the log. */
export type ChannelQuestion = EventBodyOf<"question.opened"> & RunEvent;

const MAX_ARGS = 1_000;
const MAX_TEXT = 1_200;
const MAX_BUTTONS = 8;
const MAX_CHOICES = 50;
const MAX_LABEL = 100;

/** The record of a question; undefined if it is not asked here, or the next message answers it. */
export function toAsk(question: ChannelQuestion, { run, chat, from }: Delivery): Ask | undefined {
  const { kind, schema, question: id, who } = question;
  if (kind === "pause" || kind === "message" || who === "operator") return undefined;
  const values: readonly unknown[] =
    kind === "approval" ? ["allow", "deny"] : Array.isArray(schema["enum"]) ? schema["enum"] : [];
  const choices = values.slice(0, MAX_CHOICES).map((value) => ({ label: String(value).slice(0, MAX_LABEL), value }));
  const type = schema["type"];
  const ask: Ask = {
    ref: crypto.randomUUID().replaceAll("-", ""),
    run,
    question: id,
    chat,
    text: toText(question),
    choices,
    isOpen: true,
    ...(typeof type === "string" ? { answer: type } : {}),
    ...(from === undefined ? {} : { asker: from }),
  };
  return ask;
}

function toText({ text, tool, args, url }: ChannelQuestion): string {
  const shown = args === undefined ? "" : `\n${JSON.stringify(args, undefined, 1)}`.slice(0, MAX_ARGS);
  const called = tool === undefined ? "" : `\n${tool}${shown}`;
  return `${text.slice(0, MAX_TEXT - MAX_ARGS)}${called}${url === undefined ? "" : `\n${url.slice(0, MAX_ARGS)}`}`.trim();
}

interface Asking {
  readonly question: ChannelQuestion;
  readonly chat: ChannelChat;
  readonly ask: Ask | undefined;
}

/** The message of a question. */
export function toQuestionRow({ platform }: Pick<BotParts, "platform">, asking: Asking): NewRow {
  const { question, chat, ask } = asking;
  const words = wordsOf(chat.language);
  if (ask === undefined)
    return { text: question.who === "operator" ? words.operator : toText(question), entities: [], run: question.run };
  const shared = { entities: [], ask: ask.ref, run: ask.run };
  if (!hasButtons(ask, platform)) return { ...shared, text: `${ask.text}\n${toChoices(ask, words)}`.trim() };
  const buttons = ask.choices.map(({ label }, index) => ({ text: labelOf(label, words), data: `${ask.ref}:${index}` }));
  return { ...shared, text: ask.text, buttons };
}

/** Whether it is answered with buttons. */
export function hasButtons({ choices }: Ask, { isRich }: Pick<BotParts["platform"], "isRich">): boolean {
  return isRich && choices.length > 0 && choices.length <= MAX_BUTTONS;
}

/** The choices with their numbers; empty if any text is an answer. */
export function toChoices({ choices }: Ask, words: ChannelWords): string {
  if (choices.length === 0) return "";
  return `${words.choose}\n${choices.map(({ label }, index) => `${index + 1}. ${labelOf(label, words)}`).join("\n")}`;
}

/** The words of an approval's choices are the chat's. */
export function labelOf(label: string, words: Pick<ChannelWords, "allow" | "deny">): string {
  if (label === "allow") return words.allow;
  return label === "deny" ? words.deny : label;
}
