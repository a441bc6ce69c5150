/**
 * Bot channel: one bot, on the server that holds its lease; others wait for it.
 */
import type { Clock } from "@baton/core/ports";
import type { ServiceHost } from "@baton/server/mount";
import { z } from "zod";
import type { BotConfig } from "./config.ts";
import { ChatHandler } from "./inbox/chat-handler.ts";
import { UpdateInbox } from "./inbox/update-inbox.ts";
import { RunFinder } from "./inbox/run-finder.ts";
import { Deliveries } from "./outbox/deliveries.ts";
import { Outbox } from "./outbox/outbox.ts";
import { type BotParts, type ChannelStatus, backoffMs, sleep } from "./parts.ts";
import { BotClient } from "./platform/bot-client.ts";
import type { BotIdentity, Platform } from "./platform/platform.ts";
import { telegram } from "./platform/telegram.ts";
import type { Update } from "./platform/update.ts";
import { zalo } from "./platform/zalo.ts";
import { ChannelRecords, CHAT, PROGRESS } from "./state/channel-records.ts";
import { ChatBook } from "./state/chat-book.ts";
import { wordsOf } from "./words.ts";

const LEASE_MS = 1_000;
const LOOK_MS = 1_000;
const CONFLICT_MS = 5_000;
const CONFLICT_LINE_MS = 60_000;
const UNAUTHORIZED_MS = 5 * 60 * 1_000;
const WEBHOOK = z.object({ url: z.string().default("") });

/** The state of a channel, for people. */
export interface ChannelView {
  readonly name: string;
  readonly type: string;
  readonly mode: string;
  readonly status: ChannelStatus;
  readonly detail?: string;
  readonly bot?: string;
  readonly waiting: number;
  readonly unknown: number;
  readonly chats: number;
}

/** One bot. */
export class BotChannel implements AsyncDisposable {
  readonly config: BotConfig;
  readonly platform: Platform;
  readonly records: ChannelRecords;
  readonly #host: ServiceHost;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  readonly #work = new Set<Promise<void>>();
  readonly #parts: BotParts;
  readonly #outbox: Outbox;
  readonly #deliveries: Deliveries;
  readonly #inbox: UpdateInbox;
  #bot: BotIdentity = { id: "", username: "" };
  #status: ChannelStatus = "down";
  #detail: string | undefined = "it has not been reached yet";
  #toldAt = -Infinity;
  #isLeader = false;

  constructor(config: BotConfig, host: ServiceHost, send: typeof fetch) {
    this.config = config;
    this.platform = config.type === "telegram" ? telegram : zalo;
    this.records = new ChannelRecords(host.store.database, config.name);
    this.#host = host;
    this.#clock = host.clock;
    this.#parts = {
      config,
      platform: this.platform,
      client: new BotClient({ apiUrl: config.apiUrl, token: config.token, fetch: send }),
      records: this.records,
      chats: new ChatBook(this.records, () => this.#clock.now()),
      host,
      clock: this.#clock,
      abort: this.#abort.signal,
      bot: () => this.#bot,
      setStatus: (status, detail) => this.#setStatus(status, detail),
      own: (work) => this.#own(work),
    };
    this.#outbox = new Outbox(this.#parts);
    this.#deliveries = new Deliveries(this.#parts);
    this.#inbox = new UpdateInbox(this.#parts, new ChatHandler(this.#parts, this.#deliveries));
  }

  /** Begins to work as soon as no other server does. */
  begin(): void {
    this.#own(this.#lead());
  }

