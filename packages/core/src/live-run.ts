/**
 * Live run: one run through all its lives, each from a start or resume to the next pause or end.
 *
 * It owns the run's scope and mailbox while something is at work, and while it is paused no more than what it waits
 * for.
 */
import type { Agent } from "./agent.ts";
import { Channel } from "./channel.ts";
import type { Crew } from "./crew.ts";
import { BatonError, toBatonError, toFailure } from "./error.ts";
import type { Command, FactOf, Place, Receipt, RunEvent, RunLimits } from "./event.ts";
import { fold, type OpenQuestion } from "./fold.ts";
import { given, type Json } from "./json.ts";
import { LocalHost, LocalRun } from "./local-host.ts";
import { Follower, type Log, readAll, type RunLog } from "./log.ts";
import type { Image, Message } from "./message.ts";
import type { Model } from "./model.ts";
import type { Permits, Plan } from "./plan.ts";
import { type Standing, toStanding } from "./resume.ts";
import { runCrew, type RunEnd } from "./run.ts";
import { type Commanded, type Run, type RunResult, toResult } from "./run-result.ts";
import type { Scope } from "./scope.ts";

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

/** How a run begins. */
export interface Beginning {
  readonly input: string;
  readonly images?: readonly Image[];
  readonly history?: readonly Message[];
  readonly tenant?: string;
  readonly user?: string;
  readonly session?: string;
  readonly entry: Place;
  readonly limits?: RunLimits;
  readonly request?: string;
}

/** What a paused run waits for: answers, or a message where there are no questions. */
export type Waiting = Readonly<{ agent: string; questions: ReadonlyMap<string, OpenQuestion> }>;

type Begin = () => Standing | Promise<Standing>;

/** How many commands a run takes before their senders wait. */
const MAILBOX = 32;

const NOTHING: Receipt = { stopped: [], finished: [], abandoned: [] };
const LEFT = { code: "closed", message: "the engine stopped; the run goes on when it is taken up again" } as const;

/** A run, whatever it is doing. */
export class LiveRun {
  readonly id: string;
  readonly log: RunLog;
  readonly #plan: Plan;
  readonly #around: Surroundings;
  #mailbox: Channel<Command> | undefined;
  #limits: RunLimits | undefined;
  #waiting: Waiting | undefined;
  #hasEnded = false;
  #scope: Scope | undefined;
  #local: LocalRun | undefined;
  #receipt: Promise<Receipt> | undefined;
  #current: Run | undefined;

  constructor(id: string, plan: Plan, around: Surroundings) {
    this.id = id;
    this.#plan = plan;
    this.#around = around;
    this.log = around.log.open(id);
  }

