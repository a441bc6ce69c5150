/**
 * Answer rows: the messages of a segment: its text with sources and disclaimer, and how the run ended.
 */
import type { RunEvent } from "@baton/core";
import type { AnswerExtras } from "@baton/server/mount";
import { toShortId } from "@baton/store";
import type { BotParts } from "../parts.ts";
import type { ChannelChat, Delivery } from "../state/channel-records.ts";
import type { NewRow } from "../state/chat-book.ts";
import { type ChannelWords, wordsOf } from "../words.ts";
import { toPlainText, toRichText } from "./rich-text.ts";
import { splitText } from "./split-text.ts";

const MAX_PARTS = 20;
const MAX_SOURCES = 20;
/** The day is enough to judge a source. */
const TIME_OF_DAY = /^(\d{4}-\d\d-\d\d)T.*$/;

/** A segment that has ended. */
export interface EndedSegment {
  readonly chat: ChannelChat;
  readonly delivery: Delivery;
  readonly event: RunEvent;
  readonly text: string;
  readonly extras: AnswerExtras | undefined;
}

/** The messages of a segment. */
export function toAnswerRows({ platform }: Pick<BotParts, "platform">, segment: EndedSegment): readonly NewRow[] {
  const { chat, delivery, event, text, extras } = segment;
  const words = wordsOf(chat.language);
  const end = toEndText(event, words, delivery.run);
  const ending = end === undefined ? [] : [{ text: end, entities: [], run: delivery.run }];
  if (text.trim() === "") return ending;
  const mark = delivery.mark === undefined ? "" : `${delivery.mark} `;
  const rich = toRichText(`${mark}${text.trim()}${toSources(extras, words)}${toDisclaimer(extras)}`);
  const whole = platform.isRich ? rich : { text: toPlainText(rich), entities: [] };
  const note = (missing: number) => words.missing(missing, toName(delivery.run));
  const parts = splitText(whole, { maxUnits: platform.maxUnits, maxParts: MAX_PARTS, note });
  const said = parts.map((part, index) => ({
    text: part.text,
    entities: [...part.entities],
    run: delivery.run,
    ...(index === 0 && delivery.replyTo !== undefined ? { replyTo: delivery.replyTo } : {}),
  }));
  return [...said, ...ending];
}

function toSources(extras: AnswerExtras | undefined, words: ChannelWords): string {
  const sources = extras?.sources.slice(0, MAX_SOURCES) ?? [];
  if (sources.length === 0) return "";
  const lines = sources.map(({ title, source, url, as_of: asOf }, index) => {
    const name = toLine(title === "" ? source : title);
    const linked = url === undefined ? name : `[${name}](${url})`;
    const from = title === "" || title === source ? "" : ` · ${toLine(source)}`;
    return `${index + 1}. ${linked}${from} · ${toLine(asOf.replace(TIME_OF_DAY, "$1"))}`;
  });
  return `\n\n**${words.sources}**\n${lines.join("\n")}`;
}

/** Texts of sources have no marks of their own. */
function toLine(text: string): string {
  return text.replace(/[\s[\]*_`~]+/g, " ").trim();
}

function toDisclaimer(extras: AnswerExtras | undefined): string {
  return extras?.disclaimer === undefined ? "" : `\n\n_${extras.disclaimer}_`;
}

function toEndText(event: RunEvent, words: ChannelWords, run: string): string | undefined {
  if (event.type !== "run.ended" || event.outcome === "done") return undefined;
  const { stopped, finished, abandoned } = event.receipt ?? { stopped: [], finished: [], abandoned: [] };
  if (event.outcome === "cancelled") return words.stopped(stopped.length, finished.length, abandoned.length);
  return words.failed(event.error?.code ?? event.outcome, toName(run));
}

function toName(run: string): string {
  return `req-${toShortId(run)}`;
}
