/**
 * Lane view: where the messages come from that an agent was shown at a step, by the log.
 *
 * It follows what the engine adds to a lane's history, event by event, with the source of each message instead of
 * its words.
 */
import type { Message, RunEvent } from "@baton/core";
import { type Plan, toView } from "@baton/core/engine";
import type { CallRequest, EventBodyOf } from "@baton/core/ports";
import { dropMiddle, keepNewest } from "@baton/core/util";

/** Where a message comes from, by the names that views know: `input`, `session`, `turn 7`, `call 3.1.2` … */
export interface MessageSource {
  readonly source: string;
  /** The step or call that wrote it, or the event that brought it. */
  readonly of?: string;
}

/** A message that was left out, with the reason: the window was full, or the agent is shown only part of the conversation. */
export type OmittedMessage = MessageSource & { readonly reason: "window" | "history" };

/** The sources of what an agent was shown, in order, and of what it was not. */
export interface LaneView {
  readonly sources: readonly MessageSource[];
  readonly leftOut: readonly OmittedMessage[];
}

/** A run's log, and the crew it is of. */
export interface LaneLog {
  readonly plan: Plan;
  readonly events: readonly RunEvent[];
}

const MEMBER_PARTS = 3;

/** The messages of one lane, each with its source. */
class Sources {
  readonly #of = new WeakMap<Message, MessageSource>();

  add(message: Message, source: MessageSource): Message {
    this.#of.set(message, source);
    return message;
  }

  get(message: Message): MessageSource {
    return this.#of.get(message) ?? { source: "left_out" };
  }

  /** A view of these messages; what another agent said is another message there, with the same source. */
  view(history: readonly Message[], agent: string, sight: "all" | "replies"): Message[] {
    const view = toView(history, agent, sight);
    let shown = 0;
    for (let count = 1; count <= history.length && shown < view.length; count++) {
      const length = toView(history.slice(0, count), agent, sight).length;
      const [message, from] = [view[shown], history[count - 1]];
      if (length > shown && message !== undefined && from !== undefined) this.add(message, this.get(from));
      shown = length;
    }
    return view;
  }
}

/** Returns the messages that the agent of a step was shown. */
export function toLaneView(told: LaneLog, started: RunEvent & EventBodyOf<"step.started">): LaneView {
  const { lane, step, agent: id, seq } = started;
  const { plan, events } = told;
  const sources = new Sources();
  const turn = step.slice(0, step.lastIndexOf("."));
  const began = events.find((event) => event.type === "turn.started" && event.turn === turn)?.seq ?? seq;
  const { settings, agents } = plan.crew;
  const { messages, before } = toHistory(told, { lane, until: began, sources });
  const newest = agents.get(id)?.history;
  const kept = newest === undefined ? messages : keepNewest(messages, before, newest);
  const leftOut = messages
    .slice(0, messages.length - kept.length)
    .map((message): OmittedMessage => ({ ...sources.get(message), reason: "history" }));
  const shown = new ShownView(sources, sources.view(kept, id, settings.sharedToolResults ? "all" : "replies"));
  const own = new LaneHistory(sources, (message) => shown.push(message), "view");
  for (const event of events) {
    if (event.seq <= began || event.lane !== lane) continue;
    if (event.type === "step.started" && event.correction !== undefined) own.ask(event.step);
    if (event.type === "step.started") shown.trim(findTrimmed(events, event.step)?.dropped ?? 0);
    if (event.seq >= seq) break;
    own.add(event);
  }
  return { sources: shown.sources, leftOut: [...leftOut, ...shown.leftOut] };
}

/** The messages that an agent sees in a turn, trimmed to fit. */
class ShownView {
  readonly leftOut: OmittedMessage[] = [];
  readonly #sources: Sources;
  #view: Message[];

  constructor(sources: Sources, view: Message[]) {
    this.#sources = sources;
    this.#view = view;
  }

