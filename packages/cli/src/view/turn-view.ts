/**
 * Turn view: the turn of one agent as lines, with a bar in the agent's colour.
 *
 * `add` gives the lines that an event completed. `live` gives the lines that are still changing: the incomplete reply,
 * the running tools, or the model that is working.
 */
import type { Failure, Json, RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { type Approval, toApproval } from "@baton/core/util";
import { toCallText, toCodeText, toOutputText } from "./call-text.ts";
import { toAgentLine, toneOf, type AgentView } from "./agent-view.ts";
import { cutLine, styleLine, type Line, type Tone } from "../terminal/styled-line.ts";
import { formatDuration } from "./number-text.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import type { TextFormat } from "../terminal/screen.ts";
import { ReplyView } from "./reply-view.ts";
import { cutToWidth, displayWidth } from "../terminal/width.ts";

/** The time and the width of a drawing. */
export interface TurnFrame {
  readonly now: number;
  readonly width: number;
}

type Kind = EventBodyOf<"question.opened">["kind"];

interface OpenCall {
  readonly text: string;
  /** Of a call that code makes: the call of the code. */
  readonly within?: string | undefined;
  startedAt: number;
  progress: string;
}

/** A call with a question, and the line of code that makes it. */
interface Asked {
  readonly call: OpenCall;
  readonly kind: Kind;
  readonly line: number | undefined;
}

const BAR_CHARS = 2;
/** Calls of code are indented by so much. */
const INDENT = 2;
/** The most calls of code that are drawn while they run. */
const MAX_LIVE = 5;
/** The most of a result on an output without a width. */
const MAX_OUTPUT_CHARS = 160;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const SPINNER_MS = 80;

/** The reasons why calls wait; a call without an entry waits for an approval. */
const NEEDS: Readonly<Partial<Record<Kind, string>>> = {
  doubt: "was interrupted: did it finish?",
  tool: "needs a result from you",
};

const ANSWERS: ReadonlyMap<string, readonly [string, Tone]> = new Map([
  ["again", ["  runs again", "good"]],
  ["skip", ["  skipped", "bad"]],
]);

/** The turn of one agent. */
export class TurnView {
  readonly agent: AgentView;
  readonly #reply: ReplyView;
  readonly #calls = new Map<string, OpenCall>();
  /** Calls with a question, by the question's id. */
  readonly #asked = new Map<string, Asked>();
  /** Code that has not ended, by its call. */
  readonly #codes = new Map<string, readonly string[]>();
  #signals: Line = [];
  /** The model that is working on a reply, and since when. */
  #thinking: { readonly since: number; readonly model: string } | undefined;

  constructor(agent: AgentView, format: TextFormat = "plain") {
    this.agent = agent;
    this.#reply = new ReplyView(agent.signals, format);
  }

  /** The first line. */
  get title(): Line {
    return toAgentLine(this.agent);
  }

  /** Adds an event of this turn, and gives the lines it completed. */
  add(event: RunEvent, width: number): readonly Line[] {
    const inner = width - BAR_CHARS;
    const indent = this.#isInCode(event) ? INDENT : 0;
    const lines = this.#toLines(event, inner - indent);
    return lines.map((line) => this.#bar(cutLine([...styleLine(" ".repeat(indent)), ...line], inner)));
  }

  /** The last line: the signals of the reply, and the next agent. */
  close(to: Line, width: number): Line {
    const tone = toneOf(this.agent, "agent");
    const signals = this.#signals;
    this.#signals = [];
    const gap: Line = signals.length > 0 && to.length > 0 ? styleLine(" ") : [];
    const isBare = signals.length === 0 && to.length === 0;
    return cutLine([{ text: isBare ? "╰─" : "╰─ ", tone }, ...signals, ...gap, ...to], width);
  }

  /** The lines that are still changing. */
  live({ now, width }: TurnFrame): readonly Line[] {
    const inner = width - BAR_CHARS;
    const spinner = SPINNER[Math.floor(now / SPINNER_MS) % SPINNER.length] ?? "";
    const hasText = this.#reply.open.trim() !== "";
    const lines: Line[] = hasText ? wrap(this.#reply.open, inner).map((text) => styleLine(text)) : [];
    const calls = [...this.#calls.values()];
    const inCode = calls.filter(({ within }) => within !== undefined);
    const hidden = new Set(inCode.slice(MAX_LIVE));
    for (const call of calls) {
      if (hidden.has(call)) continue;
      const { text, startedAt, progress, within } = call;
      const more = progress === "" ? "" : `  ${progress}`;
      const sign = `${within === undefined ? "" : " ".repeat(INDENT)}${spinner} `;
      lines.push(toCallLine([sign, "warn"], [text, `  ${formatDuration(now - startedAt)}${more}`], inner));
    }
    if (hidden.size > 0) lines.push(styleLine([`  … ${hidden.size} more`, "dim"]));
    if (lines.length === 0 && this.#thinking !== undefined) {
      const { since, model } = this.#thinking;
      lines.push(styleLine([`${spinner} ${toOneLine(model)}  ${formatDuration(now - since)}`, "dim"]));
    }
    return lines.map((line) => this.#bar(cutLine(line, inner)));
  }

  /** Where code waits at a pause: `line 9 | await tools.refund({ id })  3 wait for you`. */
  waiting(width: number): readonly Line[] {
    const open = new Map<string, number>();
    for (const { call, line } of this.#asked.values()) {
      const text = this.#codes.get(call.within ?? "")?.[(line ?? 0) - 1]?.trim();
      const place = `line ${line} | ${toOneLine(text ?? "")}`;
      if (text !== undefined) open.set(place, (open.get(place) ?? 0) + 1);
    }
    const inner = width - BAR_CHARS - INDENT;
    return Array.from(open, ([place, count]) => {
      const line = toCallLine(["", "dim"], [place, count === 1 ? "  waits for you" : `  ${count} wait for you`], inner);
      return this.#bar([...styleLine(" ".repeat(INDENT)), ...line]);
    });
  }

  /** Whether an event is about a call that code makes. */
  #isInCode(event: RunEvent): boolean {
    if ("within" in event && event.within !== undefined) return true;
    if (event.type === "question.answered") return this.#asked.get(event.question)?.call.within !== undefined;
    return "call" in event && event.call !== undefined && this.#calls.get(event.call)?.within !== undefined;
  }

  #bar(line: Line): Line {
    return [...styleLine([line.length === 0 ? "│" : "│ ", toneOf(this.agent, "agent")]), ...line];
  }

  #toLines(event: RunEvent, width: number): readonly Line[] {
    switch (event.type) {
      case "step.started":
        this.#thinking = { since: event.at, model: event.model };
        return [];
      case "text.delta":
        return this.#reply.push(event.text, width);
      case "step.retried":
        return this.#retryStep(event, width);
      case "step.ended":
        this.#thinking = undefined;
        return this.#reply.end(width);
      case "call.started":
        return this.#startCall(event, width);
      case "call.progressed":
        this.#progress(event.call, event.progress);
        return [];
      case "call.retried":
        return toRetry(`${event.tool}: `, event, width);
      case "call.ended":
        return this.#endCall(event, width);
      case "question.opened":
        return this.#ask(event, width);
      case "question.answered":
        return this.#answer(event);
      case "permission.decided":
        return event.decision === "transform"
          ? [styleLine([`arguments changed to ${toOutputText(event.args ?? null)}`, "dim"])]
          : [];
      case "signal.matched":
        this.#addSignal(event.signal, event.followed ? "followed" : "noted");
        return [];
      case "history.trimmed":
        return [styleLine([`⋯ ${event.dropped} older messages omitted to fit the model's context window`, "dim"])];
      case "warning.raised":
        return toMarked("▲ ", "warn", wrap(toPrintable(event.text), width - 2));
      case "command.received":
        return event.command.type === "say" ? [styleLine(["› ", "strong"], toOneLine(event.command.text))] : [];
      default:
        return [];
    }
  }

  #retryStep(event: Extract<RunEvent, { type: "step.retried" }>, width: number): readonly Line[] {
    const hasText = this.#reply.hasBegun;
    const rest = this.#reply.end(width);
    return [...rest, ...toRetry(hasText ? "ignore the text above: " : "", event, width)];
  }

  #progress(id: string, progress: Json): void {
    const call = this.#calls.get(id);
    if (call !== undefined) call.progress = toOutputText(progress);
  }

  #endCall(event: Extract<RunEvent, { type: "call.ended" }>, width: number): readonly Line[] {
    const call = this.#calls.get(event.call);
    this.#calls.delete(event.call);
    this.#codes.delete(event.call);
    const { text, startedAt, within } = call ?? { text: event.tool, startedAt: event.at };
    const parts = [text, `  ${formatDuration(event.at - startedAt)}`] as const;
    if (event.error !== undefined) {
      const reason = toMarked("  ", "bad", wrap(toPrintable(event.error.message), width - 2));
      return [toCallLine(["✗ ", "bad"], parts, width), ...(isStopped(event.error) ? [] : reason)];
    }
    // Code reads the results of its calls; the model and the user read what the code returns.
    const output = within === undefined ? toOutputText(event.output ?? null) : "";
    const result = cutLine(styleLine([`  ${output}`, "dim"]), Math.min(width, MAX_OUTPUT_CHARS));
    return [toCallLine(["✓ ", "good"], parts, width), ...(output === "null" || output === "" ? [] : [result])];
  }

  /** A call that a person was asked about is shown with the arguments that it has in the end. */
  #startCall(
    { call, tool, args, edited, at, within, engine }: Extract<RunEvent, { type: "call.started" }>,
    width: number,
  ): readonly Line[] {
    const code = engine === undefined ? undefined : toCodeText(args);
    const text = code === undefined ? toCallText(tool, args) : `${tool}  ${code.purpose}`;
    this.#calls.set(call, { text, within, startedAt: at, progress: "" });
    if (code !== undefined) {
      this.#codes.set(call, code.lines);
      return [cutLine(styleLine(["▸ ", "dim"], text), width)];
    }
    return edited === true ? [cutLine(styleLine([`  with ${toOutputText(args)}`, "dim"]), width)] : [];
  }

  #ask(event: Extract<RunEvent, { type: "question.opened" }>, width: number): readonly Line[] {
    const { question, kind, call: id, tool = "", args = null, at, within, line } = event;
    if (id === undefined) return [];
    const call = this.#calls.get(id) ?? { text: toCallText(tool, args), within, startedAt: at, progress: "" };
    this.#asked.set(question, { call, kind, line });
    return [toCallLine(["? ", "warn"], [call.text, `  ${NEEDS[kind] ?? "needs your approval"}`], width)];
  }

  /** The time that a person took to decide is not part of the tool's time. */
  #answer(event: Extract<RunEvent, { type: "question.answered" }>): readonly Line[] {
    const asked = this.#asked.get(event.question);
    if (asked === undefined) return [];
    this.#asked.delete(event.question);
    asked.call.startedAt = event.at;
    if (asked.kind === "approval") return [toDecisionLine(toApproval(event.value))];
    // The result of a client tool is shown at the end of its call.
    const isWord = typeof event.value === "string" && asked.kind !== "tool";
    const answer = isWord ? ANSWERS.get(event.value) : undefined;
    return answer === undefined ? [] : [styleLine(answer)];
  }

  #addSignal(signal: string, use: "followed" | "noted"): void {
    const chip = styleLine([toOneLine(signal), use === "followed" ? toneOf(this.agent, "chip") : "dim"]);
    this.#signals = this.#signals.length === 0 ? chip : [...this.#signals, ...styleLine(" "), ...chip];
  }
}

