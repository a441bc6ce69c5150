/**
 * Deliveries: what runs say, as messages of their chats.
 *
 * The messages of a segment and the place in the log up to which they reach are written in one transaction, so that a
 * process that dies delivers each segment once.
 */
import type { RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import type { FollowedEvent } from "@baton/server/mount";
import { toShortId } from "@baton/store";
import { type Ask, type ChannelChat, ChannelRecords, type Delivery, DELIVERY } from "../state/channel-records.ts";
import type { NewRow } from "../state/chat-book.ts";
import type { BotParts } from "../parts.ts";
import { wordsOf } from "../words.ts";
import { splitText, toPlainText, toRichText } from "./rich-text.ts";
import { Preview } from "./preview.ts";

const MAX_PARTS = 20;
const MAX_ARGS = 1_000;
const MAX_CHOICES = 8;

type Question = EventBodyOf<"question.opened">;

/** The runs that a channel delivers. */
export class Deliveries {
  readonly #parts: BotParts;
  readonly #followed = new Map<string, Delivery>();
  /** Resolved at the next pause or end of a run. */
  readonly #segments = new Map<string, PromiseWithResolvers<void>>();

  constructor(parts: BotParts) {
    this.#parts = parts;
  }

  /** Goes on with what an earlier process left. */
  async begin(): Promise<void> {
    for (const delivery of await this.#parts.records.list(DELIVERY, { kind: "delivery" })) this.follow(delivery);
  }

  /** The runs of a chat that have not ended. */
  openRuns(chat: string): readonly string[] {
    return [...this.#followed.values()].filter((one) => one.chat === chat).map(({ run }) => run);
  }

  /** Whether a run goes to a chat already. */
  async isKnown(run: string, chat: string): Promise<boolean> {
    const key = `${run}/${chat}`;
    return this.#followed.has(key) || (await this.#parts.records.find(DELIVERY, `run/${key}`)) !== undefined;
  }

  /** Follows a run whose record is on disk. */
  follow(delivery: Delivery): void {
    const key = `${delivery.run}/${delivery.chat}`;
    if (this.#followed.has(key)) return;
    this.#followed.set(key, delivery);
    this.#parts.own(this.#follow(key, delivery).finally(() => this.#followed.delete(key)));
  }

  /** Resolves at the next pause or end of a run. */
  async settled(run: string): Promise<void> {
    const waiting = this.#segments.get(run) ?? Promise.withResolvers<void>();
    this.#segments.set(run, waiting);
    await waiting.promise;
  }

  async #follow(key: string, first: Delivery): Promise<void> {
    const { host, abort, chats } = this.#parts;
    const chat = await chats.find(first.chat);
    if (chat === undefined) return;
    const questions = new Map<string, Question>();
    const preview = new Preview(this.#parts, chat, first.run);
    let delivery = first;
    try {
      for await (const followed of host.follow(first.run, abort)) {
        const { event } = followed;
        trackQuestions(questions, event);
        if (event.seq <= delivery.seq) continue;
        if (event.type === "run.started" || event.type === "run.resumed") preview.begin(followed.text);
        if (event.type !== "run.paused" && event.type !== "run.ended") continue;
        preview.end();
        delivery = { ...delivery, seq: event.seq, isOver: event.type === "run.ended" };
        this.#followed.set(key, delivery);
        await this.#deliver(delivery, { followed, questions: [...questions.values()] });
        this.#segments.get(first.run)?.resolve();
        this.#segments.delete(first.run);
      }
    } finally {
      preview.end();
      this.#segments.get(first.run)?.resolve();
    }
  }

  async #deliver(delivery: Delivery, { followed, questions }: Segment): Promise<void> {
    const { chats, platform } = this.#parts;
    await chats.change(delivery.chat, (chat) => {
      const text = followed.text();
      const said =
        text.trim() === ""
          ? []
          : toRows(text, { chat, delivery, maxUnits: platform.maxUnits, isRich: platform.isRich });
      const asks = questions.flatMap((question) => toAsk(question, delivery) ?? []);
      const asked = questions.flatMap((question, index) => this.#toQuestionRow(question, chat, asks[index]));
      const rows = [...said, ...toEndRows(followed.event, { chat, delivery, hasText: said.length > 0 }), ...asked];
      return { rows, records: [ChannelRecords.delivery(delivery), ...asks.map((ask) => ChannelRecords.ask(ask))] };
    });
  }

  #toQuestionRow(question: Question, { language }: ChannelChat, ask: Ask | undefined): readonly NewRow[] {
    const words = wordsOf(language);
    if (question.kind === "pause" || question.kind === "message") return [];
    if (question.who === "operator") return [{ text: words.operator, entities: [] }];
    const args =
      question.args === undefined ? "" : `\n${JSON.stringify(question.args, undefined, 1).slice(0, MAX_ARGS)}`;
    const text = `${question.text}${question.tool === undefined ? "" : `\n${question.tool}${args}`}`.slice(0, 3_500);
    const choices = ask?.choices.map(({ label }) => label) ?? [];
    if (ask === undefined) return [{ text, entities: [] }];
    if (this.#parts.platform.isRich) {
      const buttons = choices.map((label, index) => ({ text: labelOf(label, words), data: `${ask.ref}:${index}` }));
      return [{ text, entities: [], ask: ask.ref, run: ask.run, ...(buttons.length > 0 ? { buttons } : {}) }];
    }
    const list = choices.map((label, index) => `${index + 1}. ${labelOf(label, words)}`).join("\n");
    return [
      {
        text: `${text.slice(0, 1_500)}\n${list === "" ? "" : `${words.choose}\n${list}`}`.trim(),
        entities: [],
        ask: ask.ref,
      },
    ];
  }
}

interface Segment {
  readonly followed: FollowedEvent;
  readonly questions: readonly Question[];
}

function trackQuestions(questions: Map<string, Question>, event: RunEvent): void {
  if (event.type === "question.opened") questions.set(event.question, event);
  if (event.type === "question.answered" || event.type === "question.closed") questions.delete(event.question);
}

/** The words of an approval's choices are the chat's. */
export function labelOf(label: string, words: { readonly allow: string; readonly deny: string }): string {
  if (label === "allow") return words.allow;
  return label === "deny" ? words.deny : label;
}

function toAsk(question: Question, { run, chat, from }: Delivery): Ask | undefined {
  const { kind, schema, text, question: id, who } = question;
  if (kind === "pause" || kind === "message" || who === "operator") return undefined;
  const values: readonly unknown[] =
    kind === "approval" ? ["allow", "deny"] : Array.isArray(schema["enum"]) ? schema["enum"] : [];
  const choices = values.length > MAX_CHOICES ? [] : values.map((value) => ({ label: String(value), value }));
  const ref = crypto.randomUUID().replaceAll("-", "");
  return { ref, run, question: id, chat, text, choices, isOpen: true, ...(from === undefined ? {} : { asker: from }) };
}

interface Rows {
  readonly chat: ChannelChat;
  readonly delivery: Delivery;
  readonly maxUnits: number;
  readonly isRich: boolean;
}

function toRows(markdown: string, { chat, delivery, maxUnits, isRich }: Rows): readonly NewRow[] {
  const marked = delivery.mark === undefined ? markdown : `${delivery.mark} ${markdown}`;
  const rich = toRichText(marked);
  const whole = isRich ? rich : { text: toPlainText(rich), entities: [] };
  const all = splitText(whole, maxUnits);
  const parts = all.slice(0, MAX_PARTS);
  const last = parts.at(-1);
  if (all.length > MAX_PARTS && last !== undefined) {
    const missing = all.slice(MAX_PARTS).reduce((sum, { text }) => sum + text.length, 0);
    const note = `\n${wordsOf(chat.language).missing(missing, toName(delivery.run))}`;
    const text = last.text.slice(0, maxUnits - note.length);
    const entities = last.entities.filter(({ offset, length }) => offset + length <= text.length);
    parts.splice(-1, 1, { text: text + note, entities });
  }
  return parts.map(({ text, entities }, index) => ({
    text,
    entities: [...entities],
    run: delivery.run,
    ...(index === 0 && delivery.replyTo !== undefined ? { replyTo: delivery.replyTo } : {}),
  }));
}

function toEndRows(
  event: RunEvent,
  { chat, delivery }: Pick<Rows, "chat" | "delivery"> & { hasText: boolean },
): readonly NewRow[] {
  if (event.type !== "run.ended" || event.outcome === "done") return [];
  const words = wordsOf(chat.language);
  const { stopped, finished, abandoned } = event.receipt ?? { stopped: [], finished: [], abandoned: [] };
  const text =
    event.outcome === "cancelled"
      ? words.stopped(stopped.length, finished.length, abandoned.length)
      : words.failed(event.error?.code ?? event.outcome, toName(delivery.run));
  return [{ text, entities: [] }];
}

function toName(run: string): string {
  return `req-${toShortId(run)}`;
}
