/**
 * User prompt: asks the user for messages, decisions and values.
 *
 * On a terminal, what is typed before a prompt is kept for the next message; it never answers a decision or gives a
 * value. Ctrl-C cancels the run while no prompt is shown.
 */
import { createInterface, type Interface } from "node:readline/promises";
import type { Json } from "@baton/core";
import { Keyboard } from "./keyboard.ts";
import { toOneLine } from "./printable.ts";
import { TypedText } from "./typed-text.ts";

/** The lines that end a conversation, also at a question. */
export const QUITS: readonly string[] = ["/quit", "/exit"];

/** The sign before the user's text. */
export const PROMPT_SIGN = "› ";

/** The user gave no answer: the input ended (Ctrl-D), or the user interrupted it (Ctrl-C). */
export type NoAnswer = { readonly kind: "end" } | { readonly kind: "interrupt" };

/** A text, or no answer. */
export type TextAnswer = { readonly kind: "text"; readonly text: string } | NoAnswer;

/** A parsed value, or no answer. */
export type ValueAnswer = { readonly kind: "value"; readonly value: Json } | NoAnswer;

/** The value of a text, or why the text is not valid. */
export type ParsedValue = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly why: string };

/** Handling of a line that was typed before the prompt: it is sent, or put on the prompt for the user to send. */
export type EarlyLine = "send" | "show";

/** Asks one question at a time. */
export interface UserPrompt {
  /** The way to leave a question without an answer; undefined if there is no keyboard. */
  readonly hint: string | undefined;
  /** Asks for a message, again if it is empty. */
  message(label: string, early: EarlyLine): Promise<TextAnswer>;
  /** Asks for yes or no, and gives one of the two words of the choice; the user may also type that word. */
  decision(label: string, choice: DecisionWords): Promise<TextAnswer>;
  /** Asks for a value; if the text is not valid, prints why and asks again. */
  value(label: string, parse: (text: string) => ParsedValue): Promise<ValueAnswer>;
  /** Takes keys without an echo while no question is open; undefined if there is no keyboard. */
  muteKeyboard(): Disposable | undefined;
}

/** The words that mean yes and no. */
export type DecisionWords = readonly [yes: string, no: string];

const YES: readonly string[] = ["y", "yes"];
const NO: readonly string[] = ["n", "no"];

/** Asks on the terminal. */
export class TerminalPrompt implements UserPrompt {
  readonly hint = "Ctrl-D leaves the run paused, Ctrl-C cancels it";
  readonly #typed = new TypedText();
  #history: string[] = [];

  async message(label: string, early: EarlyLine): Promise<TextAnswer> {
    if (early === "show") this.#typed.hold();
    const typed = this.#typed.take();
    if (typed?.isComplete === true) {
      process.stdout.write(`${label}${toOneLine(typed.text)}\n`);
      this.#history.unshift(typed.text);
      return { kind: "text", text: typed.text };
    }
    const lines = this.#open();
    lines.on("history", (history) => (this.#history = [...history]));
    try {
      for (let draft = typed?.text ?? ""; ; draft = "") {
        const said = await ask(lines, label, draft);
        if (said.kind !== "text" || said.text.trim() !== "") return said;
      }
    } finally {
      lines.close();
    }
  }

  async decision(label: string, choice: DecisionWords): Promise<TextAnswer> {
    this.#typed.hold();
    const lines = createInterface({ input: process.stdin, output: process.stdout, historySize: 0 });
    try {
      for (;;) {
        const said = await ask(lines, label);
        if (said.kind !== "text") return said;
        if (isQuit(said.text)) return { kind: "end" };
        const text = toDecision(said.text, choice);
        if (text !== undefined) return { kind: "text", text };
      }
    } finally {
      lines.close();
    }
  }

  async value(label: string, parse: (text: string) => ParsedValue): Promise<ValueAnswer> {
    this.#typed.hold();
    // With the history, arrow up brings back a text to correct.
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      for (;;) {
        const said = await ask(lines, label);
        if (said.kind !== "text") return said;
        if (said.text.trim() === "") continue;
        if (isQuit(said.text)) return { kind: "end" };
        const answer = parse(said.text);
        if (answer.ok) return { kind: "value", value: answer.value };
        process.stdout.write(`  ${toOneLine(answer.why)}\n`);
      }
    } finally {
      lines.close();
    }
  }

  muteKeyboard(): Disposable {
    return new Keyboard(this.#typed);
  }

  #open(): Interface {
    return createInterface({ input: process.stdin, output: process.stdout, history: this.#history, historySize: 100 });
  }
}

/** Whether the text ends the conversation. */
export function isQuit(text: string): boolean {
  return QUITS.includes(text.trim());
}

/** The word of the choice that the text stands for; undefined if it is not an answer. */
export function toDecision(text: string, choice: DecisionWords): string | undefined {
  const said = text.trim().toLowerCase();
  const [yes, no] = choice;
  if (YES.includes(said)) return yes;
  return NO.includes(said) ? no : choice.find((word) => word === said);
}

async function ask(lines: Interface, label: string, draft = ""): Promise<TextAnswer> {
  return new Promise((resolve, reject) => {
    const leave = (kind: "end" | "interrupt") => {
      process.stdout.write("\n");
      resolve({ kind });
    };
    const end = () => leave("end");
    lines.once("close", end);
    lines.once("SIGINT", () => leave("interrupt"));
    lines.question(label).then((text) => {
      lines.off("close", end);
      resolve({ kind: "text", text });
    }, reject);
    lines.write(draft);
  });
}
