/**
 * To case: a recorded run as a case: the user's turns and answers, replies as a script, results as doubles. It passes at
 * once, with no model.
 */
import type { Json, RunEvent } from "@baton/core";
import { toCrewPath } from "@baton/core/engine";
import { LOCAL } from "@baton/store";
import type { ToolDouble } from "./eval-case.ts";
import { toScoredRun } from "./scored-run.ts";

type Fields = Record<string, Json>;

/** The case of a run, as data for a YAML file. */
export function toCase(id: string, events: readonly RunEvent[]): Readonly<Record<string, unknown>> {
  const [first] = events;
  if (first?.type !== "run.started") throw new Error("the log has no beginning");
  const scored = toScoredRun(events);
  const messages = toUserTexts(events);
  const said: Fields = messages.length === 1 ? { input: first.input } : { messages };
  const { outcome, route, calls } = scored;
  const made = calls.map(({ tool, args }): Json => ({ tool, args }));
  return {
    id,
    ...said,
    ...(first.options === undefined ? {} : { options: first.options }),
    ...(first.user === undefined || first.user === LOCAL.user ? {} : { user: first.user }),
    script: toScript(events),
    ...withoutEmpty({ tools: toDoubles(events), answers: toAnswers(events) }),
    checks: {
      outcome,
      ...(route.length === 0 ? {} : { route }),
      ...(made.length === 0 ? {} : { calls_exactly: made }),
    },
  };
}

const withoutEmpty = (fields: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0));

/** Texts of the user in a run: its input, and what resumed it or answered a question for a message. */
export function toUserTexts(events: readonly RunEvent[]): readonly string[] {
  const asked = new Set(
    events.flatMap((event) =>
      event.type === "question.opened" && (event.kind === "message" || event.kind === "pause") ? event.question : [],
    ),
  );
  return events.flatMap((event) => {
    if (event.type === "run.started") return event.input;
    if (event.type === "run.resumed") return event.input ?? [];
    const isMessage = event.type === "question.answered" && asked.has(event.question);
    return isMessage && typeof event.value === "string" ? event.value : [];
  });
}

/** Whether a step is that of an agent that is code; `code/offline` stands for a model and is asked like one. */
const isOwnProgram = (model: string): boolean => model.startsWith("code/") && model !== "code/offline";

/** The replies of models, by agent, in the order of the log; programs run as they are. */
export function toScript(events: readonly RunEvent[]): Readonly<Record<string, readonly ScriptedReply[]>> {
  const replies = new Map<string, ScriptedReply[]>();
  const toPlace = ({ run, step }: Readonly<{ run: string; step: string }>) => `${run} ${step}`;
  const programs = new Set(
    events.flatMap((event) => (event.type === "step.started" && isOwnProgram(event.model) ? toPlace(event) : [])),
  );
  for (const event of events) {
    if (event.type !== "step.ended" || programs.has(toPlace(event))) continue;
    const name = toCrewPath(event.lane) + event.agent;
    const own = replies.get(name) ?? [];
    const calls = event.calls.map(({ tool, args }) => ({ tool, args }));
    const entry: ScriptedReply =
      event.error === undefined
        ? {
            ...(event.text !== "" && { say: event.text }),
            ...(calls.length > 0 && { call: calls }),
            ...(event.end && { end: true }),
          }
        : { fail: event.error.message };
    replies.set(name, [...own, ...(Object.keys(entry).length === 0 ? [] : [entry])]);
  }
  return Object.fromEntries(replies);
}

/** A reply as a script has it. */
export type ScriptedReply = Readonly<{
  say?: string;
  call?: readonly Readonly<{ tool: string; args: Json }>[];
  end?: true;
  fail?: string;
}>;

/** Results of calls as doubles, by tool. */
export function toDoubles(events: readonly RunEvent[]): Readonly<Record<string, readonly ToolDouble[]>> {
  const args = new Map<string, Json>();
  const doubles = new Map<string, ToolDouble[]>();
  for (const event of events) {
    if (event.type === "call.started" && event.via === undefined) args.set(event.call, event.args);
    if (event.type !== "call.ended" || event.attempts === 0 || !args.has(event.call)) continue;
    const result = event.error === undefined ? { output: event.output ?? null } : { error: event.error.message };
    doubles.set(event.tool, [...(doubles.get(event.tool) ?? []), { args: args.get(event.call) ?? null, ...result }]);
  }
  return Object.fromEntries(doubles);
}

/** Answers by tool: the first that was given. */
export function toAnswers(events: readonly RunEvent[]): Fields {
  const asked = new Map(
    events.flatMap((event) =>
      event.type === "question.opened" && event.tool !== undefined ? [[event.question, event.tool] as const] : [],
    ),
  );
  const answers = new Map<string, Json>();
  for (const event of events) {
    const tool = event.type === "question.answered" ? asked.get(event.question) : undefined;
    if (tool !== undefined && event.type === "question.answered" && !answers.has(tool)) answers.set(tool, event.value);
  }
  return Object.fromEntries(answers);
}
