/**
 * Turn view: one agent's turn as lines, behind a bar in the agent's colour.
 *
 * `add` gives the lines an event completed; `live` what is under way and may still change: the open line of the
 * reply, the tools that run, or that the model thinks.
 */
import type { Failure, Json, RunEvent } from "@baton/core";
import type { FactOf } from "@baton/core/ports";
import { toCallText, toOutputText } from "./call-text.ts";
import { toActorLine, toneOf, type Actor } from "./agent-view.ts";
import { cutLine, toLine, type Line, type Tone } from "../terminal/styled-line.ts";
import { toDuration } from "./number-text.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { type Look, Reply } from "./reply-view.ts";
import { cutText, widthOf } from "../terminal/width.ts";

/** When and how wide something is shown. */
export interface Frame {
  readonly now: number;
  readonly width: number;
}

type Kind = FactOf<"question.opened">["kind"];

interface OpenCall {
  readonly text: string;
  startedAt: number;
  progress: string;
}

const BAR_CHARS = 2;
/** A result on a line that nothing else cuts. */
const MAX_OUTPUT_CHARS = 160;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const SPINNER_MS = 80;

/** What a call waits for. */
const NEEDS: Readonly<Partial<Record<Kind, string>>> = {
  doubt: "was interrupted: was it done?",
  tool: "is yours to carry out",
};

const ANSWERS: ReadonlyMap<string, readonly [string, Tone]> = new Map([
  ["allow", ["  allowed", "good"]],
  ["deny", ["  denied", "bad"]],
  ["again", ["  is done again", "good"]],
  ["skip", ["  is left as it is", "bad"]],
]);

/** One agent holding the baton. */
export class TurnView {
  readonly actor: Actor;
  readonly #reply: Reply;
  readonly #calls = new Map<string, OpenCall>();
  /** Calls that somebody was asked about, by the question. */
  readonly #asked = new Map<string, { readonly call: OpenCall; readonly kind: Kind }>();
  #signals: Line = [];
  /** Since when the model works on a reply, and with what it has begun. */
  #thinking: { readonly since: number; readonly model: string } | undefined;

  constructor(actor: Actor, look: Look = "plain") {
    this.actor = actor;
    this.#reply = new Reply(actor.signals, look);
  }

  /** The first line. */
  get title(): Line {
    return toActorLine(this.actor);
  }

  /** Takes an event of this turn, and gives the lines it completed. */
  add(event: RunEvent, width: number): readonly Line[] {
    const inner = width - BAR_CHARS;
    return this.#toLines(event, inner).map((line) => this.#bar(cutLine(line, inner)));
  }

  /** The last line: the signals of the reply, and where they led. */
  close(to: Line, width: number): Line {
    const tone = toneOf(this.actor, "agent");
    const signals = this.#signals;
    this.#signals = [];
    const gap: Line = signals.length > 0 && to.length > 0 ? toLine(" ") : [];
    const isBare = signals.length === 0 && to.length === 0;
    return cutLine([{ text: isBare ? "╰─" : "╰─ ", tone }, ...signals, ...gap, ...to], width);
  }

  /** What is under way. */
  live({ now, width }: Frame): readonly Line[] {
    const inner = width - BAR_CHARS;
    const spinner = SPINNER[Math.floor(now / SPINNER_MS) % SPINNER.length] ?? "";
    const isTalking = this.#reply.open.trim() !== "";
    const lines: Line[] = isTalking ? wrap(this.#reply.open, inner).map((text) => toLine(text)) : [];
    for (const { text, startedAt, progress } of this.#calls.values()) {
      const more = progress === "" ? "" : `  ${progress}`;
      lines.push(toCallLine([`${spinner} `, "warn"], [text, `  ${toDuration(now - startedAt)}${more}`], inner));
    }
    if (lines.length === 0 && this.#thinking !== undefined) {
      const { since, model } = this.#thinking;
      lines.push(toLine([`${spinner} ${toOneLine(model)}  ${toDuration(now - since)}`, "dim"]));
    }
    return lines.map((line) => this.#bar(cutLine(line, inner)));
  }

  #bar(line: Line): Line {
    return [...toLine([line.length === 0 ? "│" : "│ ", toneOf(this.actor, "agent")]), ...line];
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
        this.#calls.set(event.call, { text: toCallText(event.tool, event.args), startedAt: event.at, progress: "" });
        return [];
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
          ? [toLine([`arguments changed to ${toOutputText(event.args ?? null)}`, "dim"])]
          : [];
      case "signal.matched":
        this.#addSignal(event.signal, event.followed ? "followed" : "noted");
        return [];
      case "history.trimmed":
        return [toLine([`⋯ ${event.dropped} older messages left out to fit the model's window`, "dim"])];
      case "warning.raised":
        return toMarked("▲ ", "warn", wrap(toPrintable(event.text), width - 2));
      case "command.received":
        return event.command.type === "say" ? [toLine(["› ", "strong"], toOneLine(event.command.text))] : [];
      default:
        return [];
    }
  }

