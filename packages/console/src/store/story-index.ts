/**
 * Story index: takes the events of a run in their order and keeps what there is to draw of it.
 *
 * It says which parts an event changed, so that a page draws only these again. Events of types that it does not know
 * change nothing.
 */
import type { RunEvent } from "@baton/client";
import { GrowingText } from "./growing-text.ts";
import { toFates } from "./receipt-lines.ts";
import type {
  Aside,
  CallSpan,
  GroupSpan,
  HandoffMark,
  StoryMark,
  NoteMark,
  QuestionSpan,
  StorySpan,
  StepSpan,
  Story,
  TurnSpan,
  WaitSpan,
} from "./story.ts";

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

/** The question about a call, or its start. */
type CallBeginning = StoryMark &
  Pick<CallSpan, "call" | "agent" | "lane" | "tool" | "args" | "effect" | "line"> & { readonly edited?: true };

/** The part that an event changed: the run as a whole, or the text of one step. */
export type StoryChange = "run" | `step:${string}`;

/** Grows with the events of one run. */
export class StoryIndex implements Story {
  readonly turns: TurnSpan[] = [];
  readonly groups: GroupSpan[] = [];
  readonly handoffs: HandoffMark[] = [];
  readonly waits: WaitSpan[] = [];
  readonly breaks: StorySpan[] = [];
  readonly questions: QuestionSpan[] = [];
  readonly asides: Aside[] = [];
  readonly notes: NoteMark[] = [];
  started: Story["started"];
  ended: Story["ended"];
  fates: Story["fates"] = new Map();
  readonly #turns = new Map<string, TurnSpan>();
  readonly #steps = new Map<string, StepSpan>();
  readonly #calls = new Map<string, CallSpan>();
  readonly #groups = new Map<string, GroupSpan>();
  readonly #questions = new Map<string, QuestionSpan>();
  /** The last signal that was followed, by lane. */
  readonly #signals = new Map<string, string>();
  /** The newest event. */
  #newest: StoryMark | undefined;

  step(position: string): StepSpan | undefined {
    return this.#steps.get(position);
  }

  call(position: string): CallSpan | undefined {
    return this.#calls.get(position);
  }

  turn(position: string): TurnSpan | undefined {
    return this.#turns.get(position);
  }

  /** Takes the next event; says what it changed. */
  add(event: RunEvent): StoryChange {
    const changed = this.#take(event);
    this.#newest = markOf(event);
    return changed;
  }

