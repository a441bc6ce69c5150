/**
 * Pace: one message a second in a chat, 20 a minute in a group, 25 a second for the bot.
 */
import type { Clock } from "@baton/core/ports";
import type { ChannelChat } from "../state/channel-records.ts";

const CHAT_MS = 1_000;
const GROUP = { messages: 20, windowMs: 60_000 } as const;
const BOT_MS = 40;

/** The pace of one bot. */
export class Pace {
  readonly #clock: Clock;
  /** The last sends of each chat. */
  readonly #sent = new Map<string, number[]>();
  #freeAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The wait before the next message to a chat. */
  waitMs({ id, isPrivate }: Pick<ChannelChat, "id" | "isPrivate">): number {
    const now = this.#clock.monotonic();
    const sent = this.#sent.get(id) ?? [];
    const last = sent.at(-1) ?? -Infinity;
    const oldest = isPrivate || sent.length < GROUP.messages ? -Infinity : (sent[0] ?? -Infinity);
    return Math.max(0, last + CHAT_MS - now, oldest + GROUP.windowMs - now, this.#freeAt - now);
  }

  /** Counts a message. */
  count({ id }: Pick<ChannelChat, "id">): void {
    const now = this.#clock.monotonic();
    const sent = [...(this.#sent.get(id) ?? []), now].slice(-GROUP.messages);
    this.#sent.delete(id);
    this.#sent.set(id, sent);
    this.#freeAt = Math.max(this.#freeAt, now) + BOT_MS;
    const [oldest = ""] = this.#sent.size > 10_000 ? this.#sent.keys() : [];
    if (oldest !== "") this.#sent.delete(oldest);
  }
}