  /** Made when first used: most runs are never told anything. What a life did not take is there for the next. */
  get mailbox(): Channel<Command> {
    return (this.#mailbox ??= new Channel(MAILBOX));
  }

  /** Puts a command into the mailbox that was accepted before; there is always room, for no more are ever accepted. */
  hear(command: Command): void {
    if (this.mailbox.send(command, this.#around.scope) !== undefined)
      throw new BatonError("busy", "the mailbox is full");
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

  /** What it is at work with; undefined while it is paused or has ended. */
  get local(): LocalRun | undefined {
    return this.#local;
  }

  start(beginning: Beginning): Run {
    this.#limits = beginning.limits;
    return this.#live(() => this.#begin(beginning));
  }

  /** Takes up a run that began elsewhere: one that waits goes on waiting, one that was cut off goes on. */
  adopt(events: readonly RunEvent[], reason?: BatonError): Run {
    const [first] = events;
    if (first?.type !== "run.started") throw new BatonError("damaged", `the log of run ${this.id} has no beginning`);
    const { limits } = first;
    const { status, questions, history, text, agent: holder } = fold(events);
    const pause = events.findLast((event) => event.type === "run.paused");
    const isAnswered = events.slice(pause?.seq).some(({ type }) => type === "question.answered");
    this.#limits = limits;
    if (status === "ended") throw new BatonError("run_ended", `run ${this.id} has ended`);
    const agent = status === "paused" ? (pause?.agent ?? holder) : holder;
    if (status === "running" || isAnswered) return this.#live(() => this.#goOn({ type: "run.resumed", agent }), reason);
    this.#waiting = { agent, questions };
    const content = this.#strip(agent, text);
    const open = [...questions.values()];
    const result: RunResult = { outcome: "paused", agent, content, raw: text, questions: open, history };
    return (this.#current = this.#toRun(Promise.resolve(result), 0));
  }

  /** Goes on with a message: to the agent that waits, or to one that was paused. */
  resume(input: string, images?: readonly Image[]): Run {
    checkInput(this.crew, input, images);
    const waiting = this.#waiting;
    if (waiting === undefined) throw new BatonError("conflict", `run ${this.id} does not wait for a message`);
    const questions = [...waiting.questions.values()];
    const pause = questions.find(({ kind }) => kind === "pause");
    if (pause !== undefined && questions.length === 1) return this.answer(pause, input);
    if (questions.length > 0) {
      const ids = questions.map(({ question }) => question).join(", ");
      throw new BatonError("question_open", `run ${this.id} waits for answers: ${ids}`);
    }
    const { agent } = waiting;
    return this.#live(() => this.#goOn({ type: "run.resumed", agent, input, ...given({ images }) }));
  }

  /** Goes on with an answer to one of its questions. */
  answer({ question, lane, agent }: OpenQuestion, value: Json): Run {
    this.log.append({ type: "question.answered", question, value }, lane);
    return this.#live(() => this.#goOn({ type: "run.resumed", agent }));
  }

  /** Ends the run, whatever it is doing; a paused one wakes up only to end what is open. */
  async cancel(why: string): Promise<Receipt> {
    const reason = new BatonError("cancelled", why);
    const waiting = this.#waiting;
    if (waiting === undefined) this.#receipt ??= this.#scope?.cancel(reason);
    else
      this.#live(() => this.#goOn(isOpen(waiting) ? { type: "run.resumed", agent: waiting.agent } : undefined), reason);
    const { receipt, outcome } = await this.current.outcome;
    // It paused before it felt the cancel.
    if (outcome === "paused") return this.cancel(why);
    return receipt ?? NOTHING;
  }

  /** Stops where it is and writes nothing more: whoever takes it up again goes on from its last finished step. */
  async leave(): Promise<void> {
    this.log.seal();
    await this.#scope?.cancel(new BatonError("closed", LEFT.message));
    await this.#current?.outcome;
  }

  /** Opens a life: a handle for its reader, and the promise of its end. */
  #live(begin: Begin, reason?: BatonError): Run {
    const since = this.log.length;
    const scope = this.#around.scope.child({ name: `run:${this.id}` });
    this.#waiting = undefined;
    this.#receipt = reason === undefined ? undefined : scope.cancel(reason);
    this.#scope = scope;
    return (this.#current = this.#toRun(this.#spend(begin, scope), since));
  }

  #toRun(outcome: Promise<RunResult>, since: number): Run {
    const isEnd = ({ type, seq }: RunEvent) => type === "run.ended" || (type === "run.paused" && seq > since);
    return {
      id: this.id,
      outcome,
      events: (after = 0) => new Follower(this.log, after, isEnd),
      command: (command) => this.#around.send(this, command),
    };
  }

  /** From the beginning of a life to its pause or end. */
  async #spend(begin: Begin, scope: Scope): Promise<RunResult> {
    let history: readonly Message[] = [];
    try {
      const standing = await begin();
      ({ history } = standing);
      const timeoutMs = Math.min(this.crew.settings.timeoutMs, this.#limits?.timeoutMs ?? Infinity);
      scope.expireIn(timeoutMs - standing.spentMs, () => toTimeout(timeoutMs / 1_000));
      const end = await this.#work(standing, scope);
      return await this.#settle(end, history);
    } catch (thrown) {
      const error = toFailure(toBatonError(thrown, "internal"));
      if (error.code === "cancelled") return await this.#settle({ ...toCancelled(""), error }, history);
      return await this.#settle({ outcome: "failed", by: "error", agent: "", text: "", error }, history);
    } finally {
      await scope[Symbol.asyncDispose]();
    }
  }

  #work({ progress, history, recorded, values, modelStates }: Standing, scope: Scope): Promise<RunEnd> | RunEnd {
    // Nothing is open after a pause for a message, so a cancel has nothing to unwind.
    if (scope.reason?.code === "cancelled" && recorded.length === 0) return toCancelled(progress.from);
    const local = new LocalRun(this.id, { log: this.log, receive: () => this.#mailbox?.take(), scope, recorded });
    const plan = this.#plan;
    const model = (agent: Agent) => this.#around.model(agent, plan.crew);
    const shared = { model, permits: this.#around.permits(), limits: this.#limits, values, modelStates };
    this.#local = local;
    return runCrew({ plan, host: new LocalHost(local, "", scope), shared, history }, progress);
  }

  /** Writes down how the life ended, and lets go of everything. */
  async #settle(end: RunEnd, history: readonly Message[]): Promise<RunResult> {
    const { agent, text, error } = end;
    this.#local = undefined;
    const receipt = this.#receipt === undefined ? undefined : await this.#receipt;
    const more = given({ error, receipt });
    const content = this.#strip(agent, text);
    if (this.log.isSealed) {
      return { outcome: "cancelled", agent, content, raw: text, error: LEFT, questions: [], history };
    }
    this.log.remember(history);
    if (end.outcome === "paused") {
      await this.log.committed();
      const { questions } = fold(await readAll(this.log));
      this.#pause(end, questions);
      return { outcome: end.outcome, agent, content, raw: text, ...more, questions: [...questions.values()], history };
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
    return toResult(fact, history);
  }

  #strip(agent: string, text: string): string {
    return this.#plan.roles.get(agent)?.matcher.strip(text) ?? text;
  }

  #pause({ agent, by }: RunEnd, questions: Waiting["questions"]): void {
    const isCommand = [...questions.values()].every(({ kind }) => kind === "pause");
    const reason = by === "signal" ? "signal" : isCommand ? "command" : "question";
    this.log.append({ type: "run.paused", by: reason, agent, questions: [...questions.keys()] }, "");
    this.#waiting = { agent, questions };
    this.#scope = undefined;
  }

  /** A new run: the input joins what its caller remembers. */
  #begin({ input, images, history = [], entry, tenant, user, session, limits, request }: Beginning): Standing {
    const { maxOutputChars: each, maxTotalOutputChars: total } = this.crew.settings;
    const message = { role: "user", content: input } as const;
    const outputChars = { each, total };
    const opening = { type: "run.started", crew: this.crew.name, input, history, entry, outputChars } as const;
    const isPlain = (images ?? tenant ?? user ?? session ?? limits ?? request) === undefined;
    this.log.append(
      isPlain ? opening : { ...opening, ...given({ images, tenant, user, session, limits, request }) },
      "",
    );
    return {
      progress: { next: entry, from: "", turns: 0, handoffs: 0 },
      history: [...history, images === undefined ? message : { ...message, images }],
      values: new Map(),
      modelStates: new Map(),
      recorded: [],
      spentMs: 0,
    };
  }

  /** An old run, from where its log stands. */
  async #goOn(opening: FactOf<"run.resumed"> | undefined): Promise<Standing> {
    if (opening !== undefined) this.log.append(opening, "");
    await this.log.committed();
    return toStanding(this.crew, await readAll(this.log));
  }
}

/** Whether something must be unwound before it can end. */
const isOpen = ({ questions }: Waiting): boolean => questions.size > 0;

function toTimeout(seconds: number): BatonError {
  const limit = { name: "timeout_seconds", value: seconds };
  return new BatonError("limit", `the run took longer than ${seconds} s`, { limit });
}

function toCancelled(agent: string): RunEnd {
  return { outcome: "cancelled", by: "command", agent, text: "" };
}

/** Text or images are enough. A code unit is at most three bytes of UTF-8, so short input is not counted. */
export function checkInput({ settings: { maxInputBytes } }: Crew, input: string, images: readonly Image[] = []): void {
  if (input.trim() === "" && images.length === 0) throw new BatonError("invalid", "the input is empty");
  if (input.length * 3 <= maxInputBytes) return;
  const bytes = new TextEncoder().encode(input).length;
  if (bytes <= maxInputBytes) return;
  throw new BatonError("invalid", `the input has ${bytes} bytes; max_input_size_kb allows ${maxInputBytes}`);
}
