/**
 * Update inbox: updates, each on disk before anything is done with it, handled once.
 *
 * A chat's messages are handled one after the other, each when what the one before it started has paused or ended; chats
 * do not wait for each other, and what stops a run, answers a question or edits a message does not wait.
 */
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import { type BotParts, persist, sleep } from "../parts.ts";
import type { Update, UpdateOf } from "../platform/update.ts";
import { ChannelRecords, INBOX } from "../state/channel-records.ts";
import { wordsOf } from "../words.ts";
import type { ChatHandler } from "./chat-handler.ts";
import { type Handled, say } from "./handled.ts";

const MAX_WAITING = 20;
const ALBUM_MS = 1_500;
/** Deliveries of a webhook come side by side: time for one that was sent before. */
const GATHER_MS = 150;
const MAX_KNOWN = 20_000;
/** Tries of an update, over about four minutes. */
const MAX_TRIES = 9;

type Message = UpdateOf<"message">;

/** A message that waits, or the parts of an album. */
interface Waiting {
  readonly order: number;
  readonly parts: Message[];
  /** By the monotonic clock. */
  readyAt: number;
}

/** The messages of a chat that wait, by their order. */
interface ChatQueue {
  readonly waiting: Waiting[];
  isFlooded: boolean;
}

/** The updates of one channel. */
export class UpdateInbox {
  readonly #parts: BotParts;
  readonly #handler: ChatHandler;
  readonly #known = new Set<string>();
  readonly #queues = new Map<string, ChatQueue>();

  constructor(parts: BotParts, handler: ChatHandler) {
    this.#parts = parts;
    this.#handler = handler;
  }

  /** Takes what is on disk and not done: of an earlier process, or of a server that received it. */
  async look(): Promise<void> {
    const stored = await this.#parts.records.listVersions(INBOX, { kind: "update" });
    const open = stored.map(({ value: { update }, version }) => ({ update, order: update.order ?? version }));
    for (const { update, order } of open.toSorted((one, other) => one.order - other.order)) this.#take(update, order);
  }

  /** Puts an update on disk; one that came before does nothing. */
  async receive(update: Update): Promise<void> {
    const version = await this.#parts.records.add(ChannelRecords.inbox({ update, isDone: false }));
    if (version !== undefined) this.#take(update, update.order ?? version);
  }

  #take(update: Update, order: number): void {
    if (this.#known.has(update.key)) return;
    this.#known.add(update.key);
    const [oldest] = this.#known;
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    if (update.kind === "message" && !isStop(update)) return this.#queue(update, order);
    if (update.kind === "edit" && this.#replace(update)) return;
    this.#parts.own(this.#carryOut([update], () => this.#handleNow(update)));
  }

  #handleNow(update: Update): Promise<Handled> {
    if (update.kind === "message") return this.#handler.message([update], []);
    if (update.kind === "press") return this.#handler.press(update);
    if (update.kind === "stop") return this.#handler.stop(update.chat);
    return update.kind === "edit" ? this.#handler.edit(update) : this.#handler.membership(update);
  }

  /** Gives a message that still waits its new text; false if there is none. */
  #replace(edit: UpdateOf<"edit">): boolean {
    const queue = this.#queues.get(edit.chat)?.waiting ?? [];
    for (const { parts } of queue) {
      const at = parts.findIndex(({ message }) => message === edit.message);
      const found = parts[at];
      if (found === undefined) continue;
      const update = { ...found, text: edit.text };
      parts[at] = update;
      const done = ChannelRecords.inbox({ update: edit, isDone: true });
      const write = () => this.#parts.records.write(ChannelRecords.inbox({ update, isDone: false }), done);
      this.#parts.own(persist(this.#parts, write));
      return true;
    }
    return false;
  }

  #queue(update: Message, order: number): void {
    const { clock, config, own } = this.#parts;
    const queue = this.#queues.get(update.chat) ?? { waiting: [], isFlooded: false };
    const isNew = !this.#queues.has(update.chat);
    this.#queues.set(update.chat, queue);
    const { waiting } = queue;
    const now = clock.monotonic();
    const album = waiting.find(({ parts: [first] }) => update.album !== undefined && first?.album === update.album);
    if (album !== undefined) {
      album.parts.push(update);
      album.readyAt = now + ALBUM_MS;
      return;
    }
    if (waiting.length >= MAX_WAITING) return own(persist(this.#parts, () => this.#drop(queue, update)));
    const waitMs = update.album !== undefined ? ALBUM_MS : config.mode === "webhook" ? GATHER_MS : 0;
    waiting.push({ order, parts: [update], readyAt: now + waitMs });
    waiting.sort((one, other) => one.order - other.order);
    if (isNew) own(this.#work(update.chat, queue));
  }

  /** Handles the messages of a chat until none waits. */
  async #work(chat: string, { waiting }: ChatQueue): Promise<void> {
    const { clock, abort } = this.#parts;
    while (!abort.aborted) {
      const [first] = waiting;
      if (first === undefined) break;
      await this.#handler.idle(chat);
      await sleep(clock, first.readyAt - clock.monotonic(), abort);
      if (abort.aborted || waiting[0] !== first || first.readyAt > clock.monotonic()) continue;
      waiting.shift();
      const parts = first.parts.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));
      const images = await this.#handler.read(parts);
      await this.#carryOut(parts, () => this.#handler.message(parts, images));
    }
    this.#queues.delete(chat);
  }

  /** Tells the chat once, until no message of it waits. */
  async #drop(queue: ChatQueue, update: Message): Promise<void> {
    const { chats, records } = this.#parts;
    const done = ChannelRecords.inbox({ update, isDone: true });
    const isTold = queue.isFlooded;
    queue.isFlooded = true;
    const isKnown = await chats.change(update.chat, ({ language }) => ({
      rows: isTold ? [] : [{ text: wordsOf(language).tooMany, entities: [] }],
      records: [done],
    }));
    if (!isKnown) await records.write(done);
  }

  /** An update that fails every time must not hold up the chat. */
  #giveUp(error: unknown): Handled {
    const { host, config } = this.#parts;
    host.logger.error("an update was given up", { channel: config.name, error: toMessage(error) });
    return say(wordsOf("en").failed("internal", config.name));
  }

  /** Handles updates until that succeeds; what it changes and that they are done is written in one transaction. */
  async #carryOut(updates: readonly Update[], work: () => Promise<Handled>): Promise<void> {
    const { chats, records } = this.#parts;
    const [first] = updates;
    if (first === undefined) return;
    const done = updates.map((update) => ChannelRecords.inbox({ update, isDone: true }));
    let failures = 0;
    const handle = async () => {
      const { change, follow } = await work().catch((error: unknown) => {
        if (++failures < MAX_TRIES || isPassing(error)) throw error;
        return this.#giveUp(error);
      });
      const isKnown =
        change !== undefined &&
        (await chats.change(first.chat, () => ({ ...change, records: [...(change.records ?? []), ...done] })));
      if (!isKnown) await records.write(...done);
      if (follow !== undefined) this.#handler.follow(follow);
    };
    await persist(this.#parts, () => chats.inTurn(`handle/${first.chat}`, handle));
  }
}

/** Whether the same may succeed later. */
function isPassing(error: unknown): boolean {
  return error instanceof BatonError && (error.retryable || error.code === "busy");
}

/** It must not wait behind the run that it stops. */
function isStop({ text }: Message): boolean {
  return /^\/stop(\s|$)/.test(text.trimStart());
}
