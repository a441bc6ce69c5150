/**
 * Asker: asks the person at the terminal.
 *
 * The keyboard is listened to only while a question is open; at all other times Ctrl-C belongs to the run.
 */
import { createInterface, type Interface } from "node:readline/promises";
import { Keyboard } from "./keyboard.ts";

/** What a person did: said something, ended the input (Ctrl-D), or interrupted (Ctrl-C). */
export type Said =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "end" }
  | { readonly kind: "interrupt" };

/** Asks one thing at a time. */
export interface Asker {
  /** Asks for a message; an empty one is asked for again. */
  message(label: string): Promise<Said>;
  /** Asks for yes or no; the text is one of the choice's words, which may be typed too. */
  decision(label: string, choice: Choice): Promise<Said>;
  /** Holds the keyboard while nothing is asked; undefined where there is none. */
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

  hold(): Disposable {
    return new Keyboard();
  }

  #open(): Interface {
    return createInterface({ input: process.stdin, output: process.stdout, history: this.#history, historySize: 100 });
  }
}

/** The word of the choice that was meant; undefined where the text is no answer. */
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
