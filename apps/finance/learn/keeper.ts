/**
 * Keeper: the first program after a run: it has the turn kept, learned from and counted, then says what is left to do.
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
  tools: z.array(z.object({ tool: z.string(), ok: z.number(), failed: z.number(), ms: z.number() })).default([]),
});

type Turn = z.output<typeof TURN>;

/** Tools that every question uses say nothing of the kind of question. */
const EVERYDAY: ReadonlySet<string> = new Set([
  "saveWorking",
  "saveCompaction",
  "tool_search",
  "createPlan",
  "updatePlan",
]);
const isTelling = (tool: string): boolean => !tool.startsWith("load") && !EVERYDAY.has(tool);

/** The program `keeper`. */
export function keeperProgram(): Model {
  return defineProgram((prompt) => {
    const turn = readTurn(prompt);
    if (turn === undefined)
      return { output: { route: "end" }, warnings: ["the input is not that of a run"], end: true };
    if (prompt.results.length === 0) return begin(turn);
    if (prompt.results.some(({ tool }) => tool === "findSummary")) return decide(prompt, turn);
    const unread = valueOf(prompt, "learnTurn", "unread") ?? [];
    const { session } = turn;
    if (typeof session !== "string") return decide(prompt, turn, unread);
    return { call: [{ tool: "findSummary", args: { session } }], state: { unread }, warnings: warningsOf(prompt) };
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

function begin({ run, session, input, answer, tools }: Turn): Decision {
  const used = tools.filter(({ tool }) => isTelling(tool));
  return {
    call: [
      {
        tool: "keepTurn",
        args: { run, input, answer: answer ?? "", ...omitUndefined({ session: session ?? undefined }) },
      },
      { tool: "learnTurn", args: { run, input } },
      { tool: "countTools", args: { run, input, tools: used } },
    ],
  };
}

function decide(prompt: Prompt, turn: Turn, found?: Json): Decision {
  const unread = found ?? lookInto(prompt.state ?? {}, "unread") ?? [];
  const due = prompt.results.find(({ tool }) => tool === "findSummary")?.output ?? {};
  const isDue = lookInto(due, "due") === true;
  const hasUnread = Array.isArray(unread) && unread.length > 0;
  const route = hasUnread ? "learner" : isDue ? "summariser" : "end";
  return {
    output: { route },
    set: {
      turn: { run: turn.run, input: turn.input, ...omitUndefined({ session: turn.session ?? undefined }) },
      unread: hasUnread ? unread.map(String).join("\n") : "",
      ...(isDue ? { due, to_sum_up: lookInto(due, "text") ?? "" } : {}),
    },
    warnings: warningsOf(prompt),
  };
}

const valueOf = ({ results }: Prompt, tool: string, field: string): Json | undefined => {
  const output = results.find((result) => result.tool === tool)?.output;
  return output === undefined ? undefined : lookInto(output, field);
};

const warningsOf = ({ results }: Prompt): readonly string[] =>
  results.flatMap(({ tool, error }) => (error === undefined ? [] : [`${tool} failed: ${error.message}`]));
