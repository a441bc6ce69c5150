/**
 * Conversation: a crew on a store with played tools, and a user who writes and answers until one of them is done.
 */
import type { Agent, Crew, Json, Model, Run, RunEvent, RunResult } from "@baton/core";
import { DurableEngine } from "@baton/durable";
import { toGuard } from "@baton/policy";
import { readAll, type Store } from "@baton/store";
import { type Doubles, type LiveTools, withDoubles } from "./doubles.ts";

/** Gives an agent its model. */
export type TrialModel = (agent: Agent, crew: Crew) => Model;

/** Options of a conversation. */
export interface ConversationOptions {
  readonly crew: Crew;
  readonly store: Store;
  readonly model: TrialModel;
  readonly replaceProgram?: (agent: Agent) => Model | undefined;
  readonly tools: Doubles;
  readonly answers: Readonly<Record<string, Json>>;
  readonly live?: LiveTools | undefined;
  readonly user?: string | undefined;
  readonly options?: Json | undefined;
  /** Money that each run may spend. */
  readonly maxUsd?: number | undefined;
  /** The user's next message, after what was said; undefined if there is none. */
  readonly next: (heard: string) => string | undefined | Promise<string | undefined>;
  /** Runs that follow each other share it. */
  readonly session?: string | undefined;
}

/** A conversation that was played: its log, and what it lacked. */
export type PlayedCase = Readonly<{ run: string; events: readonly RunEvent[]; missing: readonly string[] }>;

/** Plays a conversation; each run after the first continues its session. */
export async function playConversation(talk: ConversationOptions): Promise<PlayedCase> {
  const { store, model, replaceProgram, tools, next, user, options, session, maxUsd } = talk;
  // What runs after an answer is not part of it, and its cost would not be counted.
  const { after: _, ...alone } = talk.crew;
  const { crew, missing } = withDoubles(alone, { doubles: tools, live: talk.live });
  const replace = replaceProgram === undefined ? {} : { replaceProgram };
  await using engine = new DurableEngine({ store, crews: [crew], model, ...replace, guardOf: toGuard });
  const own = {
    ...(user !== undefined && { user }),
    ...(session !== undefined && { session }),
    ...(maxUsd !== undefined && { limits: { maxUsd } }),
    ...(options !== undefined && { options }),
  };
  const events: RunEvent[] = [];
  let [run, heard] = ["", ""];
  for (let input = await next(heard); input !== undefined; input = await next(heard)) {
    const handle = await engine.start(crew, { input, ...own });
    run = handle.id;
    const result = await converse(handle, engine, talk);
    heard = result.content;
    events.push(...(await readAll(store.database, run)));
    if (result.outcome === "paused") break;
  }
  return { run, events, missing };
}

/** Answers what there is an answer for, until the run ends or waits for something else. */
async function converse(first: Run, engine: DurableEngine, { answers, next }: ConversationOptions): Promise<RunResult> {
  let run = first;
  let result = await run.result;
  while (result.outcome === "paused") {
    const open = result.questions.find(
      ({ tool, kind }) =>
        (kind === "approval" || kind === "tool" || kind === "input") && Object.hasOwn(answers, tool ?? ""),
    );
    if (open !== undefined) {
      const { question, who } = open;
      const value = answers[open.tool ?? ""] ?? null;
      ({ run } = await engine.command(run.id, {
        type: "answer",
        question,
        value,
        ...(who !== undefined && { as: who }),
      }));
    } else {
      const waits =
        result.questions.length === 0 || result.questions.some(({ kind }) => kind === "message" || kind === "pause");
      const input = waits ? await next(result.content) : undefined;
      if (input === undefined) return result;
      ({ run } = await engine.command(run.id, { type: "resume", input }));
    }
    result = await run.result;
  }
  return result;
}
