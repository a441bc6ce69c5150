/**
 * Channel records: what a channel keeps in the store: chats, runs to deliver, messages to send, questions and codes.
 *
 * All records of a channel are in one collection, so that several of them are written in one transaction. One server leads
 * a channel: each of its writes includes the record `leader`, so those of a server that has lost the lead are refused.
 */
import { BatonError, type Json } from "@baton/core";
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
  /** Its place among those of the chat; between two numbers if a message had to be cut. */
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
  /** The platform has refused it once; it has no entities any more. */
  isRefused: z.boolean().optional(),
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
  /** A message of the chat began it: the next one waits until it pauses or ends. */
  isAsked: z.boolean().optional(),
});

/** A question that a chat is asked. */
export const ASK = z.object({
  ref: z.string(),
  run: z.string(),
  question: z.string(),
  chat: z.string(),
  text: z.string(),
  choices: z.array(z.object({ label: z.string(), value: z.unknown() })),
  /** The JSON type of an answer in words. */
  answer: z.string().optional(),
  asker: z.string().optional(),
  isOpen: z.boolean(),
  /** The key of the update that answers it. */
  by: z.string().optional(),
  message: z.string().optional(),
});

/** A message of a person or of the bot, and its run. */
export const SAID = z.object({ run: z.string(), text: z.string(), isAnswer: z.boolean(), at: z.number() });
/** A code; one that was used is marked in the transaction that links the chat. */
export const CODE = OWNER.extend({ usedBy: z.string().optional() });
export const MEDIA = z.object({ png: z.string() });
export const PROGRESS = z.object({ offset: z.number(), lookedAt: z.number() });
export const INBOX = z.object({ update: UPDATE, isDone: z.boolean() });
/** The state of a channel, for servers that do not lead it. */
export const STATUS = z.object({
  status: z.enum(["up", "down", "conflict", "unauthorized"]),
  detail: z.string().optional(),
  bot: z.object({ id: z.string(), username: z.string() }),
  unknown: z.number(),
});

export type ChannelChat = z.infer<typeof CHAT>;
export type OutboxRow = z.infer<typeof ROW>;
export type Delivery = z.infer<typeof DELIVERY>;
export type Ask = z.infer<typeof ASK>;
export type SaidMessage = z.infer<typeof SAID>;
export type ChannelState = z.infer<typeof STATUS>;

/** A record to write. */
export type NewRecord = NewDocument;

/** Documents are written as they are given: zod knows their shapes, JSON their values. */
function toData(value: object): Json {
  return parseJson(JSON.stringify(value)) ?? null;
}

const padded = (n: number) => n.toFixed(2).padStart(13, "0");
const LEADER = "leader";
const TERM = z.object({ term: z.string() });