  #retryStep(event: Extract<RunEvent, { type: "step.retried" }>, width: number): readonly Line[] {
    const isVoid = this.#reply.hasBegun;
    const rest = this.#reply.end(width);
    return [...rest, ...toRetry(isVoid ? "the text above is void; " : "", event, width)];
  }

  #progress(id: string, progress: Json): void {
    const call = this.#calls.get(id);
    if (call !== undefined) call.progress = toOutputText(progress);
  }

  #endCall(event: Extract<RunEvent, { type: "call.ended" }>, width: number): readonly Line[] {
    const call = this.#calls.get(event.call);
    this.#calls.delete(event.call);
    const { text, startedAt } = call ?? { text: event.tool, startedAt: event.at };
    const parts = [text, `  ${toDuration(event.at - startedAt)}`] as const;
    if (event.error !== undefined) {
      const reason = toMarked("  ", "bad", wrap(toPrintable(event.error.message), width - 2));
      return [toCallLine(["✗ ", "bad"], parts, width), ...(isCut(event.error) ? [] : reason)];
    }
    const output = toOutputText(event.output ?? null);
    const result = cutLine(toLine([`  ${output}`, "dim"]), Math.min(width, MAX_OUTPUT_CHARS));
    return [toCallLine(["✓ ", "good"], parts, width), ...(output === "null" || output === "" ? [] : [result])];
  }

  #ask({ question, kind, call: id }: Extract<RunEvent, { type: "question.opened" }>, width: number): readonly Line[] {
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (call === undefined) return [];
    this.#asked.set(question, { call, kind });
    return [toCallLine(["? ", "warn"], [call.text, `  ${NEEDS[kind] ?? "needs your approval"}`], width)];
  }

  /** Time a person took to decide is not the tool's. */
  #answer(event: Extract<RunEvent, { type: "question.answered" }>): readonly Line[] {
    const asked = this.#asked.get(event.question);
    if (asked === undefined) return [];
    asked.call.startedAt = event.at;
    // The result of a tool is shown with the end of its call.
    const isWord = typeof event.value === "string" && asked.kind !== "tool";
    const answer = isWord ? ANSWERS.get(event.value) : undefined;
    return answer === undefined ? [] : [toLine(answer)];
  }

  #addSignal(signal: string, use: "followed" | "noted"): void {
    const chip = toLine([toOneLine(signal), use === "followed" ? toneOf(this.actor, "chip") : "dim"]);
    this.#signals = this.#signals.length === 0 ? chip : [...this.#signals, ...toLine(" "), ...chip];
  }
}

/** A call is cut so that what comes after it is still there. */
function toCallLine(sign: readonly [string, Tone], [call, after]: readonly [string, string], width: number): Line {
  return toLine(sign, cutText(call, Math.max(8, width - 2 - widthOf(after))), [after, "dim"]);
}

function toRetry(
  prefix: string,
  { attempt, delayMs, error }: { readonly attempt: number; readonly delayMs: number; readonly error: Failure },
  width: number,
): readonly Line[] {
  const wait = delayMs < 1 ? "" : ` in ${toDuration(delayMs)}`;
  return toMarked("↻ ", "warn", wrap(toPrintable(`${prefix}${error.message}; try ${attempt}${wait}`), width - 2));
}

/** A sign before the first line; the others stand under its text. */
function toMarked(sign: string, tone: "warn" | "bad", texts: readonly string[]): readonly Line[] {
  return texts.map((text, index) => toLine([index === 0 ? sign : "  ", tone], text));
}

/** The run was stopped, and says so at its end. */
function isCut({ code }: Failure): boolean {
  return code === "cancelled" || code === "limit";
}
