/**
 * Channel records: what a channel keeps in the store: chats, runs to deliver, messages to send, questions and codes.
 *
 * All records of a channel are in one collection, so that several of them are written in one transaction.
 */
import type { Json } from "@baton/core";
import type { Documents, NewDocument } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import type { Database } from "@baton/store";
import { z } from "zod";
import { UPDATE } from "../platform/update.ts";

const COLLECTION = "channel";
/** No key names such a tenant. */
const TENANT = ":channels";
const HOUR_MS = 60 * 60 * 1_000;
const KEEP_MS = 48 * HOUR_MS;
const PAGE = 1_000;

const OWNER = z.object({ tenant: z.string(), user: z.string() });

/** A conversation on a platform. */
export const CHAT = z.object({
  id: z.string(),
  /** The id to send to, if the platform has replaced it. */
  target: z.string(),
  isPrivate: z.boolean(),
  language: z.enum(["en", "vi"]),
  /** The user that it is linked to. */
  linked: OWNER.optional(),
  /** The number of its session. */
  n: z.number(),
  /** The number of its next message. */
  next: z.number(),
  isGone: z.boolean(),
  wrongCodes: z.number(),
  ignoredUntil: z.number(),
  toldAt: z.number(),
  isFlooded: z.boolean(),
});

const ENTITY = z.object({
  type: z.enum(["bold", "italic", "strikethrough", "code", "pre", "text_link", "blockquote"]),
  offset: z.number(),
  length: z.number(),
  url: z.string().exactOptional(),
  language: z.string().exactOptional(),
});

/** A message to send. */
export const ROW = z.object({
  chat: z.string(),
  n: z.number(),
  state: z.enum(["ready", "sending", "sent", "gone", "failed", "expired"]),
  createdAt: z.number(),
  text: z.string(),
  entities: z.array(ENTITY),
  buttons: z.array(z.object({ text: z.string(), data: z.string() })).optional(),
  replyTo: z.string().optional(),
  /** The id of a picture, with the text as its caption. */
  media: z.string().optional(),
  run: z.string().optional(),
  /** The question that it asks. */
  ask: z.string().optional(),
  /** It may have arrived before. */
  isUnknown: z.boolean().optional(),
});

/** A run whose answers go to a chat, and how far they are in its outbox. */
export const DELIVERY = z.object({
  run: z.string(),
  chat: z.string(),
  seq: z.number(),
  isOver: z.boolean(),
  /** The person that asked, in a group. */
  from: z.string().optional(),
  replyTo: z.string().optional(),
  mark: z.string().optional(),
});

/** A question with buttons. */
export const ASK = z.object({
  ref: z.string(),
  run: z.string(),
  question: z.string(),
  chat: z.string(),
  text: z.string(),
  choices: z.array(z.object({ label: z.string(), value: z.unknown() })),
  asker: z.string().optional(),
  isOpen: z.boolean(),
  message: z.string().optional(),
});

/** A message of a person or of the bot, and its run. */
export const SAID = z.object({ run: z.string(), text: z.string(), isAnswer: z.boolean(), session: z.string() });
export const CODE = OWNER;
export const MEDIA = z.object({ png: z.string() });
export const PROGRESS = z.object({ offset: z.number(), lookedAt: z.number() });
export const INBOX = z.object({ update: UPDATE, isDone: z.boolean() });

export type ChannelChat = z.infer<typeof CHAT>;
export type OutboxRow = z.infer<typeof ROW>;
export type Delivery = z.infer<typeof DELIVERY>;
export type Ask = z.infer<typeof ASK>;
export type SaidMessage = z.infer<typeof SAID>;

/** A record to write. */
export type NewRecord = NewDocument;

/** Documents are written as they are given: zod knows their shapes, JSON their values. */
function toData(value: object): Json {
  return parseJson(JSON.stringify(value)) ?? null;
}

const padded = (n: number) => String(n).padStart(10, "0");

