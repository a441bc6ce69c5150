/**
 * Crew call: one `tools/call`, from its arguments or its answers to a result, to questions or to a task.
 */
import type { Json, RunResult } from "@baton/core";
import type { MountedRun, MountedRunView, MountRequest } from "@baton/server/mount";
import {
  type CallToolResult,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type ExposedCrew, toRunRequest } from "./exposed-crew.ts";
import { answerOpen, findAskable, keyQuestions, type Shows, toInputRequests } from "./elicitation.ts";
import { TASKS, toTask, toToolResult, toUnanswerable } from "./run-answer.ts";

/** State that a client brings back with its answers. */
export type PausedCall = Readonly<{ run: string; crew: string; questions: readonly string[] }>;

/** One call and what is known of its client. */
export interface CrewCall {
  readonly request: MountRequest;
  readonly context: ServerContext;
  readonly tool: ExposedCrew;
  readonly args: Readonly<Record<string, Json>>;
  readonly states: RequestStateCodec<PausedCall>;
  readonly shows: Shows;
  /** Whether the client polls tasks. */
  readonly hasTasks: boolean;
  readonly ttlMs: number;
  /** Address of the console's page of runs, if there is one. */
  readonly page: string | undefined;
}

/** Time after which a call becomes a task. */
const AUTO_MS = 10_000;

/** Carries out a call. */
export async function callCrew(call: CrewCall): Promise<CallToolResult | InputRequiredResult> {
  const { request, tool, hasTasks } = call;
  const task = tool.served.expose?.task ?? "auto";
  if (task === "required" && !hasTasks)
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
  const run = await beginOrContinue(call);
  if (hasTasks && (task === "prefer" || task === "required")) return showTask(call, run);
  const abort = cancelOnAbort(request, run.id);
  await using following = reportProgress(call, run);
  try {
    const first = hasTasks && task === "auto" ? await orLater(request, run) : await run.outcome();
    if (first === "later") return await showTask(call, run);
    const result = await answerEarly(call, run, first);
    if (result === undefined)
      throw new ProtocolError(ProtocolErrorCode.InternalError, `the server stops; run ${run.id} continues`);
    await following.done();
    if (result.outcome !== "paused" || result.questions.length === 0)
      return toToolResult(tool, { id: run.id, session: run.session, result });
    return await askClient(call, run.id);
  } finally {
    abort.release();
  }
}

/** Starts a run, or gives the one of the request state its answers. */
async function beginOrContinue({ request, context, tool, args }: CrewCall): Promise<MountedRun> {
  const state = context.mcpReq.requestState<PausedCall>();
  if (state === undefined) return request.start(toRunRequest(tool, args));
  if (state.crew !== tool.served.id)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the requestState belongs to another tool");
  const toOpen = (questions: MountedRunView["questions"]) =>
    questions.filter(({ question }) => state.questions.includes(question));
  return answerOpen(request, { run: state.run, toOpen }, context.mcpReq.inputResponses);
}

/** Gives forms the answers that the call brought before it was asked; anything else must be seen by a person first. */
async function answerEarly(
  { request, context: { mcpReq } }: CrewCall,
  { id }: MountedRun,
  first: RunResult | undefined,
) {
  const isEarly = mcpReq.inputResponses !== undefined && mcpReq.requestState() === undefined;
  if (!isEarly || first?.outcome !== "paused") return first;
  const toOpen = (questions: MountedRunView["questions"]) => questions.filter(({ kind }) => kind === "input");
  return (await answerOpen(request, { run: id, toOpen }, mcpReq.inputResponses)).outcome();
}

async function showTask({ request, ttlMs }: CrewCall, { id }: MountedRun): Promise<CallToolResult> {
  // The status of a new task is `working`; its questions are told when it is polled.
  return { content: [], resultType: "task", ...toTask({ ...(await request.run(id)), status: "running" }, ttlMs) };
}

/** The outcome, or `later` if it takes too long. */
async function orLater({ store: { clock } }: MountRequest, run: MountedRun) {
  const { promise, resolve } = Promise.withResolvers<"later">();
  const timer = clock.after(AUTO_MS, () => resolve("later"));
  try {
    return await Promise.race([run.outcome(), promise]);
  } finally {
    timer.cancel();
  }
}

/** Asks the client the run's questions, or says where to answer them. */
async function askClient(call: CrewCall, id: string): Promise<CallToolResult | InputRequiredResult> {
  const { request, context, tool, shows, states, page } = call;
  const { questions } = await request.run(id);
  const isOperator = request.scopes.some((scope) => scope === "admin" || scope === "approve");
  const asked = keyQuestions(findAskable(questions, { shows, isOperator }));
  if (asked.size === 0) return toUnanswerable(id, page);
  const state = { run: id, crew: tool.served.id, questions: Array.from(asked.values(), ({ question }) => question) };
  return {
    resultType: "input_required",
    inputRequests: toInputRequests(asked),
    requestState: await states.mint(state, context),
  };
}

/** Cancels the run if the client closes the request before it has its answer. */
function cancelOnAbort({ abort, command }: MountRequest, id: string): Readonly<{ release: () => void }> {
  const cancel = () => {
    // A run that has ended meanwhile needs no cancel.
    command(id, { type: "cancel", reason: "the client closed the request" }).catch(() => {});
  };
  if (abort.aborted) cancel();
  else abort.addEventListener("abort", cancel, { once: true });
  return { release: () => abort.removeEventListener("abort", cancel) };
}

type Following = AsyncDisposable & Readonly<{ done: () => Promise<void> }>;

/** Tells the client of every turn and call, if it asked for progress. */
function reportProgress({ context }: CrewCall, run: MountedRun): Following {
  const { _meta, notify } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { done: async () => {}, [Symbol.asyncDispose]: async () => {} };
  const events = run.events();
  const follow = async () => {
    let progress = 0;
    for await (const event of events) {
      if (event.type !== "turn.started" && event.type !== "call.started") continue;
      progress += 1;
      const message = event.type === "turn.started" ? event.agent : `${event.agent}: ${event.tool}`;
      await notify({ method: "notifications/progress", params: { progressToken, progress, message } });
    }
  };
  const following = follow().catch(() => {});
  return {
    done: () => following,
    async [Symbol.asyncDispose]() {
      await events.return?.();
    },
  };
}
