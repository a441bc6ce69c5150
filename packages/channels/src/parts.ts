/**
 * Parts: what the pieces of one bot channel share.
 */
import type { Clock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import type { ServiceHost } from "@baton/server/mount";
import type { Owner } from "@baton/store";
import type { BotConfig } from "./config.ts";
import type { BotClient } from "./platform/bot-client.ts";
import type { BotIdentity, Platform } from "./platform/platform.ts";
import type { ChannelChat, ChannelRecords, ChannelState } from "./state/channel-records.ts";
import type { ChatBook } from "./state/chat-book.ts";

/** The state of a channel. */
export type ChannelStatus = ChannelState["status"];

/** Says how it is with one side of a channel. */
export type SetStatus = (side: "poll" | "send", status: ChannelStatus, detail?: string) => void;

/** The parts of one bot channel, while this server leads it. */
export interface BotParts {
  readonly config: BotConfig;
  readonly platform: Platform;
  readonly client: BotClient;
  readonly records: ChannelRecords;
  readonly chats: ChatBook;
  readonly host: ServiceHost;
  readonly clock: Clock;
  /** Aborted when the channel ends, or another server leads it. */
  readonly abort: AbortSignal;
  readonly bot: () => BotIdentity;
  readonly setStatus: SetStatus;
  /** Counts a message that may arrive twice. */
  readonly countUnknown: () => void;
  /** Draws an SVG as PNG. */
  readonly draw: (svg: string) => Promise<Uint8Array>;
  /** Keeps a promise until it settles; an error is logged. */
  readonly own: (work: Promise<unknown>) => void;
}

/** Time between two tries with a token that the platform refuses. */
export const UNAUTHORIZED_MS = 5 * 60 * 1_000;

/** Waits for so long, or until the abort. */
export async function sleep(clock: Clock, delayMs: number, abort: AbortSignal): Promise<void> {
  if (abort.aborted || delayMs <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(delayMs, resolve);
  const stop = () => resolve();
  abort.addEventListener("abort", stop);
  await promise;
  timer.cancel();
  abort.removeEventListener("abort", stop);
}

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** The wait after so many failures in a row: 1 s, doubling to 60 s. */
export function backoffMs(failures: number, firstMs = FIRST_MS): number {
  return Math.min(LONGEST_MS, firstMs * 2 ** Math.min(failures, 10));
}

type Persisting = Pick<BotParts, "abort" | "clock" | "config" | "host" | "records">;

/** Does work until it succeeds, or this server leads no more. */
export async function persist(parts: Persisting, work: () => Promise<void>): Promise<void> {
  const { abort, clock, host, config, records } = parts;
  for (let failures = 0; !abort.aborted; failures++) {
    try {
      return await work();
    } catch (error) {
      if (abort.aborted || !records.isLeader) throw error;
      host.logger.warn("a channel tries again", { channel: config.name, error: toMessage(error) });
      await sleep(clock, backoffMs(failures), abort);
    }
  }
}

/** Ids of Telegram are numbers. */
export function toChatId(id: string, { isRich }: Pick<Platform, "isRich">): string | number {
  return isRich && /^-?[0-9]{1,16}$/.test(id) ? Number(id) : id;
}

/** The user whose runs a chat has. */
export function ownerOf({ config: { tenant, name } }: Pick<BotParts, "config">, chat: ChannelChat): Owner {
  return chat.linked ?? { tenant, user: `${name}-${chat.id}` };
}
