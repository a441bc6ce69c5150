/**
 * Tool call: calls one tool of a crew by hand. The engine makes the call as it does for an agent: it checks the
 * arguments and applies time limits, retries, threads and cancellation.
 *
 * The call belongs to a run with one agent, a program, which is not stored. Permissions are rules for agents and are
 * not checked: the user who types the command decides.
 */
import { type Crew, defineCrew, defineProgram, Engine, type Json, type RunEvent, type Tool } from "@baton/core";
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
}

/** The result of a call: the document to print, and the exit code. */
export interface ToolCallResult {
  readonly document: unknown;
  readonly exitCode: number;
}

const CALLER = "caller";

/** Makes the call; Ctrl-C cancels it. */
export async function callTool({ crew, tool, args, documents, onEvent }: ToolCallRequest): Promise<ToolCallResult> {
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
  for await (const event of run.events()) {
    if (event.type === "call.ended") ended = event;
    onEvent(event);
  }
  const { outcome, error } = await run.result;
  const isCancelled = outcome === "cancelled";
  const failure = ended === undefined || isCancelled ? (error ?? ended?.error) : ended.error;
  if (failure === undefined && ended !== undefined && !isCancelled) {
    return { document: ended.wholeChars === undefined ? ended.output : kept.whole(), exitCode: EXIT_CODES.done };
  }
  const kind = isCancelled ? "cancelled" : (failure?.kind ?? failure?.code ?? "crash");
  const message = failure?.message ?? `${tool.name} was interrupted`;
  return toFailed({ kind, message }, isCancelled ? EXIT_CODES.cancelled : EXIT_CODES.failed);
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
