/**
 * User: asks a cluster for runs, one after the other in a session, follows each to its end and sends it commands.
 *
 * Every request goes to a server that is chosen at random, and is sent again if that is safe. What was acknowledged,
 * refused or is unknown is remembered, so that the log can be held against it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ClientError, type Client, type Command, createClient, type RunEvent } from "@baton/client";

const CREW = "crew";
/** Delay before a request that was not answered is repeated. */
const AGAIN_MS = 50;
/** A command is sent at one of these first events of a run, before it asks for an approval. */
const MOMENTS = 30;
const START_TRIES = 1_000;
const PAUSE: Command = { type: "pause" };
const CANCEL: Command = { type: "cancel" };

/** A command that was sent once, and what is known about it: `unknown` if no answer came. */
export interface Sent {
  readonly run: string;
  readonly command: Command;
  readonly fate: "acknowledged" | "refused" | "unknown";
  /** Why it was not acknowledged. */
  readonly why?: string;
}

/** A run as its user saw it. */
export interface Seen {
  readonly run: string;
  readonly session: string;
  readonly events: readonly RunEvent[];
  /** When each event arrived. */
  readonly arrivals: readonly number[];
  /** Number of interruptions of the stream. */
  readonly reconnects: number;
}

/** The habit of a user besides asking: `talk` says something once a run, `rest` pauses and resumes, `stop` cancels every other run. */
export type Habit = "talk" | "rest" | "stop";

/** The servers, and the inputs of a user's decisions. */
export interface UserOptions {
  readonly servers: readonly string[];
  /** From 0 to below 1. */
  readonly random: () => number;
  /** True once no more runs are wanted. */
  readonly isOver: () => boolean;
}

/** One user with a session. */
export class User {
  readonly seen: Seen[] = [];
  readonly sent: Sent[] = [];
  readonly #session: string;
  readonly #habit: Habit;
  readonly #world: UserOptions;
  readonly #client: Client;

  constructor(session: string, habit: Habit, world: UserOptions) {
    this.#session = session;
    this.#habit = habit;
    this.#world = world;
    this.#client = createClient({ url: "http://cluster", fetch: (...asked) => this.#fetch(...asked), pingMs: 2_000 });
  }

  /** Asks for runs until it is over; resolves when the last one has ended. */
  async live(): Promise<void> {
    for (let count = 1; !this.#world.isOver(); count++) await this.#ask(`${this.#session}-${count}`);
  }

  async #ask(key: string): Promise<void> {
    const { id } = await this.#client.start(CREW, key, {
      session: this.#session,
      idempotencyKey: key,
      tries: START_TRIES,
    });
    const events: RunEvent[] = [];
    const arrivals: number[] = [];
    const acting: Promise<void>[] = [];
    const after = 2 + Math.floor(this.#world.random() * MOMENTS);
    let reconnects = 0;
    for await (const event of this.#client.follow(id, { onReconnect: () => reconnects++ })) {
      events.push(event);
      arrivals.push(Date.now());
      if (event.type === "question.opened" && event.kind !== "pause") acting.push(this.#answer(id, event, events));
      if (event.type === "run.paused" && event.by === "command") acting.push(this.#resume(id, events));
      if (event.seq === after) acting.push(this.#disturb(id, key));
    }
    await Promise.all(acting);
    this.seen.push({ run: id, session: this.#session, events, arrivals, reconnects });
  }

  async #disturb(run: string, key: string): Promise<void> {
    if (this.#habit === "stop" && this.seen.length % 2 === 0) return;
    const say: Command = { type: "say", text: key };
    this.sent.push(await this.#try(run, { talk: say, rest: PAUSE, stop: CANCEL }[this.#habit]));
  }

  /** Answers until the log has the answer: who does not know whether it arrived sends it again. */
  async #answer(
    run: string,
    event: RunEvent & { type: "question.opened" },
    events: readonly RunEvent[],
  ): Promise<void> {
    const { question, kind } = event;
    const value = kind === "doubt" ? "again" : "allow";
    const isOver = (): boolean =>
      events.some(
        (one) =>
          one.type === "run.ended" ||
          ((one.type === "question.answered" || one.type === "question.closed") && one.question === question),
      );
    await this.#insist(run, { type: "answer", question, value }, isOver);
  }

  async #resume(run: string, events: readonly RunEvent[]): Promise<void> {
    const { length } = events;
    await this.#insist(run, { type: "resume" }, () => events.length > length);
  }

  async #insist(run: string, command: Command, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      if ((await this.#try(run, command)).fate === "acknowledged") return;
      await sleep(AGAIN_MS);
    }
  }

  /** Sends a command once. */
  async #try(run: string, command: Command): Promise<Sent> {
    try {
      await this.#client.command(run, command);
      return { run, command, fate: "acknowledged" };
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      return { run, command, fate: error.isPassing ? "unknown" : "refused", why: error.message };
    }
  }

  /** Sends a request to some server. */
  #fetch(url: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const { servers, random } = this.#world;
    const server = servers[Math.floor(random() * servers.length)];
    const { pathname, search } = new URL(url instanceof Request ? url.url : url);
    return fetch(`${server}${pathname}${search}`, init);
  }
}