/** The records of one channel. */
export class ChannelRecords {
  readonly #documents: Documents;

  constructor(database: Pick<Database, "documents">, channel: string) {
    this.#documents = database.documents({ tenant: TENANT, user: channel });
  }

  static chat(chat: ChannelChat): NewRecord {
    const { linked } = chat;
    const index = {
      kind: "chat",
      ...(linked === undefined ? {} : { linked: JSON.stringify([linked.tenant, linked.user]).slice(0, 256) }),
    };
    return { id: `chat/${chat.id}`, data: toData(chat), index };
  }

  static row(row: OutboxRow): NewRecord {
    const id = `row/${row.chat}/${padded(row.n)}`;
    const isOpen = row.state === "ready" || row.state === "sending";
    return isOpen ? { id, data: toData(row), index: { kind: "row" } } : { id, data: toData(row), ttlMs: KEEP_MS };
  }

  static delivery(delivery: Delivery): NewRecord {
    const id = `run/${delivery.run}/${delivery.chat}`;
    const data = toData(delivery);
    return delivery.isOver ? { id, data, ttlMs: KEEP_MS } : { id, data, index: { kind: "delivery" } };
  }

  static inbox({ update, isDone }: z.infer<typeof INBOX>): NewRecord {
    const index = isDone ? {} : { index: { kind: "update", order: update.order } };
    return { id: `update/${update.key}`, data: toData({ update, isDone }), ttlMs: KEEP_MS, ...index };
  }

  static ask(ask: Ask): NewRecord {
    const index = ask.isOpen ? { index: { kind: "ask", chat: ask.chat } } : {};
    return { id: `ask/${ask.ref}`, data: toData(ask), ttlMs: KEEP_MS * 15, ...index };
  }

  static said(chat: string, message: string, said: SaidMessage): NewRecord {
    return { id: `said/${chat}/${message}`, data: toData(said), ttlMs: KEEP_MS * 15 };
  }

  static code(hash: string, owner: z.infer<typeof CODE>, ttlMs: number): NewRecord {
    return { id: `code/${hash}`, data: toData(owner), ttlMs };
  }

  static media(id: string, png: string): NewRecord {
    return { id: `media/${id}`, data: { png }, ttlMs: HOUR_MS * 24 };
  }

  static alias(from: string, chat: string): NewRecord {
    return { id: `alias/${from}`, data: { chat } };
  }

  static progress(progress: z.infer<typeof PROGRESS>): NewRecord {
    return { id: "progress", data: toData(progress) };
  }

  /** Writes all or none. */
  async write(...records: readonly NewRecord[]): Promise<void> {
    await this.#documents.putAll(COLLECTION, records);
  }

  /** Writes a record that must be new; false if it is there already. */
  async add(record: NewRecord): Promise<boolean> {
    try {
      await this.#documents.put(COLLECTION, { ...record, version: 0 });
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "conflict") return false;
      throw error;
    }
  }

  async find<Schema extends z.ZodType>(schema: Schema, id: string): Promise<z.output<Schema> | undefined> {
    const found = await this.#documents.get(COLLECTION, id);
    return found === undefined ? undefined : schema.safeParse(found.data).data;
  }

  /** Removes a record; false if it was not there. */
  async remove(id: string): Promise<boolean> {
    return this.#documents.delete(COLLECTION, id);
  }

  /** All records with these values of their index, in the order of their ids. */
  async list<Schema extends z.ZodType>(
    schema: Schema,
    where: Readonly<Record<string, string | number>>,
  ): Promise<readonly z.output<Schema>[]> {
    const found: z.output<Schema>[] = [];
    for (let after: string | undefined; ;) {
      const page = await this.#documents.list(COLLECTION, {
        where,
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      for (const { data } of page.documents) {
        const parsed = schema.safeParse(data);
        if (parsed.success) found.push(parsed.data);
      }
      after = page.next;
      if (after === undefined) return found;
    }
  }
}
