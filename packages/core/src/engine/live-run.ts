/**
 * Live run: one run in this process, segment by segment, each from a start or resume to the next pause or end.
 *
 * Owns the scope and the mailbox while the run executes. A paused run keeps only its open questions.
 */
import type { Agent } from "../definitions/agent.ts";
import { Channel } from "../lifetimes/channel.ts";
import type { Crew } from "../definitions/definition.ts";
import type { Documents } from "../ports/document.ts";
import { BatonError, toBatonError, toFailure } from "../words/error.ts";
import type { Command, Configure, EventBodyOf, Identity, Receipt, RunEvent } from "../words/event.ts";
import type { OpenQuestion } from "../words/fold.ts";
import { Follower, readLog } from "../ports/follower.ts";
import type { GuardOf } from "../ports/guard.ts";
import { forSession } from "../views/history.ts";
import { omitUndefined } from "../words/json.ts";
import type { Permits, Shared } from "../views/lane.ts";
import {
  type Beginning,
  type MessageOptions,
  toCancelled,
  toContent,
  isFor,
  toEnded,
  toFirstSegmentStart,
  toLateWarning,
  toPaused,
  toStarted,
  toTimeout,
  toUnusedTools,
} from "./lifecycle.ts";
import { checkInput } from "../definitions/limits.ts";
import { LocalHost } from "../ports/local-host.ts";
import { LocalRun } from "../ports/local-run.ts";
import type { RunLog } from "../ports/log.ts";
import type { Message } from "../words/message.ts";
import type { Model } from "../ports/model.ts";
import { type Plan, toGuards, toPlan } from "../views/plan.ts";
import { findInCode, isOpenIn, type SegmentStart, toSegmentStart, toSince } from "./resume.ts";
import type { RunEnd } from "../views/progress.ts";
import { runChild } from "../loop/lanes/child.ts";
import { runCrew } from "../loop/run.ts";
import { type Commanded, type EventsOptions, type Run, RunHandle, type RunPort } from "../handle/run-handle.ts";
import { parseResult, type RunResult, type Settled, toResult } from "../handle/run-result.ts";
import { RunClock } from "../lifetimes/run-clock.ts";
import type { Scope } from "../lifetimes/scope.ts";
import { toWatchOf, type WatchOf } from "../handle/shown-text.ts";
import { count, openTotals, type OpenTotals } from "../words/totals.ts";

/** Everything the engine gives each of its runs. */
export interface LiveRunOptions {
  readonly scope: Scope;
  readonly model: (agent: Agent, crew: Crew) => Model;
  readonly replaceProgram: ((agent: Agent, crew: Crew) => Model | undefined) | undefined;
  readonly permits: (crew: Crew) => Permits;
  readonly documents: (owner: Identity) => Documents;
  readonly guardOf: GuardOf;
  readonly send: (run: LiveRun, command: Command) => Promise<Commanded>;
  /** Called once, when the run has ended. */
  readonly ended: (run: string, crew: Crew) => void;
}

/** State of a paused run: answers, or a message if there are no questions. */
export type Waiting = Readonly<{ agent: string; questions: ReadonlyMap<string, OpenQuestion> }>;

/** Commands and reason that come with an adopted run. */
export type Adoption = Readonly<{ commands?: readonly Command[]; reason?: BatonError | undefined }>;

type Begin = () => SegmentStart | Promise<SegmentStart>;

/** Number of commands a run takes before their senders wait. */
const MAILBOX = 32;

const NOTHING: Receipt = { stopped: [], finished: [], abandoned: [] };
const NOBODY = { agent: "", text: "" };
const LEFT = { code: "closed", message: "the engine stopped; the run continues when it is recovered" } as const;

