/**
 * Asker: asks the person at the terminal.
 *
 * The keyboard is listened to only while a question is open; at all other times Ctrl-C belongs to the run.
 * Reads nothing. Read by: commands, conversation.
 */
import { createInterface, type Interface } from "node:readline/promises";

/** What a person did: said something, ended the input (Ctrl-D), or interrupted (Ctrl-C). */
export type Said =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "end" }
  | { readonly kind: "interrupt" };

/** Asks one thing at a time. */
export interface Asker {
  /** Asks for a message; an empty one is asked for again. */
  message(label: string): Promise<Said>;
  /** Asks for yes or no. */
  decision(label: string): Promise<"allow" | "deny" | Exclude<Said["kind"], "text">>;
}

const DECISIONS: ReadonlyMap<string, "allow" | "deny"> = new Map([
  ["y", "allow"],
  ["yes", "allow"],
  ["allow", "allow"],
  ["n", "deny"],
  ["no", "deny"],
  ["deny", "deny"],
]);

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

  async decision(label: string): Promise<"allow" | "deny" | "end" | "interrupt"> {
    const lines = createInterface({ input: process.stdin, output: process.stdout, historySize: 0 });
    try {
      for (;;) {
        const said = await ask(lines, label);
        if (said.kind !== "text") return said.kind;
        const decision = DECISIONS.get(said.text.trim().toLowerCase());
        if (decision !== undefined) return decision;
      }
    } finally {
      lines.close();
    }
  }

  #open(): Interface {
    return createInterface({ input: process.stdin, output: process.stdout, history: this.#history, historySize: 100 });
  }
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
