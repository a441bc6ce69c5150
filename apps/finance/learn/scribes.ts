/**
 * Scribes: the programs that keep what learner and summariser gave, and what stands in for both without a model.
 */
import { LEARNED } from "@baton/assistant";
import { type Decision, defineProgram, type Json, type Model, type Prompt } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import { toText } from "./material.ts";

const DUE = z.object({ version: z.int(), from: z.int(), to: z.int() });
const TURN = z.object({ run: z.string(), said: z.array(z.string()), session: z.string().optional() });

/** The program `recorder`: keeps what was read, then hands on if a summary is due. */
export function recorderProgram(): Model {
  return defineProgram((prompt) => {
    const { values, results } = prompt;
    const turn = TURN.safeParse(values.get("turn")).data;
    const learned = readLearned(values.get("learner_reply"));
    const hasSaved = results.some(({ tool }) => tool === "saveLearned");
    if (turn !== undefined && learned !== undefined && !hasSaved) {
      return { call: [{ tool: "saveLearned", args: { run: turn.run, said: turn.said, learned } }] };
    }
    return { output: { route: values.has("due") ? "summariser" : "end" } };
  });
}

/** The program `filer`: keeps the summary that the model wrote; without one there is none. */
export function filerProgram(): Model {
  return defineProgram(({ values, results }) => {
    const due = DUE.safeParse(values.get("due")).data;
    const session = TURN.safeParse(values.get("turn")).data?.session;
    const text = toText(values.get("summariser_reply")).trim();
    if (due === undefined || session === undefined || text === "" || results.length > 0) return { end: true };
    return { call: [{ tool: "saveSummary", args: { session, ...due, text } }] };
  });
}

/** What stands in for learner and summariser without a model: nothing is learned, and nothing is summed up. */
export function offlineReply({ agent }: Prompt): Decision {
  return agent === "learner" ? { output: { statements: [], forget: [] } } : { end: true };
}

/** What the learner gave, as data or as JSON text, also inside a code fence; undefined if there is nothing to keep. */
function readLearned(reply: Json | undefined): Json | undefined {
  const text = toText(reply);
  const from = text.indexOf("{");
  const read = LEARNED.safeParse(parseJson(from === -1 ? "" : text.slice(from, text.lastIndexOf("}") + 1))).data;
  if (read === undefined || read.statements.length + read.forget.length === 0) return undefined;
  return z.json().parse(read);
}