  get sources(): readonly MessageSource[] {
    return this.#view.map((message) => this.#sources.get(message));
  }

  push(message: Message): void {
    this.#view.push(message);
  }

  /** Leaves out so many messages, as the engine did. */
  trim(dropped: number): void {
    if (dropped === 0) return;
    // How many were left out before is said by the words of a note, and those are not needed here.
    const { messages } = dropMiddle(this.#view, { dropped, before: 0 });
    const gone = this.#view.filter((message) => !messages.includes(message));
    this.leftOut.push(...gone.flatMap((message) => toLeftOut(this.#sources.get(message))));
    this.#view = messages;
  }
}

/** The note of what was left out before is not a message of anybody. */
function toLeftOut(source: MessageSource): readonly OmittedMessage[] {
  return source.source === "left_out" ? [] : [{ ...source, reason: "window" }];
}

function findTrimmed(events: readonly RunEvent[], step: string): EventBodyOf<"history.trimmed"> | undefined {
  const found = events.findLast((event) => event.type === "history.trimmed" && event.step === step);
  return found?.type === "history.trimmed" ? found : undefined;
}

/** A lane up to an event. */
interface Part {
  readonly lane: string;
  /** Up to the event with this number. */
  readonly until: number;
  readonly sources: Sources;
}

interface History {
  readonly messages: Message[];
  /** Number of messages before the run. */
  readonly before: number;
}

/** The history of a lane at a place of the log. */
function toHistory(told: LaneLog, { lane, until, sources }: Part): History {
  const { messages, before, from } = toBeginning(told, { lane, sources });
  const history = new LaneHistory(sources, (message) => messages.push(message), "history");
  for (const { seq, ...event } of told.events) {
    if (seq >= until) break;
    if (seq > from && event.lane === lane) history.add({ ...event, seq });
  }
  return { messages, before };
}

/** Returns the first messages of a lane: the run's input, the sub-crew's own, or the history of the member's group. */
function toBeginning(told: LaneLog, { lane, sources }: Omit<Part, "until">): History & { readonly from: number } {
  const { events } = told;
  const [started] = events;
  const input = () => sources.add({ role: "user", content: "" }, { source: "input" });
  const owner = lane.slice(0, lane.lastIndexOf("/"));
  const group = events.find((event) => event.type === "group.started" && `${event.turn}/${event.group}` === owner);
  if (group?.type === "group.started" && group.items === undefined) {
    const parent = lane.split("/").slice(0, -MEMBER_PARTS).join("/");
    return { ...toHistory(told, { lane: parent, until: group.seq, sources }), from: group.seq };
  }
  if (group?.type === "group.started") return toChildBeginning(sources, { source: `turn ${group.turn}` });
  const isCalled = events.some((event) => event.type === "call.started" && event.via?.lane === lane);
  if (isCalled) return toChildBeginning(sources, { source: `call ${owner}`, of: owner });
  if (lane !== "" || started?.type !== "run.started") return { messages: [input()], before: 0, from: 0 };
  const past = started.history.map((message) => sources.add({ ...message }, { source: "session" }));
  return { messages: [...past, input()], before: past.length, from: started.seq };
}

/** An item of a map, or an agent or crew that was called as a tool, knows one message. */
function toChildBeginning(sources: Sources, source: MessageSource): History & { readonly from: number } {
  return { messages: [sources.add({ role: "user", content: "" }, source)], before: 0, from: 0 };
}

type StepEnded = RunEvent & EventBodyOf<"step.ended">;

/** Adds the messages of events to a history or, in the open turn, to its agent's view. */
class LaneHistory {
  readonly #sources: Sources;
  readonly #push: (message: Message) => void;
  readonly #what: "history" | "view";
  readonly #kinds = new Map<string, string>();
  readonly #crews = new Set<string>();
  readonly #json = new Set<string>();
  /** The step that asks for a signal; its reply joins nothing. */
  #correction = "";
  #pending: { readonly ended: StepEnded; readonly calls: Set<string> } | undefined;
  /** A reply that must be JSON: it joins the history if its turn ends with it. */
  #candidate: StepEnded | undefined;

  constructor(sources: Sources, push: (message: Message) => void, what: "history" | "view") {
    this.#sources = sources;
    this.#push = push;
    this.#what = what;
  }

  add(event: RunEvent): void {
    switch (event.type) {
      case "turn.started":
        if (event.crew !== undefined) this.#crews.add(event.turn);
        return;
      case "step.started":
        if (event.output === true) this.#json.add(event.step);
        this.#correction = event.correction === undefined ? "" : event.step;
        this.#candidate = undefined;
        return;
      case "step.ended":
        this.#end(event);
        return;
      case "call.ended":
        this.#pending?.calls.add(event.call);
        this.#join();
        return;
      case "turn.ended":
        this.#endTurn(event);
        return;
      case "group.ended":
        if (event.error === undefined && event.results.length > 0) this.#user({ source: `turn ${event.turn}` });
        return;
      default:
        this.#hear(event);
    }
  }

  /** Adds messages of people. */
  #hear(event: RunEvent): void {
    const source = { source: "input", of: `event ${event.seq}` };
    if (event.type === "question.opened") this.#kinds.set(event.question, event.kind);
    if (event.type === "run.resumed" && event.input !== undefined) this.#user(source);
    if (event.type === "command.received" && event.command.type === "say") this.#user(source);
    if (event.type !== "question.answered" || typeof event.value !== "string") return;
    const kind = this.#kinds.get(event.question);
    if (kind === "pause" || kind === "message") this.#user(source);
  }

  /** The model is asked for the signal that its reply lacks. */
  ask(step: string): void {
    this.#user({ source: "correction", of: step });
  }

  #user(source: MessageSource): void {
    this.#push(this.#sources.add({ role: "user", content: "" }, source));
  }

  #end(ended: StepEnded): void {
    if (ended.error !== undefined || ended.step === this.#correction) return;
    this.#pending = { ended, calls: new Set() };
    this.#join();
  }

  /** A reply and the results of its calls, once all are there. */
  #join(): void {
    if (this.#pending === undefined) return;
    const { ended, calls } = this.#pending;
    if (!ended.calls.every(({ id }) => calls.has(id))) return;
    this.#pending = undefined;
    const isOutput = ended.calls.length === 0 && this.#json.has(ended.step);
    if (isOutput) this.#correct(ended);
    else if (ended.calls.length > 0 || ended.text.trim() !== "") this.#reply(ended);
  }

  /** A reply that must be JSON is followed by another step only if it did not fit. */
  #correct(ended: StepEnded): void {
    if (this.#what === "history") {
      this.#candidate = ended;
      return;
    }
    this.#reply(ended);
    this.#user({ source: "correction", of: ended.step });
  }

  #reply({ step, agent, calls, text }: StepEnded): void {
    const source = { source: `turn ${step.slice(0, step.lastIndexOf("."))}`, of: step };
    const asked: readonly CallRequest[] = calls;
    const more = asked.length === 0 ? {} : { calls: asked };
    this.#push(this.#sources.add({ role: "assistant", agent, content: text, ...more }, source));
    for (const { id, tool } of asked) {
      const message: Message = { role: "tool", call: id, tool, content: "" };
      this.#push(this.#sources.add(message, { source: `call ${id}`, of: id }));
    }
  }

  #endTurn({ turn, agent, error }: EventBodyOf<"turn.ended">): void {
    const candidate = this.#candidate;
    this.#candidate = undefined;
    if (error !== undefined) return;
    if (candidate !== undefined && candidate.text.trim() !== "") this.#reply(candidate);
    const crew: Message = { role: "assistant", agent, content: "" };
    if (this.#crews.has(turn)) this.#push(this.#sources.add(crew, { source: `turn ${turn}` }));
  }
}
