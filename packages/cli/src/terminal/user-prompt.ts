/**
 * Asker: asks the person at the terminal.
 *
 * The keyboard is listened to only while a question is open; at all other times Ctrl-C belongs to the run.
 */
import { createInterface, type Interface } from "node:readline/promises";
import type { Json } from "@baton/core";
import { Keyboard } from "./keyboard.ts";
import { toOneLine } from "./printable.ts";

/** A person gave no answer: they ended the input (Ctrl-D), or interrupted (Ctrl-C). */
export type Left = { readonly kind: "end" } | { readonly kind: "interrupt" };

/** What a person did: said something, or left. */
export type Said = { readonly kind: "text"; readonly text: string } | Left;

/** The same, with what the text means. */
export type Heard = { readonly kind: "value"; readonly value: Json } | Left;

/** What a text means, or what is wrong with it. */
export type Read = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly why: string };

/** Asks one thing at a time. */
export interface Asker {
  /** Asks for a message; an empty one is asked for again. */
  message(label: string): Promise<Said>;
  /** Asks for yes or no; the text is one of the choice's words, which may be typed too. */
  decision(label: string, choice: Choice): Promise<Said>;
  /** Asks for a value; if the text cannot be read, says why and asks again. */
  value(label: string, read: (text: string) => Read): Promise<Heard>;
  /** Holds the keyboard while nothing is asked; undefined if there is no keyboard. */
  hold(): Disposable | undefined;
}

/** The words for yes and for no. */
export type Choice = readonly [yes: string, no: string];

const YES: readonly string[] = ["y", "yes"];
const NO: readonly string[] = ["n", "no"];

/** Asks on standard input and output, which are a terminal. */
export class TerminalAsker implements Asker {
  #history: string[] = [];

  async message(label: string): Promise<Said> {
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

  async decision(label: string, choice: Choice): Promise<Said> {
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

  async value(label: string, read: (text: string) => Read): Promise<Heard> {
    // Arrow up brings a text back that has to be corrected.
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      for (;;) {
        const said = await ask(lines, label);
        if (said.kind !== "text") return said;
        if (said.text.trim() === "") continue;
        const answer = read(said.text);
        if (answer.ok) return { kind: "value", value: answer.value };
        process.stdout.write(`  ${toOneLine(answer.why)}\n`);
      }
    } finally {
      lines.close();
    }
  }

  hold(): Disposable {
    return new Keyboard();
  }

  #open(): Interface {
    return createInterface({ input: process.stdin, output: process.stdout, history: this.#history, historySize: 100 });
  }
}

/** The word of the choice that was meant; undefined if the text is not an answer. */
export function toDecision(text: string, choice: Choice): string | undefined {
  const said = text.trim().toLowerCase();
  const [yes, no] = choice;
  if (YES.includes(said)) return yes;
  return NO.includes(said) ? no : choice.find((word) => word === said);
}

async function ask(lines: Interface, label: string): Promise<Said> {
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