/** The records of one channel. */
export class ChannelRecords {
  readonly #documents: Documents;
  readonly #term = crypto.randomUUID();
  /** The version of the record `leader`; undefined if this is not the leader. */
  #fence: number | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Pick<Database, "documents">, channel: string) {
    this.#documents = database.documents({ tenant: TENANT, user: channel });
  }

  static chat(chat: ChannelChat): NewRecord {
    const { linked } = chat;
    const index = { kind: "chat", ...(linked === undefined ? {} : { linked: ownerKey(linked) }) };
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
    const index = isDone ? {} : { index: { kind: "update" } };
    return { id: `update/${update.key}`, data: toData({ update, isDone }), ttlMs: KEEP_MS, ...index };
  }

  static ask(ask: Ask): NewRecord {
    const index = ask.isOpen ? { index: { kind: "ask", chat: ask.chat } } : {};
    return { id: `ask/${ask.ref}`, data: toData(ask), ttlMs: KEEP_MS * 15, ...index };
  }

  static said(chat: string, message: string, said: SaidMessage): NewRecord {
    return { id: `said/${chat}/${message}`, data: toData(said), ttlMs: KEEP_MS * 15 };
  }

  static code(hash: string, code: z.infer<typeof CODE>, ttlMs: number): NewRecord {
    return { id: `code/${hash}`, data: toData(code), ttlMs };
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

  static status(state: ChannelState): NewRecord {
    return { id: "status", data: toData(state) };
  }

  /** Makes this the leader: the writes of an earlier one are refused from now on. */
  async lead(): Promise<void> {
    const found = await this.#documents.get(COLLECTION, LEADER);
    this.#fence = (await this.#documents.put(COLLECTION, this.#toLeader(found?.version ?? 0))).version;
  }

  /** Writes all or none, in the order of the calls. Throws `conflict`, and writes nothing, if another server leads. */
  async write(...records: readonly NewRecord[]): Promise<void> {
    const work = this.#last.then(() => this.#write(records));
    this.#last = work.catch(() => undefined);
    await work;
  }

  async #write(records: readonly NewRecord[]): Promise<void> {
    if (this.#fence === undefined) throw new BatonError("conflict", "another server leads this channel");
    const version = this.#fence;
    try {
      const [leader] = await this.#documents.putAll(COLLECTION, [this.#toLeader(version), ...records]);
      this.#fence = leader?.version;
    } catch (error) {
      // A write whose answer was lost may have been made.
      const found = await this.#documents.get(COLLECTION, LEADER);
      const isOurs = TERM.safeParse(found?.data).data?.term === this.#term;
      this.#fence = isOurs ? found?.version : undefined;
      throw error;
    }
  }

  #toLeader(version: number): NewRecord {
    return { id: LEADER, data: { term: this.#term }, version };
  }

  /** Whether no other server leads the channel, as far as this one knows. */
  get isLeader(): boolean {
    return this.#fence !== undefined;
  }

  /** Writes a record that must be new; gives its version, or undefined if it is there already. */
  async add(record: NewRecord): Promise<number | undefined> {
    try {
      return (await this.#documents.put(COLLECTION, { ...record, version: 0 })).version;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "conflict") return undefined;
      throw error;
    }
  }

  async find<Schema extends z.ZodType>(schema: Schema, id: string): Promise<z.output<Schema> | undefined> {
    return (await this.findVersion(schema, id))?.value;
  }

  /** The record, with the version that a write may name. */
  async findVersion<Schema extends z.ZodType>(schema: Schema, id: string): Promise<Versioned<Schema> | undefined> {
    const found = await this.#documents.get(COLLECTION, id);
    const parsed = schema.safeParse(found?.data);
    return found === undefined || !parsed.success ? undefined : { value: parsed.data, version: found.version };
  }

  /** Removes a record; false if it was not there. */
  async remove(id: string): Promise<boolean> {
    return this.#documents.delete(COLLECTION, id);
  }

  /** All records with these values of their index, in the order of their ids. */
  async list<Schema extends z.ZodType>(schema: Schema, where: RecordIndex): Promise<readonly z.output<Schema>[]> {
    return (await this.listVersions(schema, where)).map(({ value }) => value);
  }

  /** The same, each with its version. */
  async listVersions<Schema extends z.ZodType>(
    schema: Schema,
    where: RecordIndex,
  ): Promise<readonly Versioned<Schema>[]> {
    const found: Versioned<Schema>[] = [];
    for (let after: string | undefined; ;) {
      const from = after === undefined ? {} : { after };
      const page = await this.#documents.list(COLLECTION, { where, limit: PAGE, ...from });
      for (const { data, version } of page.documents) {
        const parsed = schema.safeParse(data);
        if (parsed.success) found.push({ value: parsed.data, version });
      }
      after = page.next;
      if (after === undefined) return found;
    }
  }
}

type RecordIndex = Readonly<Record<string, string | number>>;

/** A record and its version, which grows with every write in the store. */
export type Versioned<Schema extends z.ZodType> = Readonly<{ value: z.output<Schema>; version: number }>;

/** The text by which the chats of a user are found. */
export function ownerKey({ tenant, user }: z.infer<typeof OWNER>): string {
  return JSON.stringify([tenant, user]).slice(0, 256);
}