  /** Takes an update that came by webhook; resolves when it is on disk. */
  async receive(update: Update): Promise<void> {
    if (this.#isLeader) await this.#inbox.receive(update);
    else await this.records.add(ChannelRecords.inbox({ update, isDone: false }));
  }

  /** The update in the body of a webhook. */
  read(body: unknown): Update | undefined {
    return this.platform.readUpdate(body, this.#bot);
  }

  async view(): Promise<ChannelView> {
    const { name, type, mode } = this.config;
    return {
      name,
      type,
      mode,
      status: this.#status,
      ...(this.#detail === undefined ? {} : { detail: this.#detail }),
      ...(this.#bot.username === "" ? {} : { bot: this.#bot.username }),
      waiting: this.#outbox.waiting,
      unknown: this.#outbox.unknown,
      chats: (await this.records.list(CHAT, { kind: "chat" })).length,
    };
  }

  /** Forgets a chat; false if there is no such. */
  async forget(id: string): Promise<boolean> {
    this.#parts.chats.forget(id);
    return this.records.remove(`chat/${id}`);
  }

  get unknown(): number {
    return this.#outbox.unknown;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  async #lead(): Promise<void> {
    const abort = this.#abort.signal;
    while (!abort.aborted) {
      const release = await this.#host.lease(this.config.name).catch(() => undefined);
      if (release === undefined) {
        await sleep(this.#clock, LEASE_MS, abort);
        continue;
      }
      try {
        await this.#run();
      } finally {
        this.#isLeader = false;
        await release();
      }
    }
  }

  async #run(): Promise<void> {
    const abort = this.#abort.signal;
    if (!(await this.#setUp())) return;
    this.#isLeader = true;
    const progress = (await this.records.find(PROGRESS, "progress")) ?? { offset: 0, lookedAt: this.#clock.now() };
    await this.#outbox.begin();
    await this.#deliveries.begin();
    await this.#inbox.look();
    const finder = new RunFinder(this.#parts, this.#deliveries, progress.lookedAt);
    this.#own(
      finder.run(async (lookedAt) => {
        progress.lookedAt = lookedAt;
        await this.records.write(ChannelRecords.progress(progress));
      }),
    );
    if (this.config.mode === "poll") return this.#poll(progress);
    while (!abort.aborted) {
      await sleep(this.#clock, LOOK_MS, abort);
      if (!abort.aborted) await this.#inbox.look().catch(() => undefined);
    }
  }

  /** Finds out who the bot is and how updates come; false if the channel ends before. */
  async #setUp(): Promise<boolean> {
    const { client } = this.#parts;
    const abort = this.#abort.signal;
    for (let failures = 0; !abort.aborted; failures++) {
      const me = await client.call("getMe", {}, abort);
      if (me.type === "done") {
        this.#bot = this.platform.toIdentity(me.result);
        this.#setStatus("up");
        await this.#setCommands();
        if (await this.#setDelivery()) return true;
      } else if (me.type === "refused" && (me.code === 401 || me.code === 404)) {
        this.#setStatus("unauthorized", "the platform refuses the token");
        await sleep(this.#clock, UNAUTHORIZED_MS, abort);
        continue;
      } else this.#setStatus("down", "the platform cannot be reached");
      await sleep(this.#clock, backoffMs(failures), abort);
    }
    return false;
  }

  async #setCommands(): Promise<void> {
    if (!this.platform.isRich) return;
    for (const language of ["en", "vi"] as const) {
      const commands = Object.entries(wordsOf(language).commands).map(([command, description]) => ({
        command,
        description,
      }));
      await this.#parts.client.call("setMyCommands", {
        commands,
        ...(language === "vi" ? { language_code: "vi" } : {}),
      });
    }
  }

  /** Sets or removes the webhook; false if another program has one. */
  async #setDelivery(): Promise<boolean> {
    const { client } = this.#parts;
    const { mode, public_url: publicUrl, name, secret } = this.config;
    const path = `/api/channels/${name}/webhook`;
    if (mode === "webhook") {
      const set = await client.call("setWebhook", this.platform.toWebhook(`${publicUrl}${path}`, secret ?? ""));
      return set.type === "done";
    }
    const info = await client.call("getWebhookInfo", {});
    const { data } = WEBHOOK.safeParse(info.type === "done" ? info.result : undefined);
    if (data === undefined || data.url === "") return true;
    if (data.url.endsWith(path)) return (await client.call("deleteWebhook", {})).type === "done";
    this.#setStatus("conflict", "the bot has a webhook of another program");
    return false;
  }

  async #poll(progress: { offset: number; lookedAt: number }): Promise<void> {
    const { client } = this.#parts;
    const abort = this.#abort.signal;
    if (!this.platform.isRich)
      this.#host.logger.warn(
        "Zalo confirms updates by delivering them: one can be lost if this process dies; mode webhook has no such window",
        { channel: this.config.name },
      );
    for (let failures = 0; !abort.aborted;) {
      const outcome = await client.call("getUpdates", this.platform.toPoll(progress.offset), abort);
      if (abort.aborted) return;
      if (outcome.type === "done") {
        failures = 0;
        this.#setStatus("up");
        const { updates, next } = this.platform.readPoll(outcome.result, this.#bot);
        for (const update of updates) await this.#inbox.receive(update);
        if (next === undefined) continue;
        progress.offset = next;
        await this.records.write(ChannelRecords.progress(progress));
        continue;
      }
      const isEmpty = outcome.type === "refused" && outcome.code === 408;
      if (isEmpty) this.#setStatus("up");
      else await sleep(this.#clock, this.#toPollWait(outcome, failures++), abort);
    }
  }

  #toPollWait(
    outcome: { readonly type: string; readonly code?: number; readonly retryAfterMs?: number },
    failures: number,
  ): number {
    if (outcome.code === 409) {
      this.#setStatus("conflict", "another program polls with this token");
      return backoffMs(failures, CONFLICT_MS);
    }
    if (outcome.code === 401 || outcome.code === 404) {
      this.#setStatus("unauthorized", "the platform refuses the token");
      return UNAUTHORIZED_MS;
    }
    this.#setStatus("down", "the platform cannot be reached");
    return outcome.retryAfterMs ?? backoffMs(failures);
  }

  #setStatus(status: ChannelStatus, detail?: string): void {
    const isChanged = status !== this.#status;
    this.#status = status;
    this.#detail = detail;
    const now = this.#clock.monotonic();
    if (status === "up" || (!isChanged && now - this.#toldAt < CONFLICT_LINE_MS)) return;
    this.#toldAt = now;
    this.#host.logger.warn(`a channel is ${status}`, { channel: this.config.name, detail });
  }

  #own(work: Promise<unknown>): void {
    const settled = work
      .then(
        () => undefined,
        (error: unknown) => {
          if (this.#abort.signal.aborted) return;
          const detail = error instanceof Error ? error.message : "unknown";
          this.#host.logger.error("a channel failed", { channel: this.config.name, error: detail });
        },
      )
      .finally(() => this.#work.delete(settled));
    this.#work.add(settled);
  }
}
