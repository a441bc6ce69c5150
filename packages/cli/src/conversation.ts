/**
 * Conversation: follows runs as they happen, and takes the user's decisions to them.
 *
 * Approvals are asked about one after the other where there is somebody to ask; a pause for a message is left to
 * the caller. Reads: asker, interrupts, keyboard, question-view, reporter. Read by: run, chat.
 */
import type { Run, RunResult } from "@baton/core";
import type { Asker } from "./asker.ts";
import { Interrupts } from "./interrupts.ts";
import { Keyboard } from "./keyboard.ts";
import { toApprovalLines } from "./question-view.ts";
import type { Reporter } from "./reporter.ts";

/** Who shows, and who is asked; nobody where there is no terminal. */
export interface ConversationOptions {
  readonly reporter: Reporter;
  readonly asker: Asker | undefined;
  readonly width: () => number;
}

const DECIDE = "  Allow it? (y/n) ";

/** Shows the events of runs, each once. */
export class Conversation {
  readonly #options: ConversationOptions;
  #seen = { run: "", seq: 0 };

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** Follows a run to its end, or to a pause that only the caller can end. */
  async follow(run: Run): Promise<RunResult> {
    const { reporter, asker } = this.#options;
    for (let life: Run | undefined = run; ;) {
      const result: RunResult = await this.#watch(life);
      reporter.settle();
      if (asker === undefined || result.outcome !== "paused") return result;
      life = await this.#decide(life, result, asker);
      if (life === undefined) return result;
    }
  }

  /** Cancels a run that waits, and shows its end. */
  async cancel(run: Run): Promise<RunResult> {
    const { run: life } = await run.command({ type: "cancel", reason: "interrupted" });
    return this.#watch(life);
  }

  async #watch(run: Run): Promise<RunResult> {
    const { reporter, asker } = this.#options;
    using keyboard = asker === undefined ? undefined : new Keyboard();
    await using _interrupts = new Interrupts(run, () => {
      reporter.settle();
      keyboard?.[Symbol.dispose]();
    });
    if (this.#seen.run !== run.id) this.#seen = { run: run.id, seq: 0 };
    for await (const event of run.events(this.#seen.seq)) {
      reporter.event(event);
      this.#seen.seq = event.seq;
    }
    return await run.outcome;
  }

  /** The life that goes on after the first question was decided; undefined where nobody decided it. */
  async #decide(run: Run, { questions }: RunResult, asker: Asker): Promise<Run | undefined> {
    const question = questions.find(({ kind }) => kind === "approval");
    if (question === undefined) return undefined;
    this.#options.reporter.note(toApprovalLines(question, this.#options.width()));
    const decision = await asker.decision(DECIDE);
    if (decision === "end") return undefined;
    const command =
      decision === "interrupt"
        ? ({ type: "cancel", reason: "interrupted" } as const)
        : ({ type: "answer", question: question.question, value: decision } as const);
    return (await run.command(command)).run;
  }
}
