/**
 * Update inbox: updates, each on disk before anything is done with it, handled once.
 *
 * A chat's messages are handled one after the other; chats do not wait for each other, and what stops a run or answers
 * a question does not wait.
 */
import { ChannelRecords, INBOX } from "../state/channel-records.ts";
import { type BotParts, backoffMs, sleep } from "../parts.ts";
import type { Update, UpdateOf } from "../platform/update.ts";
import { wordsOf } from "../words.ts";

const MAX_WAITING = 20;
const ALBUM_MS = 1_500;

/** Carries out updates. */
export interface UpdateHandler {
  /** Several messages are the parts of an album. */
  readonly message: (parts: readonly UpdateOf<"message">[]) => Promise<void>;
  readonly edit: (update: UpdateOf<"edit">) => Promise<void>;
  readonly press: (update: UpdateOf<"press">) => Promise<void>;
  readonly stop: (chat: string) => Promise<void>;
}

interface Album {
  readonly parts: UpdateOf<"message">[];
  lastAt: number;
}

/** The updates of one channel. */
export class UpdateInbox {
  readonly #parts: BotParts;
  readonly #handler: UpdateHandler;
  readonly #known = new Set<string>();
  readonly #chains = new Map<string, { waiting: number; last: Promise<void> }>();
  readonly #albums = new Map<string, Album>();

  constructor(parts: BotParts, handler: UpdateHandler) {
    this.#parts = parts;
    this.#handler = handler;
  }

  /** Takes what is on disk and not done: of an earlier process, or of a server that received it. */
  async look(): Promise<void> {
    const stored = await this.#parts.records.list(INBOX, { kind: "update" });
    const open = stored.map(({ update }) => update).toSorted((one, other) => one.order - other.order);
    for (const update of open) this.#take(update);
  }

  /** Puts an update on disk; one that came before does nothing. */
  async receive(update: Update): Promise<void> {
    if (await this.#parts.records.add(ChannelRecords.inbox({ update, isDone: false }))) this.#take(update);
  }

  #take(update: Update): void {
    if (this.#known.has(update.key)) return;
    this.#known.add(update.key);
    const { own } = this.#parts;
    if (update.kind !== "message") return own(this.#carryOut([update], () => this.#handleOther(update)));
    if (isStop(update)) return own(this.#carryOut([update], () => this.#handler.message([update])));
    if (update.album !== undefined) return this.#addToAlbum(update, update.album);
    this.#queue(update.chat, [update]);
  }

  async #handleOther(update: Exclude<Update, { readonly kind: "message" }>): Promise<void> {
    const { chats } = this.#parts;
    if (update.kind === "press") return this.#handler.press(update);
    if (update.kind === "stop") return this.#handler.stop(update.chat);
    if (update.kind === "edit") return this.#handler.edit(update);
    if ((await chats.find(update.chat)) !== undefined)
      await chats.change(update.chat, () => ({ chat: { isGone: update.isGone } }));
  }

  #addToAlbum(update: UpdateOf<"message">, album: string): void {
    const { clock, own, abort } = this.#parts;
    const key = `${update.chat}/${album}`;
    const known = this.#albums.get(key);
    if (known !== undefined) {
      known.parts.push(update);
      known.lastAt = clock.monotonic();
      return;
    }
    const made: Album = { parts: [update], lastAt: clock.monotonic() };
    this.#albums.set(key, made);
    const wait = async () => {
      while (!abort.aborted && clock.monotonic() - made.lastAt < ALBUM_MS)
        await sleep(clock, made.lastAt + ALBUM_MS - clock.monotonic(), abort);
      this.#albums.delete(key);
      if (!abort.aborted)
        this.#queue(
          update.chat,
          made.parts.toSorted((one, other) => one.order - other.order),
        );
    };
    own(wait());
  }

  #queue(chat: string, updates: readonly UpdateOf<"message">[]): void {
    const { own } = this.#parts;
    const chain = this.#chains.get(chat) ?? { waiting: 0, last: Promise.resolve() };
    this.#chains.set(chat, chain);
    if (chain.waiting > MAX_WAITING) return own(this.#drop(chat, updates));
    chain.waiting++;
    chain.last = chain.last.then(async () => {
      await this.#carryOut(updates, () => this.#handler.message(updates));
      chain.waiting--;
      if (chain.waiting === 0 && this.#chains.get(chat) === chain) this.#chains.delete(chat);
    });
    own(chain.last);
  }

  /** Tells the chat once, until it is empty again. */
  async #drop(id: string, updates: readonly UpdateOf<"message">[]): Promise<void> {
    const { chats } = this.#parts;
    const done = updates.map((update) => ChannelRecords.inbox({ update, isDone: true }));
    if ((await chats.find(id)) === undefined) return this.#parts.records.write(...done);
    await chats.change(id, ({ isFlooded, language }) => ({
      chat: { isFlooded: true },
      rows: isFlooded ? [] : [{ text: wordsOf(language).tooMany, entities: [] }],
      records: done,
    }));
  }

  /** Handles updates until that succeeds, then writes that they are done. */
  async #carryOut(updates: readonly Update[], work: () => Promise<void>): Promise<void> {
    const { abort, clock, records, host, config } = this.#parts;
    for (let failures = 0; !abort.aborted; failures++) {
      try {
        await work();
        await records.write(...updates.map((update) => ChannelRecords.inbox({ update, isDone: true })));
        for (const { key } of updates) this.#known.delete(key);
        return;
      } catch (error) {
        if (abort.aborted) return;
        const detail = error instanceof Error ? error.message : "unknown";
        host.logger.warn("an update could not be handled and is tried again", { channel: config.name, error: detail });
        await sleep(clock, backoffMs(failures), abort);
      }
    }
  }
}

/** It must not wait behind the run that it stops. */
function isStop({ text }: UpdateOf<"message">): boolean {
  return text.trim().split(" ", 1)[0] === "/stop";
}