/** A run in this process: running, paused or ended. */
export class LiveRun implements RunPort {
  readonly id: string;
  /** The same over all segments. */
  readonly handle: Run = new RunHandle(this);
  readonly log: RunLog;
  readonly engineScope: Scope;
  #plan: Plan;
  readonly #options: LiveRunOptions;
  #mailbox: Channel<Command> | undefined;
  #begun: Pick<Beginning, "limits" | "model"> & Pick<Shared, "identity" | "caller"> = {
    identity: {},
    caller: undefined,
  };
  #configured: Configure[] | undefined;
  #waiting: Waiting | undefined;
  readonly #questions = new Map<string, OpenQuestion>();
  /** Events that were read before the run is continued. */
  #past: readonly RunEvent[] | undefined;
  #hasEnded = false;
  #scope: Scope | undefined;
  #local: LocalRun | undefined;
  #receipt: Promise<Receipt> | undefined;
  /** Of the segment that is under way, or of the last one. */
  #result: Promise<RunResult> | undefined;
  #since = 0;
  /** Of all segments so far. */
  #totals: OpenTotals = openTotals();

  constructor(id: string, plan: Plan, { log, options }: { readonly log: RunLog; readonly options: LiveRunOptions }) {
    this.id = id;
    this.#plan = plan;
    this.#options = options;
    this.engineScope = options.scope;
    this.log = log;
  }

  /** Made when first used: most runs never get a command. Commands that a segment did not take are kept for the next one. */
  get mailbox(): Channel<Command> {
    return (this.#mailbox ??= new Channel(MAILBOX));
  }

  /** Settles at the pause or end of the segment that is under way, or of the last one; never rejects. */
  result(): Promise<RunResult> {
    if (this.#result === undefined) throw new BatonError("internal", `run ${this.id} was never started`);
    return this.#result;
  }

  since(): number {
    return this.#since;
  }

  watchOf(): WatchOf {
    return toWatchOf(this.crew);
  }

  events({ after = 0, until = "pause" }: EventsOptions): Follower {
    const since = until === "end" ? Infinity : this.#since;
    const isLast = ({ type, seq }: RunEvent) => type === "run.ended" || (type === "run.paused" && seq > since);
    return new Follower(this.log, after, isLast);
  }

  async send(command: Command): Promise<Receipt | undefined> {
    return (await this.#options.send(this, command)).receipt;
  }

  get crew(): Crew {
    return this.#plan.crew;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The questions or the message it waits for; undefined while it is running or has ended. */
  get waiting(): Waiting | undefined {
    return this.#waiting;
  }

  /** Its open questions, while it is running too. */
  get questions(): ReadonlyMap<string, OpenQuestion> {
    return this.#questions;
  }

  /** Lifetime of the current segment. */
  get scope(): Scope {
    return this.#scope ?? this.#options.scope;
  }

  /** The host of its current segment; undefined while it is paused or has ended. */
  get local(): LocalRun | undefined {
    return this.#local;
  }

  start(beginning: Beginning): Run {
    this.#keep(beginning);
    return this.#live(() => {
      const started = toStarted(this.crew, beginning);
      const at = this.log.append(started, "");
      const event = { run: this.id, seq: 1, at, lane: "", ...started };
      const guards = toGuards(this.#plan, this.#options.guardOf, [event]);
      const start = { ...toFirstSegmentStart(started), guards };
      this.#warn(toUnusedTools(this.crew, started), start.totals);
      return start;
    });
  }

  /**
   * Takes over a run that began elsewhere, with the commands that it has not heard: one that waits keeps waiting, one
   * that was interrupted continues, or ends with `reason`.
   */
  adopt(events: readonly RunEvent[], { commands = [], reason }: Adoption = {}): Run {
    for (const command of commands) this.mailbox.push(command);
    const [first] = events;
    if (first?.type !== "run.started") throw new BatonError("damaged", `the log of run ${this.id} has no beginning`);
    const start = toSegmentStart(this.#plan, this.#options.guardOf, events);
    const { status, questions, holder } = start.view;
    const pause = events.findLast((event) => event.type === "run.paused");
    const isAnswered = events.slice(pause?.seq).some(({ type }) => type === "question.answered");
    this.#keep(first);
    if (status === "ended") throw new BatonError("run_ended", `run ${this.id} has ended`);
    for (const [id, question] of questions) this.#questions.set(id, question);
    const isWaiting = status === "paused" && !isAnswered;
    const recover = async () => {
      const recovered = await this.#recover(start, { type: "run.resumed", agent: holder });
      if (events.length === 1) this.#warn(toUnusedTools(this.crew, first), recovered.totals);
      return recovered;
    };
    if (!isWaiting) return this.#live(recover, reason);
    this.#past = events;
    this.#waiting = { agent: holder, questions };
    this.#since = toSince(events);
    this.#result = Promise.resolve(toResult(start.view));
    return this.handle;
  }

  /** Keeps what the run was asked for; agents that take tools of a request are offered those. */
  #keep({ limits, model, request, tools, tenant, user, session }: Beginning): void {
    const identity = omitUndefined({ tenant, user, session });
    const caller = (tenant ?? user ?? session ?? request) && { ...identity, ...omitUndefined({ request }) };
    this.#begun = { identity, caller: caller || undefined, ...omitUndefined({ limits, model }) };
    if (tools !== undefined) this.#plan = toPlan(this.crew, { tools });
  }

  #warn(warning: EventBodyOf<"warning.raised"> | undefined, totals: OpenTotals): void {
    if (warning === undefined) return;
    this.log.append(warning, "");
    count(totals, warning);
  }

  /** Continues with a message: to the agent that waits, or to one that was paused. */
  resume(input: string, { images, by }: MessageOptions = {}): Run {
    checkInput(this.crew.settings, input, images);
    const waiting = this.#waiting;
    if (waiting === undefined) throw new BatonError("conflict", `run ${this.id} does not wait for a message`);
    const questions = [...waiting.questions.values()];
    const message = questions.find(({ kind }) => kind === "message" || (kind === "pause" && questions.length === 1));
    if (message !== undefined) return this.answer(message, { value: input, ...omitUndefined({ by }) });
    if (questions.length > 0) {
      const ids = questions.map(({ question }) => question).join(", ");
      throw new BatonError("question_open", `run ${this.id} waits for answers: ${ids}`);
    }
    const { agent } = waiting;
    return this.#live(() => this.#goOn({ type: "run.resumed", agent, input, ...omitUndefined({ images }) }));
  }

  /** Continues with an answer to one of its questions. */
  answer(
    { question, lane, agent }: OpenQuestion,
    given: Omit<EventBodyOf<"question.answered">, "type" | "question">,
  ): Run {
    this.log.append({ type: "question.answered", question, ...given }, lane);
    this.#questions.delete(question);
    return this.#live(() => this.#goOn({ type: "run.resumed", agent }));
  }

  /** Changes how models are called from the next step on; a paused run is not woken. */
  configure(command: Configure): void {
    this.log.append({ type: "command.received", command }, "");
    this.#configured?.push(command);
  }

  /** The model that an agent would have; throws if it is not available. */
  modelOf(agent: Agent, crew: Crew): Model {
    return this.#options.model(agent, crew);
  }

  /** Stops a lane or a call alone; a paused run continues without it. `name` is that of its scope. */
  async cancelPart(key: string, name: string, command: Extract<Command, { type: "cancel" }>): Promise<Receipt> {
    const events = this.#waiting === undefined ? [] : await readLog(this.log);
    const isOpen = isOpenIn(events, key);
    const waiting = this.#waiting;
    const scope = waiting === undefined ? this.#scope?.find(name) : undefined;
    if (scope === undefined && !isOpen) throw new BatonError("not_found", `run ${this.id}: ${name} is not running`);
    this.log.append({ type: "command.received", command }, "");
    if (scope === undefined) {
      this.#live(() => this.#goOn({ type: "run.resumed", agent: waiting?.agent ?? "" }));
      return { ...NOTHING, stopped: [name, ...findInCode(events, key).map((call) => `call:${call}`)] };
    }
    this.#local?.cancel(key);
    const lane = command.lane === undefined ? {} : { lane: command.lane };
    return scope.stop(new BatonError("cancelled", command.reason ?? "cancelled by command", lane));
  }

  /** Ends the run, running or paused; a paused one continues only to end its open work. */
  async cancel(why: string): Promise<Receipt> {
    const reason = new BatonError("cancelled", why);
    const waiting = this.#waiting;
    if (waiting === undefined) this.#receipt ??= this.#scope?.cancel(reason);
    else {
      const { agent, questions } = waiting;
      // Open questions must be unwound before it can end.
      this.#live(() => this.#goOn(questions.size > 0 ? { type: "run.resumed", agent } : undefined), reason);
    }
    const { receipt, outcome } = await this.result();
    // It paused before the cancel reached it.
    if (outcome === "paused") return this.cancel(why);
    return receipt ?? NOTHING;
  }

  /** Stops where it is and writes nothing more; recovery continues from its last finished step. */
  async leave(): Promise<void> {
    this.log.seal();
    await this.#scope?.cancel(new BatonError("closed", LEFT.message));
    await this.#result;
  }

  /** Opens a segment, and the promise of its end. */
  #live(begin: Begin, reason?: BatonError): Run {
    const scope = this.engineScope.child({ name: `run:${this.id}`, clock: new RunClock(this.engineScope.clock) });
    this.#since = this.log.length;
    this.#waiting = undefined;
    this.#receipt = reason === undefined ? undefined : scope.cancel(reason);
    this.#configured = [];
    this.#scope = scope;
    this.#result = this.#spend(begin, scope);
    return this.handle;
  }

  /** From the beginning of a segment to its pause or end. */
  async #spend(begin: Begin, scope: Scope): Promise<RunResult> {
    let history: readonly Message[] = [];
    try {
      const start = await begin();
      ({ history } = start);
      const timeoutMs = Math.min(this.crew.settings.timeoutMs, this.#begun.limits?.timeoutMs ?? Infinity);
      scope.expireIn(timeoutMs - start.spentMs, () => toTimeout(timeoutMs / 1_000));
      return await this.#settle(await this.#work(start, scope), history);
    } catch (thrown) {
      const error = toFailure(toBatonError(thrown, "internal"));
      if (error.code === "cancelled") return await this.#settle(toCancelled(NOBODY, error), history);
      return await this.#settle({ outcome: "failed", by: "error", agent: "", text: "", error }, history);
    } finally {
      await scope[Symbol.asyncDispose]();
    }
  }

  #work(start: SegmentStart, scope: Scope): Promise<RunEnd> | RunEnd {
    const { progress, history, recorded, values, earlier, before, calls, totals, modelStates, guards } = start;
    const plan = this.#plan;
    this.#totals = totals;
    // What came while the log was read; what is in both holds all the same.
    const configured = [...start.configured, ...(this.#configured ?? [])];
    // Nothing is open after a pause for a message, so a cancel has nothing to unwind.
    if (scope.reason?.code === "cancelled" && recorded.length === 0) {
      return toCancelled({ agent: progress.from, text: start.text }, toFailure(scope.reason));
    }
    const receive = (lane: string) => this.#mailbox?.take((command) => isFor(command, lane));
    const own = { log: this.log, scope, receive, recorded, questions: this.#questions, values, earlier, calls, totals };
    const local = new LocalRun(this.id, { ...own, guards });
    this.#configured = configured;
    this.#local = local;
    const { model, replaceProgram, permits, documents } = this.#options;
    const { identity, caller, limits, model: userModel } = this.#begun;
    const asked = { userModel, limits, caller, identity, modelStates, configured, runChild };
    const shared = { model, replaceProgram, permits: permits(plan.crew), documents: documents(identity), ...asked };
    const host = new LocalHost(local, "", scope);
    return runCrew({ plan, host, shared, history, before, path: "", depth: 0 }, progress);
  }

  /** Records how the segment ended, and releases everything it held. */
  async #settle(end: RunEnd, history: readonly Message[]): Promise<RunResult> {
    const { outcome, agent, text, output, error } = end;
    this.#local = undefined;
    const receipt = this.#receipt === undefined ? undefined : await this.#receipt;
    const said = { outcome, holder: agent, text, content: toContent(this.#plan, end), output, error, receipt };
    const settled: Settled = { ...this.#totals, ...said, history, questions: new Map() };
    if (this.log.isSealed) return toResult({ ...settled, outcome: "cancelled", error: LEFT, receipt: undefined });
    this.log.remember(forSession(history));
    if (outcome === "paused") {
      await this.log.committed();
      const questions = new Map(this.#questions);
      this.log.append(toPaused(end, questions), "");
      this.#waiting = { agent, questions };
      this.#scope = undefined;
      this.#configured = undefined;
      return toResult({ ...settled, questions });
    }
    for (let late = this.#mailbox?.take(); late !== undefined; late = this.#mailbox?.take())
      this.#warn(toLateWarning(agent, late), this.#totals);
    this.log.append(toEnded(this.#plan, end, receipt), "");
    this.#hasEnded = true;
    this.#options.ended(this.id, this.crew);
    return parseResult(this.crew, toResult(settled), end);
  }

  /** A run that was paused, from the place that it had reached. */
  async #goOn(opening: EventBodyOf<"run.resumed"> | undefined): Promise<SegmentStart> {
    if (opening !== undefined) this.log.append(opening, "");
    await this.log.committed();
    const past = this.#past;
    this.#past = undefined;
    return toSegmentStart(this.#plan, this.#options.guardOf, await readLog(this.log, past));
  }

  /** A run that was interrupted, from the place that its log has led to. */
  async #recover(start: SegmentStart, opening: EventBodyOf<"run.resumed">): Promise<SegmentStart> {
    const at = this.log.append(opening, "");
    const event = { run: this.id, seq: this.log.length, at, lane: "", ...opening };
    await this.log.committed();
    return start.recorded.length === 0 ? start : { ...start, recorded: [...start.recorded, event] };
  }
}
