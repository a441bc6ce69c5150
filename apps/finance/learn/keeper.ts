/**
 * Keeper: the first program after a run: it has the turn kept, and gathers what the models are to read.
 */
import { type Decision, defineProgram, type Json, type Model, type Prompt } from "@baton/core";
import { omitUndefined, lookInto } from "@baton/core/util";
import { z } from "zod";

/** What a run receives about the run that it follows. */
const TURN = z.object({
  run: z.string(),
  session: z.string().nullish(),
  input: z.string(),
  answer: z.string().nullish(),
});

type Turn = z.output<typeof TURN>;

/** The program `keeper`. */
export function keeperProgram(): Model {
  return defineProgram((prompt) => {
    const turn = readTurn(prompt);
    if (turn === undefined) return { warnings: ["the input is not that of a run"], end: true };
    if (prompt.results.length === 0) return keep(turn);
    // The messages are read once they are kept.
    const hasRead = prompt.results.some(({ tool }) => tool === "findLessons");
    return hasRead ? handOn(prompt, turn) : read(prompt, turn);
  });
}

function readTurn({ messages }: Prompt): Turn | undefined {
  const text = messages.find(({ role }) => role === "user")?.content ?? "";
  try {
    return TURN.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const sessionOf = ({ session }: Turn) => omitUndefined({ session: session ?? undefined });

function keep(turn: Turn): Decision {
  const { run, input, answer } = turn;
  return { call: [{ tool: "keepTurn", args: { run, input, answer: answer ?? "", ...sessionOf(turn) } }] };
}

function read(prompt: Prompt, turn: Turn): Decision {
  const session = sessionOf(turn);
  return {
    call: [
      { tool: "findLessons", args: { input: turn.input, ...session } },
      ...(session.session === undefined ? [] : [{ tool: "findSummary", args: session }]),
    ],
    warnings: warningsOf(prompt),
  };
}

function handOn(prompt: Prompt, turn: Turn): Decision {
  const outputOf = (name: string): Json => prompt.results.find(({ tool }) => tool === name)?.output ?? {};
  const [lessons, due] = [outputOf("findLessons"), outputOf("findSummary")];
  const isDue = lookInto(due, "due") === true;
  return {
    set: {
      turn: { run: turn.run, said: lookInto(lessons, "said") ?? [], ...sessionOf(turn) },
      to_read: lookInto(lessons, "text") ?? "",
      ...(isDue ? { due, to_sum_up: lookInto(due, "text") ?? "" } : {}),
    },
    warnings: warningsOf(prompt),
  };
}

const warningsOf = ({ results }: Prompt): readonly string[] =>
  results.flatMap(({ tool, error }) => (error === undefined ? [] : [`${tool} failed: ${error.message}`]));
