/**
 * Turn view: the turn of one agent as lines, with a bar in the agent's colour.
 *
 * `add` gives the lines that an event completed. `live` gives the lines that are still changing: the incomplete reply,
 * the running tools, or the model that is working.
 */
import type { Failure, Json, RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { type Approval, toApproval } from "@baton/core/util";
import { toCallText, toOutputText } from "./call-text.ts";
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
  startedAt: number;
  progress: string;
}

const BAR_CHARS = 2;
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
  readonly #asked = new Map<string, { readonly call: OpenCall; readonly kind: Kind }>();
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
    return this.#toLines(event, inner).map((line) => this.#bar(cutLine(line, inner)));
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
    for (const { text, startedAt, progress } of this.#calls.values()) {
      const more = progress === "" ? "" : `  ${progress}`;
      lines.push(toCallLine([`${spinner} `, "warn"], [text, `  ${formatDuration(now - startedAt)}${more}`], inner));
    }
    if (lines.length === 0 && this.#thinking !== undefined) {
      const { since, model } = this.#thinking;
      lines.push(styleLine([`${spinner} ${toOneLine(model)}  ${formatDuration(now - since)}`, "dim"]));
    }
    return lines.map((line) => this.#bar(cutLine(line, inner)));
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
    const { text, startedAt } = call ?? { text: event.tool, startedAt: event.at };
    const parts = [text, `  ${formatDuration(event.at - startedAt)}`] as const;
    if (event.error !== undefined) {
      const reason = toMarked("  ", "bad", wrap(toPrintable(event.error.message), width - 2));
      return [toCallLine(["✗ ", "bad"], parts, width), ...(isStopped(event.error) ? [] : reason)];
    }
    const output = toOutputText(event.output ?? null);
    const result = cutLine(styleLine([`  ${output}`, "dim"]), Math.min(width, MAX_OUTPUT_CHARS));
    return [toCallLine(["✓ ", "good"], parts, width), ...(output === "null" || output === "" ? [] : [result])];
  }

  /** A call that a person was asked about is shown with the arguments that it has in the end. */
  #startCall(
    { call, tool, args, edited, at }: Extract<RunEvent, { type: "call.started" }>,
    width: number,
  ): readonly Line[] {
    this.#calls.set(call, { text: toCallText(tool, args), startedAt: at, progress: "" });
    return edited === true ? [cutLine(styleLine([`  with ${toOutputText(args)}`, "dim"]), width)] : [];
  }

  #ask(event: Extract<RunEvent, { type: "question.opened" }>, width: number): readonly Line[] {
    const { question, kind, call: id, tool = "", args = null, at } = event;
    if (id === undefined) return [];
    const call = this.#calls.get(id) ?? { text: toCallText(tool, args), startedAt: at, progress: "" };
    this.#asked.set(question, { call, kind });
    return [toCallLine(["? ", "warn"], [call.text, `  ${NEEDS[kind] ?? "needs your approval"}`], width)];
  }

  /** The time that a person took to decide is not part of the tool's time. */
  #answer(event: Extract<RunEvent, { type: "question.answered" }>): readonly Line[] {
    const asked = this.#asked.get(event.question);
    if (asked === undefined) return [];
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
