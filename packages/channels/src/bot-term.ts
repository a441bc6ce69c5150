/**
 * Bot term: the work for one bot while this server leads its channel: updates in, messages out.
 *
 * All it knows is read from the store when it begins, and it ends when another server begins one.
 */
import { toMessage } from "@baton/core/util";
import { z } from "zod";
import { ChatHandler } from "./inbox/chat-handler.ts";
import { RunFinder } from "./inbox/run-finder.ts";
import { UpdateInbox } from "./inbox/update-inbox.ts";
import { Deliveries } from "./outbox/deliveries.ts";
import { Outbox } from "./outbox/outbox.ts";
import { backoffMs, type BotParts, persist, sleep, UNAUTHORIZED_MS } from "./parts.ts";
import type { CallOutcome } from "./platform/bot-client.ts";
import type { BotIdentity } from "./platform/platform.ts";
import { ChannelRecords, type ChannelState, PROGRESS } from "./state/channel-records.ts";
import { ChatBook } from "./state/chat-book.ts";
import { wordsOf } from "./words.ts";

const LOOK_MS = 1_000;
const CONFLICT_MS = 5_000;
const WEBHOOK = z.object({ url: z.string().default("") });

/** Options of a term, which its channel gives. */
export interface TermOptions extends Omit<BotParts, "records" | "chats" | "abort" | "own"> {
  /** Aborted when the channel ends. */
  readonly ended: AbortSignal;
  readonly identified: (bot: BotIdentity) => void;
}

/** One term. */
export class BotTerm {
  readonly inbox: UpdateInbox;
  readonly records: ChannelRecords;
  readonly #options: TermOptions;
  readonly #parts: BotParts;
  readonly #outbox: Outbox;
  readonly #deliveries: Deliveries;
  readonly #abort = new AbortController();
  readonly #work = new Set<Promise<void>>();