/** The arguments of an edited call follow when it starts, the reason of a denial when it ends. */
function toDecisionLine({ decision }: Approval): Line {
  if (decision === "deny") return styleLine(["  denied", "bad"]);
  return styleLine([decision === "allow" ? "  allowed" : "  allowed, with other arguments", "good"]);
}

/** Truncates a call so that the text after it fits on the line. */
function toCallLine(sign: readonly [string, Tone], [call, after]: readonly [string, string], width: number): Line {
  return styleLine(sign, cutToWidth(call, Math.max(8, width - 2 - displayWidth(after))), [after, "dim"]);
}

function toRetry(
  prefix: string,
  { attempt, delayMs, error }: { readonly attempt: number; readonly delayMs: number; readonly error: Failure },
  width: number,
): readonly Line[] {
  const wait = delayMs < 1 ? "" : ` in ${formatDuration(delayMs)}`;
  return toMarked("↻ ", "warn", wrap(toPrintable(`${prefix}${error.message}; try ${attempt}${wait}`), width - 2));
}

/** Puts a sign before the first line, and indents the others. */
function toMarked(sign: string, tone: "warn" | "bad", texts: readonly string[]): readonly Line[] {
  return texts.map((text, index) => styleLine([index === 0 ? sign : "  ", tone], text));
}

/** Whether the run's end shows the reason. */
function isStopped({ code }: Failure): boolean {
  return code === "cancelled" || code === "limit";
}
