/**
 * Parts: what the pieces of one bot channel share.
 */
import type { Clock } from "@baton/core/ports";
import type { ServiceHost } from "@baton/server/mount";
import type { BotConfig } from "./config.ts";
import type { BotClient } from "./platform/bot-client.ts";
import type { BotIdentity, Platform } from "./platform/platform.ts";
import type { ChannelRecords } from "./state/channel-records.ts";
import type { ChatBook } from "./state/chat-book.ts";

/** The state of a channel. */
export type ChannelStatus = "up" | "down" | "conflict" | "unauthorized";

/** The parts of one bot channel. */
export interface BotParts {
  readonly config: BotConfig;
  readonly platform: Platform;
  readonly client: BotClient;
  readonly records: ChannelRecords;
  readonly chats: ChatBook;
  readonly host: ServiceHost;
  readonly clock: Clock;
  /** Aborted when the channel ends. */
  readonly abort: AbortSignal;
  readonly bot: () => BotIdentity;
  readonly setStatus: (status: ChannelStatus, detail?: string) => void;
  /** Keeps a promise until it settles; an error is logged. */
  readonly own: (work: Promise<unknown>) => void;
}

/** Waits for so long, or until the abort. */
export async function sleep(clock: Clock, delayMs: number, abort: AbortSignal): Promise<void> {
  if (abort.aborted) return;
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
