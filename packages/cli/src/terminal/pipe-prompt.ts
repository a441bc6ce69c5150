/**
 * Pipe asker: takes what is asked for from the lines of standard input, one after the other.
 *
 * No line is dropped silently: one that is not an answer is reported on standard error, and the next is read.
 */
import { createInterface } from "node:readline/promises";
import { type Asker, type Choice, type Heard, type Read, type Said, toDecision } from "./user-prompt.ts";
import { toOneLine } from "./printable.ts";

/** The line that ends a conversation, at a question too. */
export const QUIT = "/quit";

/** Reads answers from standard input; labels are not shown, because nobody is there to read them. */
export class PipeAsker implements Asker {
  readonly #lines = linesOfStdin();

  async message(): Promise<Said> {
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done === true) return { kind: "end" };
      if (value.trim() !== "") return { kind: "text", text: value };
    }
  }

  async decision(_label: string, choice: Choice): Promise<Said> {
    for (;;) {
      const said = await this.message();
      if (said.kind !== "text" || said.text.trim() === QUIT) return { kind: "end" };
      const text = toDecision(said.text, choice);
      if (text !== undefined) return { kind: "text", text };
      process.stderr.write(`baton: "${toOneLine(said.text)}" is not an answer here; write ${choice.join(" or ")}\n`);
    }
  }

  async value(_label: string, read: (text: string) => Read): Promise<Heard> {
    for (;;) {
      const said = await this.message();
      if (said.kind !== "text" || said.text.trim() === QUIT) return { kind: "end" };
      const answer = read(said.text);
      if (answer.ok) return { kind: "value", value: answer.value };
      process.stderr.write(`baton: ${toOneLine(answer.why)}\n`);
    }
  }

  hold(): undefined {
    return undefined;
  }
}

async function* linesOfStdin(): AsyncGenerator<string, undefined> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const line of lines) yield line;
}
