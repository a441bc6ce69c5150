/**
 * Chat book: the chats of a channel. Changes of one chat are made one after the other, each with the records it goes with.
 */
import { z } from "zod";
import { type ChannelChat, CHAT, ChannelRecords, type NewRecord, type OutboxRow } from "./channel-records.ts";

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
  readonly #last = new Map<string, Promise<unknown>>();
  /** Called with rows that are on disk. */
  added: (rows: readonly OutboxRow[]) => void = () => {};

  constructor(records: ChannelRecords, now: () => number) {
    this.#records = records;
    this.#now = now;
  }

  /** The chat of an id, or of the one that replaced it. */
  async find(id: string): Promise<ChannelChat | undefined> {
    const chat = await this.#records.find(CHAT, `chat/${id}`);
    const alias = chat === undefined ? await this.#records.find(ALIAS, `alias/${id}`) : undefined;
    return alias === undefined ? chat : this.#records.find(CHAT, `chat/${alias.chat}`);
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
    };
    await this.#records.write(ChannelRecords.chat(chat));
    return chat;
  }

  /** Does work about a chat when all that was begun before is over. */
  async inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(id) ?? Promise.resolve()).then(work);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(id, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(id) === settled) this.#last.delete(id);
    }
  }

  /** Makes a change in one transaction: the chat, its new messages and other records; false if there is no such chat. */
  async change(id: string, decide: (chat: ChannelChat) => ChatChange): Promise<boolean> {
    return this.inTurn(`change/${id}`, async () => {
      const chat = await this.find(id);
      if (chat === undefined) return false;
      const { chat: fields = {}, rows = [], records = [] } = decide(chat);
      const next: ChannelChat = { ...chat, ...fields, next: chat.next + rows.length };
      const made = rows.map((row, index): OutboxRow => ({
        ...row,
        chat: chat.id,
        n: chat.next + index,
        state: next.isGone ? "gone" : "ready",
        createdAt: this.#now(),
      }));
      await this.#records.write(ChannelRecords.chat(next), ...made.map((row) => ChannelRecords.row(row)), ...records);
      this.added(made.filter(({ state }) => state === "ready"));
      return true;
    });
  }
}
