/**
 * Chat book: the chats of a channel. Changes of one chat are made one after the other, each with the records it goes with.
 */
import { type ChannelChat, CHAT, ChannelRecords, type NewRecord, type OutboxRow } from "./channel-records.ts";
import { z } from "zod";

/** A message to send, before it has a number. */
export type NewRow = Omit<OutboxRow, "chat" | "n" | "state" | "createdAt">;

/** A change of a chat. */
export interface ChatChange {
  readonly chat?: Partial<Omit<ChannelChat, "id">>;
  readonly rows?: readonly NewRow[];
  readonly records?: readonly NewRecord[];
}

const ALIAS = z.object({ chat: z.string() });

/** The chats of one channel. */
export class ChatBook {
  readonly #records: ChannelRecords;
  readonly #now: () => number;
  readonly #known = new Map<string, ChannelChat>();
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Called with rows that are on disk. */
  added: (rows: readonly OutboxRow[]) => void = () => {};

  constructor(records: ChannelRecords, now: () => number) {
    this.#records = records;
    this.#now = now;
  }

  /** The chat of an id, or of the one that replaced it. */
  async find(id: string): Promise<ChannelChat | undefined> {
    const known = this.#known.get(id) ?? (await this.#records.find(CHAT, `chat/${id}`));
    if (known !== undefined) return this.#keep(known);
    const alias = await this.#records.find(ALIAS, `alias/${id}`);
    return alias === undefined ? undefined : this.find(alias.chat);
  }

  /** The chat, which is made if it is new. */
  async open(id: string, { isPrivate, language }: Pick<ChannelChat, "isPrivate" | "language">): Promise<ChannelChat> {
    const known = await this.find(id);
    if (known !== undefined) return known;
    const chat: ChannelChat = {
      id,
      target: id,
      isPrivate,
      language,
      n: 1,
      next: 1,
      isGone: false,
      wrongCodes: 0,
      ignoredUntil: 0,
      toldAt: 0,
      isFlooded: false,
    };
    await this.#records.write(ChannelRecords.chat(chat));
    return this.#keep(chat);
  }

  /** Makes a change in one transaction: the chat, its new messages and other records. */
  async change(id: string, decide: (chat: ChannelChat) => ChatChange): Promise<ChannelChat> {
    const before = this.#turns.get(id);
    const work = this.#change(id, decide, before);
    const settled = work.catch(() => undefined);
    this.#turns.set(id, settled);
    return work;
  }

  async #change(
    id: string,
    decide: (chat: ChannelChat) => ChatChange,
    before: Promise<unknown> | undefined,
  ): Promise<ChannelChat> {
    await before;
    const chat = await this.find(id);
    if (chat === undefined) throw new Error(`there is no chat ${id}`);
    const { chat: fields = {}, rows = [], records = [] } = decide(chat);
    const made = rows.map((row, index): OutboxRow => ({
      ...row,
      chat: chat.id,
      n: chat.next + index,
      state: chat.isGone ? "gone" : "ready",
      createdAt: this.#now(),
    }));
    const next: ChannelChat = { ...chat, ...fields, next: chat.next + made.length };
    await this.#records.write(ChannelRecords.chat(next), ...made.map((row) => ChannelRecords.row(row)), ...records);
    this.#keep(next);
    this.added(made.filter(({ state }) => state === "ready"));
    return next;
  }

  /** Forgets what is in memory of a chat. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  #keep(chat: ChannelChat): ChannelChat {
    this.#known.set(chat.id, chat);
    return chat;
  }
}
