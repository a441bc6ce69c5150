/**
 * Webhook channel: tells another program what happens in a tenant's runs, signed by Standard Webhooks.
 *
 * A message is on disk before it is sent, has the same id at every try, and is tried until a 2xx, for 24 hours.
 */
import { createHmac } from "node:crypto";
import type { RunEvent } from "@baton/core";
import { toMessage } from "@baton/core/util";
import type { FollowedEvent, ServiceHost } from "@baton/server/mount";
import type { RunFilter, RunRecord } from "@baton/store";
import { z } from "zod";
import type { ChannelView } from "./bot-channel.ts";
import type { WebhookConfig } from "./config.ts";
import { backoffMs, type ChannelStatus, sleep } from "./parts.ts";
import { ChannelRecords, PROGRESS } from "./state/channel-records.ts";

const LOOK_MS = 1_000;
const SKEW_MS = 10_000;
const EXPIRES_MS = 24 * 60 * 60 * 1_000;
const KEEP_MS = 2 * EXPIRES_MS;
const TIMEOUT_MS = 30_000;
const PAGE = 1_000;
/** Longer than runs that have ended are listed as changed. */
const FORGET_MS = 60_000;
const HOOK = z.object({ id: z.string(), body: z.string(), at: z.number() });

/** One webhook. */
export class WebhookChannel implements AsyncDisposable {
  readonly #config: WebhookConfig;
  readonly #host: ServiceHost;
  readonly #send: typeof fetch;
  readonly #abort = new AbortController();
  readonly #records: ChannelRecords;
  #leading: Promise<void> = Promise.resolve();
  #status: ChannelStatus = "up";

  constructor(config: WebhookConfig, host: ServiceHost, send: typeof fetch) {
    this.#config = config;
    this.#host = host;
    this.#send = send;
    this.#records = new ChannelRecords(host.store.database, config.name);
  }

  begin(): void {
    this.#leading = this.#lead();
  }

