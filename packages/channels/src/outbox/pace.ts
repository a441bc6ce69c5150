/**
 * Pace: one message a second in a chat, 20 a minute in a group, 25 a second for the bot.
 */
import type { Clock } from "@baton/core/ports";
import type { ChannelChat } from "../state/channel-records.ts";

const CHAT_MS = 1_000;
const GROUP = { messages: 20, windowMs: 60_000 } as const;
const BOT_MS = 40;
const MAX_CHATS = 10_000;

/** The pace of one bot. */
export class Pace {
  readonly #clock: Clock;
  /** The last sends of each chat. */
  readonly #sent = new Map<string, number[]>();
  #freeAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reserves the next place for a message to a chat; gives the wait until then. */
  reserve({ id, isPrivate }: Pick<ChannelChat, "id" | "isPrivate">): number {
    const now = this.#clock.monotonic();
    const sent = this.#sent.get(id) ?? [];
    const last = sent.at(-1) ?? -Infinity;
    const oldest = isPrivate || sent.length < GROUP.messages ? -Infinity : (sent[0] ?? -Infinity);
    const at = Math.max(now, last + CHAT_MS, oldest + GROUP.windowMs, this.#freeAt);
    this.#freeAt = at + BOT_MS;
    return at - now;
  }

  /** Counts a message that the platform has answered: it may have arrived as late as now. */
  count({ id }: Pick<ChannelChat, "id">): void {
    const sent = [...(this.#sent.get(id) ?? []), this.#clock.monotonic()].slice(-GROUP.messages);
    this.#sent.delete(id);
    this.#sent.set(id, sent);
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > MAX_CHATS && oldest !== undefined) this.#sent.delete(oldest);
  }
}
