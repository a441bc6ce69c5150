/**
 * Answered run: a run that is played to its end, from its start or from the events that a process left, with the
 * answers of a person by question.
 */
import { type Crew, Engine, type Json, type Model, type RunEvent, type RunResult } from "@baton/core";
import { MemoryLog } from "@baton/core/ports";

/** Answers by question; a doubt is answered with `again`. */
export type Answers = Readonly<Record<string, Json>>;

/** Beginning and answers of a run. */
export interface AnsweredRunOptions {
  readonly model: () => Model;
  readonly answers: Answers;
  /** The log that it continues. */
  readonly events?: readonly RunEvent[];
}

/** Plays a run to its end, or to a question without an answer. */
export async function playAnswered(
  crew: Crew,
  { model, answers, events = [] }: AnsweredRunOptions,
): Promise<RunResult & { readonly events: readonly RunEvent[] }> {
  const id = events[0]?.run ?? "r";
  const made = model();
  await using engine = new Engine({
    model: () => made,
    log: (clock, observer) => {
      const log = new MemoryLog(clock, observer);
      for (const event of events) log.open(id).append(event, event.lane);
      return log;
    },
  });
  const run = events.length === 0 ? engine.start(crew, { input: "go", id }) : engine.adopt(crew, { id, events });
  for (;;) {
    const result = await run.result;
    const open = result.questions.find(({ question, kind }) => kind === "doubt" || Object.hasOwn(answers, question));
    if (result.outcome !== "paused" || open === undefined) {
      return { ...result, events: await Array.fromAsync(run.events({ until: "pause" })) };
    }
    await run.answer(open.question, open.kind === "doubt" ? "again" : (answers[open.question] ?? null));
  }
}
