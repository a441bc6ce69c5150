/**
 * User prompt: asks the user for messages, decisions and values.
 *
 * The terminal reads the keyboard only while a question is open; at all other times Ctrl-C cancels the run.
 */
import { createInterface, type Interface } from "node:readline/promises";
import type { Json } from "@baton/core";
import { Keyboard } from "./keyboard.ts";
import { toOneLine } from "./printable.ts";

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

/** Asks one question at a time. */
export interface UserPrompt {
  /** Asks for a message, again if it is empty. */
  message(label: string): Promise<TextAnswer>;
  /** Asks for yes or no, and gives one of the two words of the choice; the user may also type that word. */
  decision(label: string, choice: Choice): Promise<TextAnswer>;
  /** Asks for a value; if the text is not valid, prints why and asks again. */
  value(label: string, parse: (text: string) => ParsedValue): Promise<ValueAnswer>;
  /** Drops keys while no question is open; undefined if there is no keyboard. */
  muteKeyboard(): Disposable | undefined;
}

/** The words that mean yes and no. */
export type Choice = readonly [yes: string, no: string];

const YES: readonly string[] = ["y", "yes"];
const NO: readonly string[] = ["n", "no"];

/** Asks on the terminal. */
export class TerminalPrompt implements UserPrompt {
  #history: string[] = [];

  async message(label: string): Promise<TextAnswer> {
    const lines = this.#open();
    lines.on("history", (history) => (this.#history = [...history]));
    try {
      for (;;) {
        const said = await ask(lines, label);
        if (said.kind !== "text" || said.text.trim() !== "") return said;
      }
    } finally {
      lines.close();
    }
  }

  async decision(label: string, choice: Choice): Promise<TextAnswer> {
    const lines = createInterface({ input: process.stdin, output: process.stdout, historySize: 0 });
    try {
      for (;;) {
        const said = await ask(lines, label);
        if (said.kind !== "text") return said;
        const text = toDecision(said.text, choice);
        if (text !== undefined) return { kind: "text", text };
      }
    } finally {
      lines.close();
    }
  }

  async value(label: string, parse: (text: string) => ParsedValue): Promise<ValueAnswer> {
    // With the history, arrow up brings back a text to correct.
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      for (;;) {
        const said = await ask(lines, label);
        if (said.kind !== "text") return said;
        if (said.text.trim() === "") continue;
        const answer = parse(said.text);
        if (answer.ok) return { kind: "value", value: answer.value };
        process.stdout.write(`  ${toOneLine(answer.why)}\n`);
      }
    } finally {
      lines.close();
    }
  }

  muteKeyboard(): Disposable {
    return new Keyboard();
  }

  #open(): Interface {
    return createInterface({ input: process.stdin, output: process.stdout, history: this.#history, historySize: 100 });
  }
}

/** The word of the choice that the text stands for; undefined if it is not an answer. */
export function toDecision(text: string, choice: Choice): string | undefined {
  const said = text.trim().toLowerCase();
  const [yes, no] = choice;
  if (YES.includes(said)) return yes;
  return NO.includes(said) ? no : choice.find((word) => word === said);
}

async function ask(lines: Interface, label: string): Promise<TextAnswer> {
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
  });
}
