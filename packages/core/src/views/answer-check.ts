/**
 * Answer check: every way in which an answer does not fit its question.
 *
 * Arguments that a person gives for a call are checked by the tool itself, as the model's are.
 */
import { prepare } from "./call-check.ts";
import type { Crew } from "../definitions/definition.ts";
import type { RequestTool, RunEvent } from "../words/event.ts";
import type { OpenQuestion } from "../words/fold.ts";
import { isFields, isList, type Json } from "../words/json.ts";
import { toTools } from "./plan.ts";
import { toCrewPath } from "../words/position.ts";
import { checkJson } from "../words/schema/json-schema.ts";
import type { Issue } from "../words/schema/schema.ts";
import { toClientTool, toolsFor } from "../definitions/request-tool.ts";
import type { Tool } from "../definitions/tool.ts";
import { type CallOutputs, withVectors } from "../ports/vector-arguments.ts";

/** The run's crew and its log, which is read only if it is needed. */
export type AnswerPlace = Readonly<{ crew: Crew; events: () => readonly RunEvent[] | Promise<readonly RunEvent[]> }>;

/** Issues of an answer; a promise only if a tool's validator needs time. */
export type AnswerIssues = readonly Issue[] | Promise<readonly Issue[]>;

/** Lists what is wrong with an answer; empty if it fits. */
export function checkAnswer(place: AnswerPlace, question: OpenQuestion, value: Json): AnswerIssues {
  const { kind, schema } = question;
  const forms: Json | undefined = schema["anyOf"];
  // Approvals of older logs take two words.
  if (kind !== "approval" || !isList(forms)) return checkJson(schema, value);
  const [words = {}, denial = {}] = forms;
  if (!isFields(value)) return checkJson(words, value);
  const { decision, args } = value;
  if (decision === "deny") return checkJson(denial, value);
  if (decision !== "edit") return [{ path: "decision", message: 'must be one of "deny", "edit"' }];
  const others = Object.keys(value).filter((name) => name !== "decision" && name !== "args");
  const wrong = others.map((name): Issue => ({ path: name, message: "is not allowed" }));
  if (args === undefined) return [...wrong, { path: "args", message: "is missing" }];
  const issues = checkArgs(place, question, args);
  return issues instanceof Promise ? issues.then((found) => [...wrong, ...found]) : [...wrong, ...issues];
}

function checkArgs(place: AnswerPlace, question: OpenQuestion, args: Json): AnswerIssues {
  const tool = findTool(place.crew, question, []);
  const prepared = tool === undefined ? undefined : prepare(tool, args);
  const isFit = prepared !== undefined && !(prepared instanceof Promise) && prepared.ok;
  return isFit ? [] : checkByLog(place, question, args);
}

/** Few arguments name a vector, and few tools come with a request: both are in the log. */
async function checkByLog(place: AnswerPlace, question: OpenQuestion, args: Json): Promise<readonly Issue[]> {
  const events = await place.events();
  const [started] = events;
  const brought = started?.type === "run.started" ? (started.tools ?? []) : [];
  const tool = findTool(place.crew, question, brought);
  if (tool === undefined) return [{ path: "args", message: `there is no tool ${question.tool} any more` }];
  const first = await prepare(tool, args);
  const last = first.ok ? first : await prepare(tool, await withVectors(args, toOutputs(question.run, events)));
  if (last.ok) return [];
  return last.issues.map(({ path, message }) => ({ path: path === "" ? "args" : `args.${path}`, message }));
}

function toOutputs(run: string, events: readonly RunEvent[]): CallOutputs {
  const find = (call: string) => events.find((event) => event.type === "call.ended" && event.call === call);
  const outputOf = (call: string): Json | undefined => {
    const ended = find(call);
    return ended?.type === "call.ended" ? ended.output : undefined;
  };
  return { run, has: (call) => outputOf(call) !== undefined, outputOf: async (call) => outputOf(call) };
}

/** The tool that a question is about, of the agent that asks, in the crew of its lane. */
function findTool(
  root: Crew,
  { lane, agent: id, tool: name = "" }: OpenQuestion,
  brought: readonly RequestTool[],
): Tool | undefined {
  let crew: Crew | undefined = root;
  for (const sub of toCrewPath(lane, root).split("/").slice(0, -1)) crew = crew?.subCrews.get(sub);
  const agent = crew?.agents.get(id);
  if (crew === undefined || agent === undefined) return undefined;
  const client = toolsFor(agent, brought).find((tool) => tool.name === name);
  return toTools(agent, crew).get(name) ?? (client && toClientTool(client));
}
