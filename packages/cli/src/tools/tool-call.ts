/**
 * Tool call: calls one tool of a crew by hand. The engine makes the call as it does for an agent: it checks the
 * arguments and applies time limits, retries, threads and cancellation.
 *
 * The call belongs to a run with one agent, a program, which is not stored. Permissions are rules for agents and are
 * not checked: the user who types the command decides.
 */
import {
  type Crew,
  defineCrew,
  defineProgram,
  Engine,
  type Json,
  type Run,
  type RunEvent,
  type RunResult,
  type Tool,
} from "@baton/core";
import type { Documents, EventBodyOf, Prepared } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { EXIT_CODES } from "../exit-code.ts";
import { Interrupts } from "../runs/interrupts.ts";

/** The tool, its arguments, and a listener for events. */
export interface ToolCallRequest {
  readonly crew: Crew;
  readonly tool: Tool;
  readonly args: Json;
  /** The documents that the tool may use. */
  readonly documents: Documents;
  readonly onEvent: (event: RunEvent) => void;
  /** Answers to the tool's questions, by their names; `*` answers all others. */
  readonly answers?: Readonly<Record<string, Json>>;
}

/** The result of a call: the document to print, and the exit code. */
export interface ToolCallResult {
  readonly document: unknown;
  readonly exitCode: number;
}

const CALLER = "caller";

/** Makes the call; Ctrl-C cancels it. */
export async function callTool(request: ToolCallRequest): Promise<ToolCallResult> {
  const { crew, tool, args, documents, onEvent } = request;
  const kept = keepOutput(tool);
  const program = defineProgram(({ results }) =>
    results.length === 0 ? { call: [{ tool: tool.name, args }] } : { say: "done", end: true },
  );
  const own = defineCrew({
    name: crew.name,
    agents: [{ id: CALLER, model: { name: "code/call" }, tools: [tool.name], isTerminal: true }],
    tools: [kept.tool],
    programs: new Map([["call", program]]),
    permissions: new Map([["*", "allow"]]),
    settings: crew.settings,
  });
  await using engine = new Engine({ model: () => program, documents: () => documents });
  const run = engine.start(own, { input: `call ${tool.name}` });
  await using _interrupts = new Interrupts(run, () => undefined);
  let ended: EventBodyOf<"call.ended"> | undefined;
  let last: RunEvent | undefined;
  // The events end at each pause; an answer goes on from there.
  for (let isOpen = true; isOpen; isOpen = await answerAll(run, request.answers)) {
    for await (const event of run.events({ after: last?.seq ?? 0 })) {
      if (event.type === "call.ended") ended = event;
      last = event;
      onEvent(event);
    }
  }
  const { outcome, error, questions } = await run.result;
  if (outcome === "paused") return toUnanswered(questions);
  const isCancelled = outcome === "cancelled";
  const failure = ended === undefined || isCancelled ? (error ?? ended?.error) : ended.error;
  if (failure === undefined && ended !== undefined && !isCancelled) {
    return { document: ended.wholeChars === undefined ? ended.output : kept.whole(), exitCode: EXIT_CODES.done };
  }
  const kind = isCancelled ? "cancelled" : (failure?.kind ?? failure?.code ?? "crash");
  const message = failure?.message ?? `${tool.name} was interrupted`;
  return toFailed({ kind, message }, isCancelled ? EXIT_CODES.cancelled : EXIT_CODES.failed);
}

/** Answers the open questions; false if there are none, or if one of them has no answer. */
async function answerAll(run: Run, answers: ToolCallRequest["answers"] = {}): Promise<boolean> {
  const { outcome, questions } = await run.result;
  const found = questions.flatMap(({ question }) => {
    const name = question.slice(question.lastIndexOf("/") + 1);
    const value = Object.hasOwn(answers, name) ? answers[name] : answers["*"];
    return value === undefined ? [] : [{ question, value }];
  });
  if (outcome !== "paused" || found.length === 0 || found.length < questions.length) return false;
  for (const { question, value } of found) await run.answer(question, value);
  return true;
}

/** The questions that nobody has answered. */
function toUnanswered(questions: RunResult["questions"] = []): ToolCallResult {
  const asked = questions.map((one) => ({ ...one, name: one.question.slice(one.question.lastIndexOf("/") + 1) }));
  const message = `the tool asks; answer with --answer '{"${asked[0]?.name ?? "name"}": …}'`;
  return { document: { error: { kind: "question", message, questions: asked } }, exitCode: EXIT_CODES.paused };
}

/** A failure as it is printed. */
export function toFailed(
  error: Readonly<{ kind: string; message: string }>,
  exitCode = EXIT_CODES.failed,
): ToolCallResult {
  return { document: { error }, exitCode };
}

/** The tool without its permission hook. `whole` gives the whole output of its last run; the log truncates it at 1 MiB. */
function keepOutput({ permission: _hook, ...tool }: Tool): Readonly<{ tool: Tool; whole: () => unknown }> {
  let output: unknown;
  const bind = (prepared: Prepared): Prepared =>
    prepared.ok ? { ok: true, run: async (context) => (output = await prepared.run(context)) } : prepared;
  const prepare = (args: Json): Prepared | Promise<Prepared> => {
    const prepared = tool.prepare(args);
    return prepared instanceof Promise ? prepared.then(bind) : bind(prepared);
  };
  // A thread gives an output that is too long for the log as text.
  const whole = () => (tool.pool === undefined || typeof output !== "string" ? output : (parseJson(output) ?? output));
  return { tool: { ...tool, prepare }, whole };
}