  async view(): Promise<ChannelView> {
    const { name, type } = this.#config;
    const waiting = (await this.#records.list(HOOK, { kind: "hook" })).length;
    return { name, type, mode: "push", status: this.#status, waiting, unknown: 0, chats: 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#leading;
  }

  async #lead(): Promise<void> {
    const ended = this.#abort.signal;
    const { clock, logger } = this.#host;
    while (!ended.aborted) {
      const release = await this.#host.lease(this.#config.name).catch(() => undefined);
      if (release !== undefined) {
        const term = new AbortController();
        const abort = AbortSignal.any([ended, term.signal]);
        try {
          await this.#records.lead();
          // The first that fails ends the other.
          const works = [this.#look(abort), this.#sendAll(abort)].map((work) => work.finally(() => term.abort()));
          await Promise.all(works);
        } catch (error) {
          logger.error("a channel begins again", { channel: this.#config.name, error: toMessage(error) });
        } finally {
          await release().catch(() => undefined);
        }
      }
      await sleep(clock, LOOK_MS, ended);
    }
  }

  /** Finds what has happened in the runs of the tenant. */
  async #look(abort: AbortSignal): Promise<void> {
    const { clock } = this.#host;
    const { tenant } = this.#config;
    const progress = (await this.#records.find(PROGRESS, "progress")) ?? { offset: 0, lookedAt: clock.now() };
    const since = progress.lookedAt - SKEW_MS;
    const followed = new Map<string, number>();
    const work = new Set<Promise<void>>();
    const fault = Promise.withResolvers<never>();
    fault.promise.catch(() => undefined);
    const follow = (record: RunRecord) => {
      if (followed.has(record.id) || record.afterOf !== undefined) return;
      followed.set(record.id, Infinity);
      const watched = this.#watch(record, since, abort)
        .catch((error: unknown) => fault.reject(error))
        .finally(() => {
          work.delete(watched);
          followed.set(record.id, clock.now());
        });
      work.add(watched);
    };
    try {
      for await (const record of this.#list({ tenant, status: "open" })) follow(record);
      while (!abort.aborted) {
        const now = clock.now();
        for await (const record of this.#list({ tenant, changedSince: progress.lookedAt - SKEW_MS })) follow(record);
        progress.lookedAt = now;
        await this.#records.write(ChannelRecords.progress(progress));
        // One that has ended may be listed again for a while.
        const old = [...followed].filter(([, at]) => at < now - FORGET_MS);
        for (const [id] of old) followed.delete(id);
        await Promise.race([sleep(clock, LOOK_MS, abort), fault.promise]);
      }
    } finally {
      await Promise.allSettled(work);
    }
  }

  async *#list(filter: RunFilter): AsyncGenerator<RunRecord, void> {
    const { runs } = this.#host.store.database;
    for (let before: string | undefined; ;) {
      const page = await runs.list({ ...filter, limit: PAGE, ...(before === undefined ? {} : { before }) });
      yield* page;
      before = page.at(-1)?.id;
      if (before === undefined || page.length < PAGE) return;
    }
  }

  async #watch(record: RunRecord, since: number, abort: AbortSignal): Promise<void> {
    const questions = new Map<string, object>();
    for await (const followed of this.#host.follow(record.id, abort)) {
      const { event } = followed;
      if (event.type === "question.opened")
        questions.set(event.question, {
          question: event.question,
          kind: event.kind,
          text: event.text,
          schema: event.schema,
        });
      if (event.type === "question.answered" || event.type === "question.closed") questions.delete(event.question);
      if (event.at < since) continue;
      const type = this.#typeOf(event, record);
      if (type !== undefined) await this.#add(type, record, { followed, questions: [...questions.values()] });
    }
  }

  #typeOf(event: RunEvent, { options }: RunRecord): "paused" | "ended" | "scheduled" | undefined {
    const { events } = this.#config;
    const isScheduled = typeof options === "object" && options !== null && "schedule" in options;
    if (event.type === "run.paused") return events.includes("paused") ? "paused" : undefined;
    if (event.type !== "run.ended") return undefined;
    if (isScheduled && events.includes("scheduled")) return "scheduled";
    return events.includes("ended") ? "ended" : undefined;
  }

  async #add(
    type: string,
    record: RunRecord,
    { followed, questions }: { followed: FollowedEvent; questions: readonly object[] },
  ): Promise<void> {
    const { event } = followed;
    const { id: run, session, crew, user } = record;
    const outcome = event.type === "run.ended" ? event.outcome : "paused";
    const body = JSON.stringify({
      type,
      run,
      session,
      crew,
      user,
      outcome,
      text: followed.text(),
      ...(questions.length > 0 ? { questions } : {}),
      at: new Date(event.at).toISOString(),
    });
    const id = `msg_${run}_${event.seq}`;
    const at = this.#host.clock.now();
    // One that was sent stays known, so that it is not made again.
    await this.#records.add({ id: `hook/${id}`, data: { id, body, at }, index: { kind: "hook" }, ttlMs: KEEP_MS });
  }

  async #sendAll(abort: AbortSignal): Promise<void> {
    const { clock, logger } = this.#host;
    let failures = 0;
    while (!abort.aborted) {
      const waiting = await this.#records.list(HOOK, { kind: "hook" });
      for (const hook of waiting.toSorted((one, other) => one.at - other.at)) {
        if (abort.aborted) return;
        const isOver = clock.now() - hook.at > EXPIRES_MS;
        const isTaken = isOver || (await this.#post(hook, abort));
        this.#status = isTaken ? "up" : "down";
        if (isOver)
          logger.error("a webhook was given up after 24 hours", { channel: this.#config.name, message: hook.id });
        if (isTaken) await this.#records.write({ id: `hook/${hook.id}`, data: hook, ttlMs: KEEP_MS });
        failures = isTaken ? 0 : failures + 1;
        if (!isTaken) await sleep(clock, backoffMs(failures - 1), abort);
        if (!isTaken) break;
      }
      if (failures === 0) await sleep(clock, LOOK_MS, abort);
    }
  }

  async #post({ id, body }: z.infer<typeof HOOK>, abort: AbortSignal): Promise<boolean> {
    const timestamp = Math.floor(this.#host.clock.now() / 1_000).toString();
    const signature = createHmac("sha256", this.#config.secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    try {
      const { ok, body: rest } = await this.#send(this.#config.url, {
        method: "POST",
        redirect: "manual",
        signal: AbortSignal.any([abort, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: {
          "Content-Type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,${signature}`,
        },
        body,
      });
      await rest?.cancel();
      return ok;
    } catch {
      return false;
    }
  }
}
