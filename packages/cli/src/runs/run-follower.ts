/**
 * Run follower: shows the events of a run as they happen, asks the user its questions, and sends the answers.
 *
 * Questions are asked one at a time. The caller handles a pause that waits for a message.
 */
import { BatonError, type Run, type RunResult } from "@baton/core";
import { wrap } from "../terminal/paragraph.ts";
import { toPrintable } from "../terminal/printable.ts";
import { cutLine, styleLine } from "../terminal/styled-line.ts";
import { parseDecision } from "../view/approval-text.ts";
import type { UserPrompt, ValueAnswer } from "../terminal/user-prompt.ts";
import { parseResult } from "../tools/tool-result.ts";
import { Interrupts } from "./interrupts.ts";
import {
  type QuestionForm,
  questionFormOf,
  type AskedQuestion,
  questionsOf,
  toQuestionLines,
} from "../view/question-view.ts";
import type { Reporter } from "../view/reporter.ts";

/** The reporter shows events and the prompt asks the user; it is undefined if there is no terminal. */
export interface FollowerOptions {
  readonly reporter: Reporter;
  readonly prompt: UserPrompt | undefined;
  readonly width: () => number;
}

/** Shows the events of runs, each once. */
export class RunFollower {
  readonly #options: FollowerOptions;
  #seen = { run: "", seq: 0 };

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Skips the events up to this one, which were shown before. */
  skip(run: string, seq: number): void {
    this.#seen = { run, seq };
  }

  /** Follows a run to its end, or to a pause that waits for a message. */
  async follow(run: Run): Promise<RunResult> {
    return this.askQuestions(run, await this.watch(run));
  }

  /** Asks the open questions of a paused run and follows it, as long as there are any. */
  async askQuestions(run: Run, result: RunResult): Promise<RunResult> {
    const { prompt } = this.#options;
    if (prompt === undefined || result.outcome !== "paused") return result;
    const next = await this.#ask(run, result, prompt);
    return next === undefined ? result : this.follow(next);
  }

  /** Cancels a paused run, and shows its end. */
  async cancel(run: Run): Promise<RunResult> {
    const { run: cancelled } = await run.command({ type: "cancel", reason: "interrupted" });
    return this.watch(cancelled);
  }

  /** Follows a run to its next pause or end. */
  async watch(run: Run): Promise<RunResult> {
    const { reporter, prompt } = this.#options;
    using keyboard = prompt?.muteKeyboard();
    await using _interrupts = new Interrupts(run, () => {
      reporter.flush();
      keyboard?.[Symbol.dispose]();
    });
    if (this.#seen.run !== run.id) this.#seen = { run: run.id, seq: 0 };
    for await (const event of run.events({ after: this.#seen.seq })) {
      reporter.event(event);
      this.#seen.seq = event.seq;
    }
    const result = await run.result;
    reporter.flush();
    return result;
  }

  /** Asks the first question. Gives the run that continues with the answer; undefined if there was no answer. */
  async #ask(run: Run, result: RunResult, prompt: UserPrompt): Promise<Run | undefined> {
    const [question] = questionsOf(result);
    const asking = question === undefined ? undefined : questionFormOf(question);
    if (question === undefined || asking === undefined) return undefined;
    const width = this.#options.width();
    const hint = prompt.hint === undefined ? [] : [cutLine(styleLine([`  ${prompt.hint}`, "dim"]), width)];
    this.#options.reporter.print([...toQuestionLines(question, width), ...hint]);
    for (;;) {
      const answer = await readAnswer(prompt, question, asking);
      if (answer.kind === "end") return undefined;
      if (answer.kind === "interrupt") return (await run.command({ type: "cancel", reason: "interrupted" })).run;
      try {
        const { value } = answer;
        return (await run.command({ type: "answer", question: question.question, value })).run;
      } catch (error) {
        // Arguments that do not fit the tool: the question stays open.
        if (!(error instanceof BatonError) || error.code !== "invalid") throw error;
        this.#options.reporter.print(wrap(toPrintable(error.message), width - 2).map((line) => styleLine(`  ${line}`)));
      }
    }
  }
}

async function readAnswer(prompt: UserPrompt, { schema }: AskedQuestion, asking: QuestionForm): Promise<ValueAnswer> {
  if (asking.by === "json") return prompt.value(asking.label, (text) => parseResult(text, schema));
  if (asking.by === "decision") return prompt.value(asking.label, parseDecision);
  const answer = await prompt.decision(asking.label, asking.choice);
  return answer.kind === "text" ? { kind: "value", value: answer.text } : answer;
}
