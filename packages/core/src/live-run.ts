/**
 * Live run: one run through all its lives, each from a start or resume to the next pause or end.
 *
 * It owns the run's scope and mailbox while something is at work, and while it is paused no more than what it
 * waits for. Reads: fold, local-host, log, resume, run, session. Read by: commands, engine.
 */
import type { Agent } from "./agent.ts";
import { Channel } from "./channel.ts";
import type { Crew } from "./crew.ts";
import { BatonError, toBatonError, toFailure } from "./error.ts";
import type { Command, FactOf, Place, Receipt, RunLimits } from "./event.ts";
import { fold, type OpenQuestion } from "./fold.ts";
import type { Json } from "./json.ts";
import { LocalHost, LocalRun } from "./local-host.ts";
import { Follower, type Log, type RunLog } from "./log.ts";
import type { Image, Message } from "./message.ts";
import type { Model } from "./model.ts";
import type { Lane, Permits, Plan } from "./plan.ts";
import { type Standing, toStanding } from "./resume.ts";
import { runCrew, type RunEnd } from "./run.ts";
import { type Commanded, type Run, type RunResult, toResult } from "./run-result.ts";
import type { Scope } from "./scope.ts";
import type { Release } from "./semaphore.ts";
import type { Session } from "./session.ts";

/** What the engine gives its runs to live in. */
export interface Surroundings {
  readonly scope: Scope;
  readonly log: Log;
  readonly model: (agent: Agent, crew: Crew) => Model;
  readonly permits: () => Permits;
  readonly send: (run: LiveRun, command: Command) => Promise<Commanded>;
  /** Told once, when the run has ended for good. */
  readonly ended: (run: string, crew: Crew) => void;
}

/** What a run is. */
interface Parts {
  readonly id: string;
  readonly plan: Plan;
  readonly session: Session<LiveRun> | undefined;
}

/** How a run begins. */
export interface Beginning {
  readonly input: string;
  readonly images?: readonly Image[];
  readonly history?: readonly Message[];
  readonly entry: Place;
  readonly limits?: RunLimits;
}

/** One life to come: where it begins, and why it should end at once if it should. */
interface Life {
  readonly begin: (entry?: Place) => Standing | Promise<Standing>;
  readonly reason?: BatonError;
}

/** What a paused run waits for: answers, or a message where there are no questions. */
export interface Waiting {
  readonly agent: string;
  readonly questions: ReadonlyMap<string, OpenQuestion>;
}

/** How many commands a run takes before their senders wait. */
const MAILBOX = 32;

const NOTHING: Receipt = { stopped: [], finished: [], abandoned: [] };

/** A run, whatever it is doing. */
export class LiveRun {
  readonly id: string;
  readonly log: RunLog;
  readonly #plan: Plan;
  readonly #session: Session<LiveRun> | undefined;
  readonly #around: Surroundings;
  #mailbox: Channel<Command> | undefined;
  #limits: RunLimits | undefined;
  /** How long it has worked since the user's last message; waiting costs no time. */
  #spentMs = 0;
  #waiting: Waiting | undefined;
  #hasEnded = false;
  #scope: Scope | undefined;
  #local: LocalRun | undefined;
  #receipt: Promise<Receipt> | undefined;
  #current: Run | undefined;

  constructor({ id, plan, session }: Parts, around: Surroundings) {
    this.id = id;
    this.#plan = plan;
    this.#session = session;
    this.#around = around;
    this.log = around.log.open(id);
  }

