/**
 * Run finder: finds runs that must go to chats though no message began them: schedules and alerts.
 *
 * Every run of a chat's session goes to the chat; a scheduled run of a linked user in another session goes to that user's
 * private chats.
 */
import type { RunRecord } from "@baton/store";
import type { Deliveries } from "../outbox/deliveries.ts";
import { type BotParts, ownerOf, persist, sleep } from "../parts.ts";
import { type ChannelChat, CHAT, ChannelRecords, type Delivery, ownerKey } from "../state/channel-records.ts";

const GATHER_MS = 500;
const IDLE_MS = 30_000;
/** Largest difference between the clocks of two servers on one store. */
const SKEW_MS = 10_000;
const PAGE = 1_000;

/** Finds the runs of one channel. */
export class RunFinder {
  readonly #parts: BotParts;
  readonly #deliveries: Deliveries;
  #lookedAt: number;

  constructor(parts: BotParts, deliveries: Deliveries, lookedAt: number) {
    this.#parts = parts;
    this.#deliveries = deliveries;
    this.#lookedAt = lookedAt;
  }

  /** Looks whenever runs have changed, until the channel ends. */
  async run(keep: (lookedAt: number) => Promise<void>): Promise<void> {
    const { host, clock, abort } = this.#parts;
    let wake = new AbortController();
    const unwatch = host.store.database.logs.watchAll(() => wake.abort());
    const stop = () => wake.abort();
    abort.addEventListener("abort", stop);
    try {
      while (!abort.aborted) {
        await sleep(clock, GATHER_MS, abort);
        if (abort.aborted) return;
        wake = new AbortController();
        await persist(this.#parts, async () => {
          await this.#look();
          await keep(this.#lookedAt);
        });
        await sleep(clock, IDLE_MS, wake.signal);
      }
    } finally {
      unwatch();
      abort.removeEventListener("abort", stop);
    }
  }

  async #look(): Promise<void> {
    const { host, clock } = this.#parts;
    const since = this.#lookedAt - SKEW_MS;
    const now = clock.now();
    for (let before: string | undefined; ;) {
      const from = before === undefined ? {} : { before };
      const page = await host.store.database.runs.list({ changedSince: since, limit: PAGE, ...from });
      // What an older run says now was found when it began.
      for (const record of page.filter(({ createdAt }) => createdAt >= since))
        for (const chat of await this.#chatsOf(record)) await this.#deliver(record, chat);
      before = page.at(-1)?.id;
      if (before === undefined || page.length < PAGE) break;
    }
    this.#lookedAt = now;
  }

  async #deliver({ id: run }: RunRecord, { id: chat }: ChannelChat): Promise<void> {
    const { chats, records } = this.#parts;
    // An edit that forks the run at this moment writes the same record, with more in it.
    await chats.inTurn(`handle/${chat}`, async () => {
      if (await this.#deliveries.isKnown(run, chat)) return;
      const delivery: Delivery = { run, chat, seq: 0, isOver: false };
      await records.write(ChannelRecords.delivery(delivery));
      this.#deliveries.follow(delivery);
    });
  }

  async #chatsOf({ session = "", options, tenant, user, afterOf }: RunRecord): Promise<readonly ChannelChat[]> {
    const { config, chats, records } = this.#parts;
    const prefix = `${config.name}-`;
    const isScheduled = typeof options === "object" && options !== null && "schedule" in options;
    // Runs that a message starts are delivered by it.
    const isOwn = typeof options === "object" && options !== null && "channel" in options;
    // What runs after an answer says nothing to the user.
    if (afterOf !== undefined) return [];
    if (session.startsWith(prefix)) {
      const chat = await chats.find(session.slice(prefix.length, session.lastIndexOf("-")));
      // Anyone may give a session such a name; and a chat that is another user's now gets nothing of the one before.
      if (chat !== undefined && ownerKey(ownerOf(this.#parts, chat)) === ownerKey({ tenant, user }))
        return isOwn && !isScheduled ? [] : [chat];
    }
    if (!isScheduled) return [];
    const linked = ownerKey({ tenant, user });
    const found = await records.list(CHAT, { kind: "chat", linked });
    return found.filter((chat) => chat.isPrivate && chat.linked?.tenant === tenant && chat.linked.user === user);
  }
}
