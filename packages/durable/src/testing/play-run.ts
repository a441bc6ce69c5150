/**
 * Second life: a run recovered from the events of its log, and played to its end by an obliging user.
 */
import { type Crew, Engine, type Model, type Run, type RunEvent, type StartOptions } from "@baton/core";
import { MemoryLog } from "@baton/core/ports";

/** The result of a run. */
export interface PlayedRun {
  readonly events: readonly RunEvent[];
  readonly content: string;
  /** Number of model calls. */
  readonly modelCalls: number;
}

/** Plays a run from its beginning. */
export async function playRun(crew: Crew, model: Model, start: StartOptions): Promise<PlayedRun> {
  return playOut(model, "again", (counted) => {
    const engine = new Engine({ model: () => counted });
    return { engine, run: engine.start(crew, start) };
  });
}

/** A run to recover; a doubt is settled with the word, by default `again`. */
export interface RecordedRun {
  readonly events: readonly RunEvent[];
  readonly doubt?: "again" | "skip";
}

/** Plays a run from where its events end. */
export async function continueRun(
  crew: Crew,
  model: Model,
  { events, doubt = "again" }: RecordedRun,
): Promise<PlayedRun> {
  const id = events[0]?.run ?? "";
  return playOut(model, doubt, (counted) => {
    const engine = new Engine({
      model: () => counted,
      log: (clock, observer) => {
        const log = new MemoryLog(clock, observer);
        for (const event of events) log.open(id).append(event, event.lane);
        return log;
      },
    });
    return { engine, run: engine.adopt(crew, { id, events }) };
  });
}

interface Begun {
  readonly engine: Engine;
  readonly run: Run;
}

async function playOut(model: Model, doubt: string, begin: (model: Model) => Begun): Promise<PlayedRun> {
  let modelCalls = 0;
  const begun = begin({
    ...model,
    stream(prompt, scope) {
      modelCalls++;
      return model.stream(prompt, scope);
    },
  });
  await using _engine = begun.engine;
  let { run } = begun;
  for (let result = await run.result; result.outcome === "paused"; result = await run.result) {
    const [open] = result.questions;
    const value = open?.kind === "doubt" ? doubt : "allow";
    const command =
      open === undefined || open.kind === "pause"
        ? ({ type: "resume", input: "go on" } as const)
        : ({ type: "answer", question: open.question, value } as const);
    ({ run } = await run.command(command));
  }
  const { content } = await run.result;
  return { events: await Array.fromAsync(run.events()), content, modelCalls };
}