  constructor(options: TermOptions) {
    const { host, config, clock, ended } = options;
    this.records = new ChannelRecords(host.store.database, config.name);
    this.#options = options;
    this.#parts = {
      ...options,
      records: this.records,
      chats: new ChatBook(this.records, () => clock.now()),
      abort: AbortSignal.any([ended, this.#abort.signal]),
      own: (work) => this.#own(work),
    };
    this.#outbox = new Outbox(this.#parts);
    this.#deliveries = new Deliveries(this.#parts);
    this.inbox = new UpdateInbox(this.#parts, new ChatHandler(this.#parts, this.#deliveries));
  }

  /** Works until the channel ends or another server leads it. */
  async run(): Promise<void> {
    try {
      await this.records.lead();
      if (await this.#setUp()) await this.#serve();
    } finally {
      this.#abort.abort();
      while (this.#work.size > 0) await Promise.allSettled(this.#work);
    }
  }

  /** Writes the state of the channel for other servers. */
  keep(state: ChannelState): void {
    if (this.records.isLeader) this.#own(persist(this.#parts, () => this.records.write(ChannelRecords.status(state))));
  }

  async #serve(): Promise<void> {
    const { config, abort, clock } = this.#parts;
    const progress = (await this.records.find(PROGRESS, "progress")) ?? { offset: 0, lookedAt: clock.now() };
    await this.#outbox.begin();
    await this.#deliveries.begin();
    await this.inbox.look();
    const finder = new RunFinder(this.#parts, this.#deliveries, progress.lookedAt);
    this.#own(
      finder.run(async (lookedAt) => {
        progress.lookedAt = lookedAt;
        await this.records.write(ChannelRecords.progress(progress));
      }),
    );
    if (config.mode === "poll") return this.#poll(progress);
    while (!abort.aborted) {
      await sleep(clock, LOOK_MS, abort);
      await persist(this.#parts, () => this.inbox.look());
    }
  }

  /** Finds out who the bot is and how updates come; false if the term ends before. */
  async #setUp(): Promise<boolean> {
    const { client, platform, abort, clock, setStatus } = this.#parts;
    for (let failures = 0; !abort.aborted; failures++) {
      const me = await client.call("getMe", {}, abort);
      let refusal = me;
      if (me.type === "done") {
        this.#options.identified(platform.toIdentity(me.result));
        await this.#setCommands();
        const set = await this.#setDelivery();
        if (set === "set") {
          setStatus("poll", "up");
          return true;
        }
        if (set === "foreign") {
          await sleep(clock, backoffMs(failures, CONFLICT_MS), abort);
          continue;
        }
        refusal = set;
      }
      await sleep(clock, this.#tellFault(refusal, failures), abort);
    }
    return false;
  }

  async #setCommands(): Promise<void> {
    const { client, platform, abort } = this.#parts;
    if (!platform.isRich) return;
    for (const language of ["en", "vi"] as const) {
      const commands = Object.entries(wordsOf(language).commands).map(([command, description]) => ({
        command,
        description,
      }));
      const more = language === "vi" ? { language_code: "vi" } : {};
      await client.call("setMyCommands", { commands, ...more }, abort);
    }
  }

  /** Sets or removes the webhook; `foreign` if another program has one. */
  async #setDelivery(): Promise<"set" | "foreign" | CallOutcome> {
    const { client, platform, config, abort, setStatus } = this.#parts;
    const { mode, public_url: publicUrl, name, secret } = config;
    const path = `/api/channels/${name}/webhook`;
    if (mode === "webhook") {
      const parameters = platform.toWebhook(`${publicUrl}${path}`, secret ?? "");
      const set = await client.call("setWebhook", parameters, abort);
      return set.type === "done" ? "set" : set;
    }
    const info = await client.call("getWebhookInfo", {}, abort);
    const { data } = WEBHOOK.safeParse(info.type === "done" ? info.result : undefined);
    if (data === undefined || data.url === "") return "set";
    if (data.url.endsWith(path)) {
      const removed = await client.call("deleteWebhook", {}, abort);
      return removed.type === "done" ? "set" : removed;
    }
    setStatus("poll", "conflict", "the bot has a webhook of another program");
    return "foreign";
  }

  async #poll(progress: { offset: number; lookedAt: number }): Promise<void> {
    const { client, platform, bot, abort, clock, setStatus, host, config } = this.#parts;
    if (!platform.isRich)
      host.logger.warn(
        "Zalo confirms updates by delivering them: one can be lost if this process dies; mode webhook has no such window",
        { channel: config.name },
      );
    let failures = 0;
    let kind = "";
    while (!abort.aborted) {
      const outcome = await client.call("getUpdates", platform.toPoll(progress.offset), abort);
      if (abort.aborted) return;
      const isEmpty = outcome.type === "refused" && outcome.code === 408;
      if (outcome.type !== "done" && !isEmpty) {
        const found = outcome.type === "refused" ? String(outcome.code) : "network";
        failures = found === kind ? failures + 1 : 0;
        kind = found;
        await sleep(clock, this.#tellFault(outcome, failures), abort);
        continue;
      }
      kind = "";
      setStatus("poll", "up");
      if (outcome.type === "done") await this.#take(outcome.result, progress, bot());
    }
  }

  /** Puts the updates of a poll on disk, then where the next one begins. */
  async #take(result: unknown, progress: { offset: number; lookedAt: number }, bot: BotIdentity): Promise<void> {
    const { updates, next } = this.#parts.platform.readPoll(result, bot);
    for (const update of updates) await persist(this.#parts, () => this.inbox.receive(update));
    if (next === undefined) return;
    progress.offset = next;
    await persist(this.#parts, () => this.records.write(ChannelRecords.progress(progress)));
  }

  /** Says what is wrong with the platform; gives the wait before the next try. */
  #tellFault(outcome: CallOutcome, failures: number): number {
    const { setStatus } = this.#parts;
    const { code, retryAfterMs, description } = outcome.type === "refused" ? outcome : NO_ANSWER;
    if (code === 409) {
      setStatus("poll", "conflict", "another program polls with this token");
      return backoffMs(failures, CONFLICT_MS);
    }
    if (code === 401 || code === 404) {
      setStatus("poll", "unauthorized", "the platform refuses the token");
      return UNAUTHORIZED_MS;
    }
    const why = description === "" ? "the platform cannot be reached" : `the platform answers: ${description}`;
    setStatus("poll", "down", why);
    return retryAfterMs ?? backoffMs(failures);
  }

  #own(work: Promise<unknown>): void {
    const { host, config, abort } = this.#parts;
    const settled = work
      .then(
        () => undefined,
        (error: unknown) => {
          if (abort.aborted) return;
          // What is in memory may differ from the store now: a new term reads it again.
          host.logger.error("a channel begins again", { channel: config.name, error: toMessage(error) });
          this.#abort.abort();
        },
      )
      .finally(() => this.#work.delete(settled));
    this.#work.add(settled);
  }
}

const NO_ANSWER = { code: 0, retryAfterMs: undefined, description: "" } as const;
