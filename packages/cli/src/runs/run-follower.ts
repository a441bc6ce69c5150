/**
 * Conversation: follows runs as they happen, and brings them the user's decisions and results.
 *
 * Questions are asked one after the other if there is somebody to ask; a pause for a message is left to the caller.
 */
import type { Run, RunResult } from "@baton/core";
import type { Asker, Heard } from "../terminal/user-prompt.ts";
import { parseResult } from "../tools/tool-result.ts";
import { Interrupts } from "./interrupts.ts";
import { type Asking, askingOf, type Question, questionsOf, toQuestionLines } from "../view/question-view.ts";
import type { Reporter } from "../view/reporter.ts";

/** Who shows, and who is asked; undefined if nobody is. */
export interface ConversationOptions {
  readonly reporter: Reporter;
  readonly asker: Asker | undefined;
  readonly width: () => number;
}

/** Shows the events of runs, each once. */
export class Conversation {
  readonly #options: ConversationOptions;
  #seen = { run: "", seq: 0 };

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** Shows a run from here on: the events up to this one were shown before. */
  skip(run: string, seq: number): void {
    this.#seen = { run, seq };
  }

  /** Follows a run to its end, or to a pause that only the caller can end. */
  async follow(run: Run): Promise<RunResult> {
    return this.decide(run, await this.watch(run));
  }

  /** Asks what a run waits to be told, and follows it, as long as there is something to ask. */
  async decide(run: Run, result: RunResult): Promise<RunResult> {
    const { asker } = this.#options;
    if (asker === undefined || result.outcome !== "paused") return result;
    const next = await this.#ask(run, result, asker);
    return next === undefined ? result : this.follow(next);
  }

  /** Cancels a run that waits, and shows its end. */
  async cancel(run: Run): Promise<RunResult> {
    const { run: cancelled } = await run.command({ type: "cancel", reason: "interrupted" });
    return this.watch(cancelled);
  }

  /** Follows a run to its next pause or end. */
  async watch(run: Run): Promise<RunResult> {
    const { reporter, asker } = this.#options;
    using keyboard = asker?.hold();
    await using _interrupts = new Interrupts(run, () => {
      reporter.settle();
      keyboard?.[Symbol.dispose]();
    });
    if (this.#seen.run !== run.id) this.#seen = { run: run.id, seq: 0 };
    for await (const event of run.events({ after: this.#seen.seq })) {
      reporter.event(event);
      this.#seen.seq = event.seq;
    }
    const result = await run.result;
    reporter.settle();
    return result;
  }

  /** The run that goes on after the first question was answered; undefined if nobody answered it. */
  async #ask(run: Run, result: RunResult, asker: Asker): Promise<Run | undefined> {
    const [question] = questionsOf(result);
    const asking = question === undefined ? undefined : askingOf(question);
    if (question === undefined || asking === undefined) return undefined;
    this.#options.reporter.note(toQuestionLines(question, this.#options.width()));
    const heard = await hear(asker, question, asking);
    if (heard.kind === "end") return undefined;
    const command =
      heard.kind === "interrupt"
        ? ({ type: "cancel", reason: "interrupted" } as const)
        : ({ type: "answer", question: question.question, value: heard.value } as const);
    return (await run.command(command)).run;
  }
}

async function hear(asker: Asker, { schema }: Question, asking: Asking): Promise<Heard> {
  if (asking.by === "json") return asker.value(asking.label, (text) => parseResult(text, schema));
  const said = await asker.decision(asking.label, asking.choice);
  return said.kind === "text" ? { kind: "value", value: said.text } : said;
}