  #take(event: RunEvent): StoryChange {
    switch (event.type) {
      case "text.delta":
      case "reasoning.delta":
      case "args.delta":
        return this.#write(event);
      case "run.started":
      case "run.resumed":
      case "run.paused":
      case "run.ended":
        this.#live(event);
        break;
      case "turn.started":
      case "turn.ended":
        this.#takeTurn(event);
        break;
      case "step.started":
      case "step.retried":
      case "step.ended":
        this.#takeStep(event);
        break;
      case "call.started":
      case "call.progressed":
      case "call.retried":
      case "call.ended":
        this.#takeCall(event);
        break;
      case "question.opened":
      case "question.answered":
      case "question.closed":
        this.#ask(event);
        break;
      default:
        this.#mention(event);
    }
    return "run";
  }

  #write(event: EventOf<"text.delta"> | EventOf<"reasoning.delta"> | EventOf<"args.delta">): StoryChange {
    const attempt = this.#steps.get(event.step)?.attempts.at(-1);
    if (event.type === "text.delta") attempt?.text.add(event.seq, event.text);
    if (event.type === "reasoning.delta") attempt?.reasoning.add(event.seq, event.text);
    return `step:${event.step}`;
  }

  #live(event: EventOf<"run.started"> | EventOf<"run.resumed"> | EventOf<"run.paused"> | EventOf<"run.ended">): void {
    const mark = markOf(event);
    const wait = this.waits.at(-1);
    if (wait !== undefined && wait.to === undefined) wait.to = mark;
    else if (event.type === "run.resumed" && this.#newest !== undefined) {
      this.breaks.push({ from: this.#newest, to: mark });
    }
    if (event.type === "run.paused") this.waits.push({ from: mark, by: event.by, agent: event.agent });
    if (event.type === "run.started") this.started = event;
    if (event.type === "run.ended") this.#end(event);
    if (event.type !== "run.started" && event.type !== "run.resumed") return;
    const { input = "", images = [], lane } = event;
    if (input !== "" || images.length > 0) {
      this.asides.push({ ...mark, lane, kind: "user", text: input, images: images.length });
    }
  }

  #end(event: EventOf<"run.ended">): void {
    this.ended = event;
    const mark = markOf(event);
    for (const turn of this.turns) turn.to ??= mark;
    for (const step of this.#steps.values()) step.to ??= mark;
    for (const call of this.#calls.values()) call.to ??= mark;
    for (const group of this.groups) group.to ??= mark;
    this.fates = toFates(event.receipt, this);
  }

  #takeTurn(event: EventOf<"turn.started"> | EventOf<"turn.ended">): void {
    if (event.type === "turn.ended") {
      const turn = this.#turns.get(event.turn);
      if (turn === undefined) return;
      turn.to = markOf(event);
      turn.ended = event;
      return;
    }
    const { turn, agent, lane, audience = "user", crew } = event;
    const span: TurnSpan = {
      turn,
      agent,
      lane,
      audience,
      ...(crew === undefined ? {} : { crew }),
      from: markOf(event),
      steps: [],
    };
    this.#turns.set(turn, span);
    this.turns.push(span);
  }

  #takeStep(event: EventOf<"step.started"> | EventOf<"step.retried"> | EventOf<"step.ended">): void {
    const mark = markOf(event);
    if (event.type === "step.started") return this.#beginStep(event, mark);
    const step = this.#steps.get(event.step);
    const attempt = step?.attempts.at(-1);
    if (step === undefined || attempt === undefined) return;
    attempt.to = mark;
    if (event.type === "step.retried") {
      attempt.error = event.error;
      step.attempts.push(newAttempt(mark));
      return;
    }
    // A list without deltas has the whole text only here.
    if (attempt.text.text === "" && event.text !== "") attempt.text.add(event.seq, event.text);
    step.to = mark;
    step.ended = event;
  }

  #beginStep(event: EventOf<"step.started">, mark: StoryMark): void {
    const { step: position, agent, lane, model, output: isOutput = false, tokens, window } = event;
    const turn = parentOf(position);
    const known = this.#steps.get(position);
    if (known !== undefined) {
      known.attempts.push(newAttempt(mark));
      return;
    }
    const step: StepSpan = {
      step: position,
      turn,
      agent,
      lane,
      model,
      isOutput,
      ...(tokens === undefined ? {} : { tokens }),
      ...(window === undefined ? {} : { window }),
      from: mark,
      attempts: [newAttempt(mark)],
      calls: [],
    };
    this.#steps.set(position, step);
    this.#turns.get(turn)?.steps.push(step);
  }

  #takeCall(
    event: EventOf<"call.started"> | EventOf<"call.progressed"> | EventOf<"call.retried"> | EventOf<"call.ended">,
  ): void {
    if (event.type === "call.started") return this.#beginCall(event);
    const call = this.#calls.get(event.call);
    if (call === undefined) return;
    if (event.type === "call.progressed") call.progress.push({ seq: event.seq, value: event.progress });
    if (event.type === "call.retried") call.retries += 1;
    if (event.type !== "call.ended") return;
    call.to = markOf(event);
    call.ended = event;
  }

  /** A call is there from the question whether it may be made, and has the arguments that it was made with. */
  #beginCall(event: CallBeginning): void {
    const { call: position, agent, lane, tool, args, effect, line } = event;
    const known = this.#calls.get(position);
    if (known !== undefined) {
      if (event.edited === true) Object.assign(known, { args, edited: true });
      return;
    }
    const parent = parentOf(position);
    // A call of code belongs to the call of that code.
    const code = this.#calls.get(parent);
    const place = { call: position, step: code?.step ?? parent, lane, ...(line === undefined ? {} : { line }) };
    const about = { agent, tool, args, effect, from: markOf(event) };
    const call: CallSpan = { ...place, ...about, progress: [], retries: 0, inner: [] };
    this.#calls.set(position, call);
    (code?.inner ?? this.#steps.get(parent)?.calls)?.push(call);
  }

  #ask(event: EventOf<"question.opened"> | EventOf<"question.answered"> | EventOf<"question.closed">): void {
    if (event.type === "question.opened") {
      const span: QuestionSpan = { asked: event, lane: event.lane, from: markOf(event) };
      this.#questions.set(event.question, span);
      this.questions.push(span);
      const { kind, call, tool, args = null, effect = "irreversible", agent, lane, line } = event;
      if (kind !== "approval" || call === undefined || tool === undefined) return;
      const place = { call, agent, lane, ...(line === undefined ? {} : { line }) };
      this.#beginCall({ ...markOf(event), ...place, tool, args, effect });
      return;
    }
    const span = this.#questions.get(event.question);
    if (span === undefined) return;
    span.to = markOf(event);
    if (event.type === "question.closed") span.isClosed = true;
    else {
      span.answer = event.value;
      if (event.by !== undefined) span.by = event.by.user;
    }
  }

  /** Adds the events that belong to no turn. */
  #mention(event: RunEvent): void {
    const base = { ...markOf(event), lane: event.lane };
    switch (event.type) {
      case "group.started":
        this.#beginGroup(event);
        return;
      case "group.ended":
        this.#endGroup(event);
        return;
      case "signal.matched":
        if (event.followed) this.#signals.set(event.lane, event.signal);
        return;
      case "handoff.made":
        this.#pass(event);
        return;
      case "note.made":
        this.notes.push(event);
        return;
      case "warning.raised":
        this.asides.push({ ...base, kind: "warning", text: event.text, agent: event.agent });
        return;
      case "limit.reached":
        this.asides.push({ ...base, kind: "limit", limit: event.limit, value: event.value });
        return;
      case "limit.waiting":
        this.asides.push({ ...base, kind: "waits", agent: event.agent, limit: event.limit, delayMs: event.delayMs });
        return;
      case "history.trimmed":
        this.asides.push({ ...base, kind: "trimmed", agent: event.agent, step: event.step, dropped: event.dropped });
        return;
      case "command.received":
        this.#hear(event);
        return;
      default:
        return;
    }
  }

  #hear({ command, ...event }: EventOf<"command.received">): void {
    const base = { ...markOf(event), lane: event.lane };
    if (command.type === "say") this.asides.push({ ...base, kind: "user", text: command.text, images: 0 });
    else this.asides.push({ ...base, kind: "command", command });
  }

  #pass(event: EventOf<"handoff.made">): void {
    const { from, to, via, lane } = event;
    const signal = via === "signal" ? this.#signals.get(lane) : undefined;
    this.#signals.delete(lane);
    this.handoffs.push({ ...markOf(event), from, to, via, lane, ...(signal === undefined ? {} : { signal }) });
  }

  #beginGroup(event: EventOf<"group.started">): void {
    const { turn, group, agents, items, lane } = event;
    const size = items === undefined ? {} : { items };
    const span: GroupSpan = { turn, group, agents, ...size, lane, from: markOf(event) };
    this.#groups.set(turn, span);
    this.groups.push(span);
  }

  #endGroup(event: EventOf<"group.ended">): void {
    const span = this.#groups.get(event.turn);
    if (span === undefined) return;
    span.to = markOf(event);
    span.ended = event;
  }
}

function markOf({ seq, at }: StoryMark): StoryMark {
  return { seq, at };
}

function newAttempt(from: StoryMark): StepSpan["attempts"][number] {
  return { from, text: new GrowingText(), reasoning: new GrowingText() };
}

/** The position that a position is in: `3.1.2` is in `3.1`, and that in `3`. */
function parentOf(position: string): string {
  return position.slice(0, Math.max(0, position.lastIndexOf(".")));
}