  /** Made when first used: most runs are never told anything. What a life did not take is there for the next. */
  get mailbox(): Channel<Command> {
    return (this.#mailbox ??= new Channel(MAILBOX));
  }

  /** The life that is under way, or the last one. */
  get current(): Run {
    if (this.#current === undefined) throw new BatonError("internal", `run ${this.id} was never started`);
    return this.#current;
  }

  get crew(): Crew {
    return this.#plan.crew;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** What it waits for; undefined while it is at work or has ended. */
  get waiting(): Waiting | undefined {
    return this.#waiting;
  }

  /** How long the current life may last. */
  get scope(): Scope {
    return this.#scope ?? this.#around.scope;
  }

  /** What it is at work with; undefined while it is queued, paused or has ended. */
  get local(): LocalRun | undefined {
    return this.#local;
  }

  start(beginning: Beginning): Run {
    checkInput(this.crew, beginning.input);
    this.#limits = beginning.limits;
    return this.#live({ begin: (entry) => this.#begin(beginning, entry ?? beginning.entry) });
  }

  /** Goes on with a message: to the agent that waits, or to one that was paused. */
  resume(input: string, images?: readonly Image[]): Run {
    checkInput(this.crew, input);
    const waiting = this.#waiting;
    if (waiting === undefined) throw new BatonError("conflict", `run ${this.id} does not wait for a message`);
    const questions = [...waiting.questions.values()];
    const pause = questions.find(({ kind }) => kind === "pause");
    if (pause !== undefined && questions.length === 1) return this.answer(pause, input);
    if (questions.length > 0) {
      const ids = questions.map(({ question }) => question).join(", ");
      throw new BatonError("question_open", `run ${this.id} waits for answers: ${ids}`);
    }
    this.#spentMs = 0;
    const pictures = images === undefined ? {} : { images };
    const { agent } = waiting;
    return this.#live({ begin: () => this.#goOn({ type: "run.resumed", agent, input, ...pictures }) });
  }

  /** Goes on with an answer to one of its questions. */
  answer({ question, lane, agent }: OpenQuestion, value: Json): Run {
    this.log.append({ type: "question.answered", question, value }, lane);
    return this.#live({ begin: () => this.#goOn({ type: "run.resumed", agent }) });
  }

  /** Ends the run, whatever it is doing; a paused one wakes up only to end what is open. */
  async cancel(why: string): Promise<Receipt> {
    const reason = new BatonError("cancelled", why);
    if (this.#waiting === undefined) this.#receipt ??= this.#scope?.cancel(reason);
    else this.#live({ begin: () => this.#goOn(undefined), reason });
    const { receipt, outcome } = await this.current.outcome;
    // It paused before it felt the cancel.
    if (outcome === "paused") return this.cancel(why);
    return receipt ?? NOTHING;
  }

  /** Opens a life: a handle for its reader, and the promise of its end. */
  #live(life: Life): Run {
    const since = this.log.length;
    const scope = this.#around.scope.child({ name: `run:${this.id}` });
    this.#waiting = undefined;
    this.#receipt = life.reason === undefined ? undefined : scope.cancel(life.reason);
    this.#scope = scope;
    this.#current = {
      id: this.id,
      outcome: this.#spend(life, scope),
      events: (after = 0) =>
        new Follower(
          this.log,
          after,
          (event) => event.type === "run.ended" || (event.type === "run.paused" && event.seq > since),
        ),
      command: (command) => this.#around.send(this, command),
    };
    return this.#current;
  }

  /** From the session's door to the pause or end. */
  async #spend({ begin, reason }: Life, scope: Scope): Promise<RunResult> {
    await using _owned = scope;
    let release: Release | undefined;
    try {
      if (this.#session !== undefined && reason === undefined) release = await this.#session.enter(scope);
      const isNew = this.#session !== undefined && this.log.length === 0;
      const standing = await begin(isNew ? await this.#takeOver() : undefined);
      const timeoutMs = Math.min(this.crew.settings.timeoutMs, this.#limits?.timeoutMs ?? Infinity);
      scope.expireIn(timeoutMs - this.#spentMs, () => toTimeout(timeoutMs / 1_000));
      const began = scope.clock.monotonic();
      const end = await this.#work(standing, scope);
      this.#spentMs += scope.clock.monotonic() - began;
      return await this.#settle(end);
    } catch (thrown) {
      if (this.log.length === 0) await begin();
      const error = toFailure(toBatonError(thrown, "internal"));
      if (error.code === "cancelled") return await this.#settle({ ...toCancelled(""), error });
      return await this.#settle({ outcome: "failed", by: "error", agent: "", text: "", error });
    } finally {
      release?.();
    }
  }

  async #work(standing: Standing, scope: Scope): Promise<RunEnd> {
    const { progress, history, recorded, values, modelStates } = standing;
    const local = new LocalRun(this.id, { log: this.log, receive: () => this.#mailbox?.take(), scope, recorded });
    const host = new LocalHost(local, "", scope);
    const plan = this.#plan;
    const model = (agent: Agent) => this.#around.model(agent, plan.crew);
    this.#local = local;
    const lane: Lane = {
      plan,
      host,
      shared: { model, permits: this.#around.permits(), limits: this.#limits, values, modelStates },
      history,
    };
    // Nothing is open after a pause for a message, so a cancel has nothing to unwind.
    const isOver = scope.reason !== undefined && recorded.length === 0;
    const end = isOver ? toCancelled(progress.from) : await runCrew(lane, progress);
    if (this.#session !== undefined) this.#session.history = history;
    this.#local = undefined;
    return end;
  }

  /** Writes down how the life ended, and lets go of everything. */
  async #settle(end: RunEnd): Promise<RunResult> {
    const { agent, text, error } = end;
    const receipt = this.#receipt === undefined ? undefined : await this.#receipt;
    const more = { ...(error === undefined ? {} : { error }), ...(receipt === undefined ? {} : { receipt }) };
    const content = this.#plan.roles.get(agent)?.matcher.strip(text) ?? text;
    if (end.outcome === "paused") {
      const { questions } = fold(await this.log.read(0));
      this.#pause(end, questions);
      return { outcome: end.outcome, agent, content, raw: text, ...more, questions: [...questions.values()] };
    }
    for (let late = this.#mailbox?.take(); late !== undefined; late = this.#mailbox?.take()) {
      this.log.append({ type: "warning.raised", agent, text: `the command "${late.type}" came too late` }, "");
    }
    const by = end.by === "question" ? "error" : end.by;
    const shown = content === text ? {} : { content };
    const fact: FactOf<"run.ended"> = { type: "run.ended", outcome: end.outcome, by, agent, text, ...shown, ...more };
    this.log.append(fact, "");
    this.#hasEnded = true;
    this.#around.ended(this.id, this.crew);
    return toResult(fact);
  }

  #pause({ agent, by }: RunEnd, questions: Waiting["questions"]): void {
    const kinds = [...questions.values()].map(({ kind }) => kind);
    const reason = by === "signal" ? "signal" : kinds.includes("approval") ? "question" : "command";
    this.log.append({ type: "run.paused", by: reason, agent, questions: [...questions.keys()] }, "");
    this.#waiting = { agent, questions };
    this.#scope = undefined;
    if (this.#session !== undefined) this.#session.paused = this;
  }

  /** A new run: the input joins what its session or its caller remembers. */
  #begin({ input, images, history, limits }: Beginning, entry: Place): Standing {
    const session = this.#session;
    const { maxOutputChars: each, maxTotalOutputChars: total } = this.crew.settings;
    const past = history ?? session?.history ?? [];
    const user = { role: "user", content: input } as const;
    const outputChars = { each, total };
    const opening = {
      type: "run.started",
      crew: this.crew.name,
      input,
      history: past,
      entry,
      outputChars,
    } as const;
    const isPlain = images === undefined && session === undefined && limits === undefined;
    const fact: FactOf<"run.started"> = isPlain
      ? opening
      : {
          ...opening,
          ...(images === undefined ? {} : { images }),
          ...(session === undefined ? {} : { session: session.id }),
          ...(limits === undefined ? {} : { limits }),
        };
    this.log.append(fact, "");
    return {
      progress: { next: entry, from: "", turns: 0, handoffs: 0 },
      history: [...past, images === undefined ? user : { ...user, images }],
      values: new Map(),
      modelStates: new Map(),
      recorded: [],
    };
  }

  /** Where a message to the session's paused run goes, which ends then: this one was sent before it paused. */
  async #takeOver(): Promise<Place | undefined> {
    const paused = this.#session?.paused;
    const waiting = paused?.waiting;
    if (paused === undefined || waiting === undefined) return undefined;
    if (waiting.questions.size > 0) throw new BatonError("question_open", `run ${paused.id} waits for answers first`);
    await paused.cancel(`the conversation went on in run ${this.id}`);
    return { kind: "agent", id: waiting.agent };
  }

  /** An old run, from where its log stands. */
  async #goOn(opening: FactOf<"run.resumed"> | undefined): Promise<Standing> {
    if (this.#session?.paused === this) this.#session.paused = undefined;
    if (opening !== undefined) this.log.append(opening, "");
    await this.log.committed();
    return toStanding(this.crew, await this.log.read(0));
  }
}

function toTimeout(seconds: number): BatonError {
  const limit = { name: "timeout_seconds", value: seconds };
  return new BatonError("limit", `the run took longer than ${seconds} s`, { limit });
}

function toCancelled(agent: string): RunEnd {
  return { outcome: "cancelled", by: "command", agent, text: "" };
}

/** A code unit is at most three bytes of UTF-8, so short input is not counted. */
export function checkInput({ settings: { maxInputBytes } }: Crew, input: string): void {
  if (input.trim() === "") throw new BatonError("invalid", "the input is empty");
  if (input.length * 3 <= maxInputBytes) return;
  const bytes = new TextEncoder().encode(input).length;
  if (bytes <= maxInputBytes) return;
  throw new BatonError("invalid", `the input has ${bytes} bytes; max_input_size_kb allows ${maxInputBytes}`);
}
