/**
 * Chaos life: plays a planned conversation on a store, from wherever the store has got to, until it ends or waits for
 * something the plan has no answer to. Several lives of one conversation follow each other in different processes.
 */
import type { Command, Crew, Run, RunEvent } from "@baton/core";
import { fold } from "@baton/core";
import { DurableEngine } from "@baton/durable";
import { toGuard } from "@baton/policy";
import { readAll, type Store } from "@baton/store";
import { toUserTexts } from "../to-case.ts";
import { type ChaosPlan, type ConversationLogs, toRunId } from "./chaos-plan.ts";
import { openPlannedModel, type FaultyPartsOptions, playPlan } from "./faulty-parts.ts";

/** A command, by how many were sent before it. */
export type Sent = Readonly<{ number: number; type: "start" | Command["type"] }>;

/** Options of a life. */
export interface LifeOptions extends FaultyPartsOptions {
  readonly crew: Crew;
  readonly store: Store;
  /** The command with this number, from 1, is sent twice: both at once, or the second when the run has paused or ended. */
  readonly twice?: Readonly<{ number: number; when: "at once" | "later" }>;
  /** The run is cancelled twice when the model is called for this time. */
  readonly cancelAt?: number;
  /** Rejects when it has taken too long. */
  readonly until?: Promise<never>;
  /** Called before a command is sent. */
  readonly sends?: (sent: Sent) => void;
}

/** Plays the conversation. */
export async function playLife(options: LifeOptions): Promise<void> {
  const life = new Life(options);
  try {
    await Promise.race([life.play(), ...(options.until === undefined ? [] : [options.until])]);
  } finally {
    await life.stop();
  }
}

class Life {
  readonly #options: LifeOptions;
  readonly #engine: DurableEngine;
  readonly #crew: Crew;
  readonly #cancels: Promise<unknown>[] = [];
  #sent = 0;

  constructor(options: LifeOptions) {
    const { store, modelFault, cancelAt } = options;
    this.#options = options;
    this.#crew = playPlan(options.crew, options);
    const model = openPlannedModel({
      ...options,
      modelFault: (call, prompt) => {
        if (call === cancelAt) for (const _ of [1, 2]) this.#cancels.push(this.#cancel(prompt.run));
        return modelFault?.(call, prompt);
      },
    });
    this.#engine = new DurableEngine({ store, crews: [this.#crew], model: () => model, guardOf: toGuard });
  }

  async play(): Promise<void> {
    const { plan, store } = this.#options;
    let said = 0;
    for (let number = 1; ; number++) {
      const id = toRunId(number);
      if ((await this.#engine.record(id)) === undefined) {
        const input = plan.messages[said];
        if (input === undefined) break;
        await this.#start(id, input);
      }
      await this.#converse(id, said);
      const events = await readAll(store.database, id);
      said += toUserTexts(events).length;
      if (events.at(-1)?.type !== "run.ended") break;
    }
    await this.#engine.recover();
    await this.#engine.idle();
    await Promise.all(this.#cancels);
  }

  async stop(): Promise<void> {
    await this.#engine.stop();
  }

  #start(id: string, input: string): Promise<void> {
    const { plan } = this.#options;
    const session = plan.messages.length > 1 ? { session: "chaos" } : {};
    const own = {
      ...(plan.user !== undefined && { user: plan.user }),
      ...(plan.options !== undefined && { options: plan.options }),
    };
    return this.#send("start", () => this.#engine.start(this.#crew, { id, input, ...own, ...session }));
  }

  /** Answers and writes what the plan has, until the run ends or waits for something else. */
  async #converse(id: string, saidBefore: number): Promise<void> {
    const { plan, store } = this.#options;
    for (;;) {
      const { status } = (await this.#engine.record(id)) ?? {};
      if (status === "running" || status === "queued") await (await this.#engine.recoverRun(id)).result;
      const events = await readAll(store.database, id);
      const command = toCommand(plan, events, saidBefore);
      if (command === undefined) return;
      await this.#send(command.type, async () => (await this.#engine.command(id, command)).run);
    }
  }

  /** Sends a command and waits for the run's next pause or end; of two that are the same, one may be refused. */
  async #send(type: Sent["type"], send: () => Promise<Run>): Promise<void> {
    this.#sent += 1;
    const { sends, twice } = this.#options;
    sends?.({ number: this.#sent, type });
    const isTwice = twice?.number === this.#sent;
    if (!isTwice || twice.when === "later") {
      await (
        await send()
      ).result;
      if (isTwice) await send().then(({ result }) => result, ignore);
      return;
    }
    const [one, other] = await Promise.allSettled([send(), send()]);
    if (one.status === "rejected" && other.status === "rejected") throw one.reason;
    for (const each of [one, other]) if (each.status === "fulfilled") await each.value.result;
  }

  async #cancel(run: string): Promise<void> {
    this.#sent += 1;
    await this.#engine.command(run, { type: "cancel", reason: "cancelled by chaos" }).catch(ignore);
  }
}

/** A refusal of a repeated command is right. */
const ignore = (): undefined => undefined;

/** The user's next command to a paused run; undefined if it has ended, or the plan has none. */
function toCommand(plan: ChaosPlan, events: readonly RunEvent[], saidBefore: number): Command | undefined {
  const view = fold(events);
  if (view.status !== "paused") return undefined;
  const questions = [...view.questions.values()];
  for (const { question, kind, who } of questions) {
    const value = plan.answers[`${view.run}/${question}`];
    if (value === undefined || kind === "message" || kind === "pause") continue;
    return { type: "answer", question, value, ...(who !== undefined && { as: who }) };
  }
  const isWaiting = questions.length === 0 || questions.some(({ kind }) => kind === "message" || kind === "pause");
  const text = plan.messages[saidBefore + toUserTexts(events).length];
  return isWaiting && text !== undefined ? { type: "resume", input: text } : undefined;
}

/** The logs of everything in a store, the oldest run first. */
export async function readLogs({ database }: Pick<Store, "database">): Promise<ConversationLogs> {
  const records = await database.runs.list({ limit: 1_000 });
  const logs: RunEvent[][] = [];
  for (const { id } of records.toReversed()) logs.push([...(await readAll(database, id))]);
  return logs;
}
