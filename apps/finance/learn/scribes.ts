/**
 * Scribes: the programs that keep what learner and summariser gave, and what stands in for both without a model.
 */
import { type Decision, defineProgram, type Json, type Model, type Prompt } from "@baton/core";
import { lookInto, parseJson } from "@baton/core/util";
import { z } from "zod";
import { toText } from "./material.ts";

const STATEMENTS = z.object({
  statements: z.array(z.object({ text: z.string().min(3).max(200), category: z.string() })).max(20),
});
const DUE = z.object({ version: z.int(), from: z.int(), to: z.int(), extract: z.string() });
const TURN = z.object({ run: z.string(), input: z.string(), session: z.string().optional() });

/** The program `recorder`: keeps what was read, then hands on if a summary is due. */
export function recorderProgram(): Model {
  return defineProgram((prompt) => {
    const { values, results } = prompt;
    const turn = TURN.safeParse(values.get("turn")).data;
    const statements = readStatements(values.get("learner_reply"));
    const hasSaved = results.some(({ tool }) => tool === "saveLearned");
    if (turn !== undefined && statements.length > 0 && !hasSaved) {
      return { call: [{ tool: "saveLearned", args: { run: turn.run, input: turn.input, statements } }] };
    }
    return { output: { route: values.has("due") ? "summariser" : "end" } };
  });
}

/** The program `filer`: keeps the summary that the model wrote or, without one, the one by rules. */
export function filerProgram(): Model {
  return defineProgram(({ values, results }) => {
    const due = DUE.safeParse(values.get("due")).data;
    const session = TURN.safeParse(values.get("turn")).data?.session;
    if (due === undefined || session === undefined || results.length > 0) return { end: true };
    const { version, from, to, extract } = due;
    const written = toText(values.get("summariser_reply")).trim();
    const text = written === "" ? extract : written;
    return { call: [{ tool: "saveSummary", args: { session, version, from, to, text } }] };
  });
}

/** What stands in for learner and summariser: nothing is read, and the summary is the one by rules. */
export function offlineReply({ agent, values }: Prompt): Decision {
  if (agent === "learner") return { output: { statements: [] } };
  return { say: toText(lookInto(values.get("due") ?? {}, "extract")) };
}

/** What the learner gave, as data or as JSON text, also inside a code fence. */
function readStatements(reply: Json | undefined): Json[] {
  const text = toText(reply);
  const from = text.indexOf("{");
  const parsed = parseJson(from === -1 ? "" : text.slice(from, text.lastIndexOf("}") + 1));
  const read = STATEMENTS.safeParse(parsed).data?.statements ?? [];
  return read.map(({ text: said, category }) => ({
    text: said,
    category: CATEGORIES.has(category) ? category : "other",
  }));
}

const CATEGORIES: ReadonlySet<string> = new Set(["preference", "fact", "goal", "skill", "context", "other"]);
