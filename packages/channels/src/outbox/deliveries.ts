/**
 * Deliveries: what runs say, as messages of their chats.
 *
 * The messages of a segment and the place in the log up to which they reach are written in one transaction, so that a
 * process that dies delivers each segment once.
 */
import type { RunEvent } from "@baton/core";
import type { FollowedEvent } from "@baton/server/mount";
import { type BotParts, persist } from "../parts.ts";
import { ASK, ChannelRecords, type Delivery, DELIVERY } from "../state/channel-records.ts";
import { type ChannelQuestion, toAsk, toQuestionRow } from "./ask.ts";
import { toAnswerRows } from "./answer-rows.ts";
import { toPictureRows } from "./picture-rows.ts";
import { Preview } from "./preview.ts";

/** A run that is followed. */
interface Followed {
  delivery: Delivery;
  /** Whether it works, as far as its log was read. */
  isActive: boolean;
  /** The last event that was read. */
  seen: number;
}

/** The runs that a channel delivers. */
export class Deliveries {
  readonly #parts: BotParts;
  readonly #followed = new Map<string, Followed>();
  #changed = Promise.withResolvers<void>();

  constructor(parts: BotParts) {
    this.#parts = parts;
    parts.abort.addEventListener("abort", () => this.#notify());
  }

  /** Goes on with what an earlier process left. */
  async begin(): Promise<void> {
    for (const delivery of await this.#parts.records.list(DELIVERY, { kind: "delivery" })) this.follow(delivery);
  }

  /** The runs of a chat that have not ended. */
  openRuns(chat: string): readonly string[] {
    return [...this.#followed.values()].flatMap(({ delivery: { run, chat: to } }) => (to === chat ? [run] : []));
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
    const followed: Followed = { delivery, isActive: true, seen: 0 };
    this.#followed.set(key, followed);
    const work = persist(this.#parts, () => this.#follow(followed));
    this.#parts.own(
      work.finally(() => {
        this.#followed.delete(key);
        this.#notify();
      }),
    );
  }

  /** Resolves when no run that a chat has asked for works any more: all have ended or are paused. */
  async idle(chat: string): Promise<void> {
    const { abort, host } = this.#parts;
    for (;;) {
      const { promise } = this.#changed;
      const asked = [...this.#followed.values()].filter(
        ({ delivery }) => delivery.chat === chat && delivery.isAsked === true,
      );
      let isIdle = true;
      for (const one of asked)
        isIdle &&= !one.isActive && one.seen >= (await host.store.database.logs.length(one.delivery.run));
      if (isIdle || abort.aborted) return;
      await promise;
    }
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async #follow(followed: Followed): Promise<void> {
    const { host, abort, chats } = this.#parts;
    const { run, chat: id } = followed.delivery;
    const chat = await chats.find(id);
    if (chat === undefined) return this.#forget(followed);
    const questions = new Map<string, ChannelQuestion>();
    const preview = new Preview(this.#parts, chat, run);
    try {
      for await (const event of host.follow(run, abort)) {
        await this.#read(followed, event, { questions, preview });
        followed.seen = event.event.seq;
        this.#notify();
      }
      // The run was deleted.
      if (!abort.aborted && !followed.delivery.isOver) await this.#forget(followed);
    } finally {
      preview.end();
    }
  }

  async #read(followed: Followed, told: FollowedEvent, { questions, preview }: Reading): Promise<void> {
    const { event } = told;
    const { seq } = followed.delivery;
    if (event.type === "question.opened") questions.set(event.question, event);
    if (event.type === "question.answered" || event.type === "question.closed") {
      questions.delete(event.question);
      await this.#close(followed.delivery, event.question);
    }
    if (event.type === "run.resumed") followed.isActive = true;
    if (event.seq > seq && (event.type === "run.started" || event.type === "run.resumed")) preview.begin(told.text);
    if (event.type !== "run.paused" && event.type !== "run.ended") return;
    preview.end();
    if (event.seq > seq) await this.#deliver(followed, told, [...questions.values()]);
    followed.isActive = false;
  }

  async #deliver(followed: Followed, told: FollowedEvent, open: readonly ChannelQuestion[]): Promise<void> {
    const { chats } = this.#parts;
    const { event } = told;
    const before = followed.delivery.seq;
    const delivery = { ...followed.delivery, seq: event.seq, isOver: event.type === "run.ended" };
    const chat = await chats.find(delivery.chat);
    if (chat === undefined) return this.#forget(followed);
    const extras = told.extras(chat.language);
    const said = toAnswerRows(this.#parts, { chat, delivery, event, text: told.text(), extras });
    const pictures = await toPictureRows(this.#parts, { chat, run: delivery.run, pictures: extras?.pictures ?? [] });
    const asked = open
      .filter(({ seq }) => seq > before)
      .map((question) => {
        const ask = toAsk(question, delivery);
        return { ask, row: toQuestionRow(this.#parts, { question, chat, ask }) };
      });
    await chats.change(chat.id, () => ({
      rows: [...said, ...pictures.rows, ...asked.map(({ row }) => row)],
      records: [
        ChannelRecords.delivery(delivery),
        ...pictures.records,
        ...asked.flatMap(({ ask }) => (ask === undefined ? [] : [ChannelRecords.ask(ask)])),
      ],
    }));
    followed.delivery = delivery;
  }

  /** A question that was answered elsewhere is open no more. */
  async #close({ run, chat }: Delivery, question: string): Promise<void> {
    const { records } = this.#parts;
    const asks = await records.list(ASK, { kind: "ask", chat });
    for (const ask of asks.filter((one) => one.run === run && one.question === question))
      await records.write(ChannelRecords.ask({ ...ask, isOpen: false }));
  }

  /** The chat was removed. */
  async #forget({ delivery }: Followed): Promise<void> {
    await this.#parts.records.write(ChannelRecords.delivery({ ...delivery, isOver: true }));
  }
}

interface Reading {
  readonly questions: Map<string, ChannelQuestion & RunEvent>;
  readonly preview: Preview;
}
