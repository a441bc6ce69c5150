/**
 * Pipe prompt: reads messages and answers from the lines of standard input.
 *
 * A line that is not a valid answer is reported on standard error, and the next line is read.
 */
import { createInterface } from "node:readline/promises";
import {
  type UserPrompt,
  type DecisionWords,
  type ValueAnswer,
  type ParsedValue,
  type TextAnswer,
  isQuit,
  toDecision,
} from "./user-prompt.ts";
import { toOneLine } from "./printable.ts";

/** Reads answers from standard input, and shows no labels. */
export class PipePrompt implements UserPrompt {
  readonly hint = undefined;
  readonly #lines = linesOfStdin();

  async message(): Promise<TextAnswer> {
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done === true) return { kind: "end" };
      if (value.trim() !== "") return { kind: "text", text: value };
    }
  }

  async decision(_label: string, choice: DecisionWords): Promise<TextAnswer> {
    for (;;) {
      const said = await this.message();
      if (said.kind !== "text" || isQuit(said.text)) return { kind: "end" };
      const text = toDecision(said.text, choice);
      if (text !== undefined) return { kind: "text", text };
      process.stderr.write(`baton: "${toOneLine(said.text)}" is not an answer here; write ${choice.join(" or ")}\n`);
    }
  }

  async value(_label: string, parse: (text: string) => ParsedValue): Promise<ValueAnswer> {
    for (;;) {
      const said = await this.message();
      if (said.kind !== "text" || isQuit(said.text)) return { kind: "end" };
      const answer = parse(said.text);
      if (answer.ok) return { kind: "value", value: answer.value };
      process.stderr.write(`baton: ${toOneLine(answer.why)}\n`);
    }
  }

  muteKeyboard(): undefined {
    return undefined;
  }
}

async function* linesOfStdin(): AsyncGenerator<string, undefined> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const line of lines) yield line;
}
