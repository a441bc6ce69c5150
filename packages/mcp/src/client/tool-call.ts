/**
 * Tool call: one call of a server's tool, from its arguments to its output, over as many runs of the tool as it needs.
 *
 * drift → connection → call or task → output. Whatever waits for a person or for a task suspends the call.
 */
import { createHash } from "node:crypto";
import { type CallContext, type Json, suspend, ToolError } from "@baton/core";
import { noDocuments, type ToolQuestion } from "@baton/core/ports";
import { omitUndefined, toMessage } from "@baton/core/util";
import { type CallToolResult, ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { type LockedServer, type McpDefinition, type McpServer, hashDefinition } from "@baton/crewfile/mcp";
import { z } from "zod";
import { type CallOutput, toCallOutput } from "./call-result.ts";
import { type KeptCall, parseKeptCall, toInputResponses, toQuestions } from "./call-state.ts";
import { resultBytesOf } from "./connection.ts";
import { diffDefinitions, findDrift } from "./drift.ts";
import type { CallerLink } from "./caller-link.ts";
import type { McpHost } from "./mcp-host.ts";
import { toJson } from "./json-rpc.ts";
import { ProgressRelay } from "./progress-relay.ts";
import type { Linked } from "./server-link.ts";
import type { Challenge } from "./sign-in/sign-in.ts";
import { cancelTask, pollTask, toTask, updateTask } from "./task.ts";
import { INTERRUPTED, TASK_MARK, TOO_LARGE } from "./wire-rules.ts";

/** A tool of a server, as the lock has it. */
export interface McpToolSource {
  readonly host: McpHost;
  readonly name: string;
  readonly server: McpServer;
  readonly locked: LockedServer;
  readonly definition: McpDefinition;
  readonly hash: string;
}

/** One run of a tool: its arguments, what it kept, and the connection. */
interface CallRun {
  readonly source: McpToolSource;
  readonly args: Json;
  readonly context: CallContext;
  readonly state: KeptCall;
  readonly caller: CallerLink;
}

type Ended = CallOutput | ReturnType<typeof suspend>;

const AWAY_MS = 1_000;
const MAX_SIGN_INS = 3;
const MAX_ROUNDS = 20;
const ARGUMENTS = z.record(z.string(), z.json());
const INPUT_REQUIRED = z.looseObject({
  resultType: z.literal("input_required"),
  inputRequests: z.unknown().optional(),
  requestState: z.string().optional(),
});

/** Makes a call, or goes on with one that was suspended. */
export async function callServer(source: McpToolSource, args: Json, context: CallContext): Promise<Ended> {
  const { host, name, server } = source;
  const state = parseKeptCall(context.kept);
  const { answers = {} } = context;
  if (state.asked === "sign-in" && answers["sign-in"] !== "done")
    throw new ToolError("permission", `sign-in to ${name} was denied`);
  if (state.asked === "drift" && answers["drift"] !== "allow")
    throw new ToolError("permission", `${definitionOf(source)} has changed, and the change was not allowed`);
  const isDriftAllowed = state.isDriftAllowed === true || state.asked === "drift";
  const caller = await host.linkOf(name, server, toCaller(context));
  const run = { source, args, context, caller, state: { ...state, ...(isDriftAllowed ? { isDriftAllowed } : {}) } };
  return attempt(run);
}

/** Releases what a suspended call holds at its server: its task. */
export async function releaseCall({ host, name, server }: McpToolSource, kept: Json): Promise<void> {
  const { task, owner } = parseKeptCall(kept);
  if (task === undefined) return;
  // Only a connection that is open has the tokens of its user.
  const documents = noDocuments("the tokens of a call that has ended are not read again");
  const caller = toCaller({ ...owner, documents });
  const { link } = await host.linkOf(name, server, caller);
  await link.use(({ connection }) => cancelTask(connection, task));
}

/** A call that is refused for want of a token is made again with another one, or waits for a sign-in. */
async function attempt(run: CallRun): Promise<Ended> {
  const { caller, state } = run;
  caller.takeChallenge();
  try {
    return await caller.link.use((linked) => carryOut(run, linked));
  } catch (error) {
    const challenge = caller.signIn === undefined ? undefined : caller.takeChallenge();
    if (challenge === undefined || caller.signIn === undefined) return pollLater(run, error);
    if (challenge.status === 401 && (await caller.signIn.renew(challenge)))
      return caller.link.use((linked) => carryOut(run, linked));
    if (state.signIns >= MAX_SIGN_INS)
      throw new ToolError("permission", `${run.source.name} refused the call after ${MAX_SIGN_INS} sign-ins`);
    return askSignIn(run, challenge);
  }
}

/** Asks for a task again later if its server was away: the task goes on without a connection. */
function pollLater(run: CallRun, error: unknown): Ended {
  const { state, context, source } = run;
  const { task, asked } = state;
  const isLost = error instanceof ToolError && (error.kind === "unavailable" || error.kind === "network");
  if (task === undefined || asked === "input" || !isLost || context.scope.abort.aborted) throw error;
  if (context.scope.clock.now() - task.startedAt > taskTimeOf(source)) throw error;
  return suspend({ keep: toKeep(run, state), afterMs: Math.max(task.pollMs, AWAY_MS) });
}

const taskTimeOf = ({ server: { taskTimeoutMs = 3_600_000 } }: McpToolSource): number => taskTimeoutMs;

async function askSignIn(run: CallRun, challenge: Challenge): Promise<Ended> {
  const { source, state, context, caller } = run;
  const asked = { run: context.run, question: `${context.call}/sign-in` };
  const page = await caller.signIn?.begin(challenge, asked).catch((error: unknown) => {
    if (error instanceof ToolError) throw error;
    throw new ToolError("permanent", `the sign-in to ${source.name} cannot begin: ${toMessage(error)}`);
  });
  if (page === undefined) throw new ToolError("permission", `${source.name} needs a sign-in`);
  const text = `Sign in to ${source.name}`;
  const question = { name: "sign-in", kind: "link", text, url: page.href } as const;
  return wait(run, [question], { ...state, asked: "sign-in", signIns: state.signIns + 1 });
}

function wait(run: CallRun, questions: readonly ToolQuestion[], state: KeptCall) {
  return suspend({ keep: toKeep(run, state), questions });
}

function toKeep({ context: { tenant, user } }: CallRun, state: KeptCall): Json {
  const owner = tenant === undefined || user === undefined ? undefined : { tenant, user };
  return toJson({ ...state, owner });
}

async function carryOut(run: CallRun, linked: Linked): Promise<Ended> {
  const { state } = run;
  if (state.task !== undefined) return goOn(run, linked);
  const drift = checkDrift(run, linked);
  if (drift !== undefined) return drift;
  let params = toParams(run);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = await inTime(run, (signal) => send(run, linked, { params, signal }));
    const asked = INPUT_REQUIRED.safeParse(result).data;
    if (asked === undefined) return settle(run, result);
    const { questions, inputs } = toQuestions(run.source.name, asked.inputRequests);
    const { requestState } = asked;
    if (questions.length > 0)
      return wait(run, questions, { ...state, asked: "input", inputs, ...omitUndefined({ requestState }) });
    params = { ...toParams({ ...run, state: {} }), ...omitUndefined({ requestState }) };
  }
  throw new ToolError("permanent", `${run.source.name} asked to call again more than ${MAX_ROUNDS} times`);
}

/** Asks the operator before a tool that has changed since it was locked is used. */
function checkDrift(run: CallRun, { listed }: Linked): Ended | undefined {
  const { source, args, state } = run;
  const { definition, hash, name } = source;
  warnOfDrift(run, listed.tools);
  const now = listed.tools.get(definition.name);
  if (now === undefined)
    throw new ToolError("unavailable", `${name} no longer has the tool ${definition.name}; run \`baton mcp update\``);
  if (hashDefinition(now) === hash || state.isDriftAllowed === true) return undefined;
  const text = `${definitionOf(source)} has changed since it was locked`;
  const diff = diffDefinitions(definition, now).map((change) => ({ ...change }));
  const question = { name: "drift", kind: "approval", text, who: "operator", args: { arguments: args, diff } } as const;
  return wait(run, [question], { ...state, asked: "drift" });
}

/** Warns once of each tool that is new, gone or changed since this lock; crews with other locks share the connection. */
function warnOfDrift({ source: { name, locked }, caller: { told }, context }: CallRun, now: Linked["listed"]["tools"]) {
  for (const { tool, change } of findDrift(locked.tools, now)) {
    const definition = now.get(tool);
    const key = `${locked.set} ${tool} ${definition === undefined ? "" : hashDefinition(definition)}`;
    if (told.has(key)) continue;
    told.add(key);
    context.warn?.(`the MCP server ${name} ${CHANGES[change]} ${tool.slice(0, 64)} since it was locked`);
  }
}

const CHANGES = { added: "has a new tool", removed: "has lost the tool", changed: "has changed the tool" } as const;

function definitionOf({ definition, name }: McpToolSource): string {
  return `the definition of ${definition.name} of the MCP server ${name}`;
}

type CallParams = Readonly<Record<string, Json>> & { readonly name: string };

/** The arguments, with the answers to the server's questions if it asked some. */
function toParams({
  source,
  args,
  context,
  state,
}: Omit<CallRun, "caller" | "state"> & { state: Partial<KeptCall> }): CallParams {
  const responses =
    state.asked === "input" ? { inputResponses: toInputResponses(state.inputs ?? {}, context.answers ?? {}) } : {};
  return {
    name: source.definition.name,
    arguments: ARGUMENTS.parse(args),
    ...responses,
    ...omitUndefined({ requestState: state.requestState }),
    _meta: { traceparent: toTraceParent(context), "baton/key": context.key },
  };
}

function toTraceParent({ run, key }: CallContext): string {
  const digits = (text: string, count: number) => createHash("sha256").update(text).digest("hex").slice(0, count);
  return `00-${digits(run, 32)}-${digits(key, 16)}-01`;
}

async function send(
  { source, context }: CallRun,
  { connection }: Linked,
  { params, signal }: Readonly<{ params: CallParams; signal: AbortSignal }>,
): Promise<CallToolResult> {
  const relay = new ProgressRelay(context.progress, () => context.scope.clock.monotonic());
  const { name, inputSchema } = source.definition;
  try {
    return await connection.client.callTool(params, {
      signal,
      timeout: 2 ** 31 - 1,
      allowInputRequired: true,
      onprogress: relay.take,
      toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" } },
    });
  } catch (error) {
    throw toCallError(source, error, connection.reason());
  } finally {
    relay.flush();
  }
}

/** Gives work the server's own time, and tells which setting ended it. */
async function inTime<T>({ source, context }: CallRun, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeoutMs } = source.server;
  if (timeoutMs === undefined) return work(context.scope.abort);
  const own = new AbortController();
  const forward = () => own.abort(context.scope.abort.reason);
  context.scope.abort.addEventListener("abort", forward, { once: true });
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = context.scope.clock.after(timeoutMs, () => {
    const text = `${source.name} did not answer within ${timeoutMs / 1_000} s (timeout_seconds of the server)`;
    reject(new ToolError("timeout", text));
    own.abort();
  });
  try {
    return await Promise.race([work(own.signal), promise]);
  } finally {
    timer.cancel();
    context.scope.abort.removeEventListener("abort", forward);
  }
}

/** The result as the tool's output, or the suspension of a call that became a task. */
function settle(run: CallRun, result: CallToolResult): Ended {
  const { source, context, state } = run;
  const created = toTask(result._meta?.[TASK_MARK], context.scope.clock.now());
  if (created !== undefined) {
    const { asked: _asked, inputs: _inputs, requestState: _state, ...rest } = state;
    return suspend({ keep: toKeep(run, { ...rest, task: created }), afterMs: created.pollMs });
  }
  return toCallOutput({ name: source.definition.name, definition: source.definition, result }, context.note);
}

/** Asks how a task is, after its questions were answered. */
async function goOn(run: CallRun, { connection }: Linked): Promise<Ended> {
  const { source, context, state } = run;
  const { task, asked, inputs } = state;
  if (task === undefined) throw new ToolError("crash", "the call has no task");
  const limitMs = taskTimeOf(source);
  if (context.scope.clock.now() - task.startedAt > limitMs) {
    await cancelTask(connection, task);
    const text = `the task of ${source.name} took longer than ${limitMs / 1_000} s (task_timeout_seconds)`;
    throw new ToolError("timeout", text);
  }
  try {
    if (asked === "input") await updateTask(connection, task, toInputResponses(inputs ?? {}, context.answers ?? {}));
    const polled = await pollTask(connection, source.name, task);
    const { asked: _asked, inputs: _inputs, ...rest } = state;
    const next = { ...rest, task: { ...task, pollMs: polled.pollMs } };
    if (polled.status === "working") return suspend({ keep: toKeep(run, next), afterMs: polled.pollMs });
    if (polled.status === "completed") return settle(run, polled.result);
    const { questions, inputs: opened } = toQuestions(source.name, polled.inputRequests);
    return wait(run, questions, { ...next, asked: "input", inputs: opened });
  } catch (error) {
    if (context.scope.abort.aborted) await cancelTask(connection, task);
    throw error instanceof ToolError ? error : toCallError(source, error, connection.reason());
  }
}

/** An error of the SDK as the failure of a call; a connection that ended in the middle leaves the effect in doubt. */
function toCallError(source: McpToolSource, error: unknown, reason: string): ToolError {
  const { name, server } = source;
  if (error instanceof ProtocolError && error.code === TOO_LARGE) {
    const kb = Math.round(resultBytesOf(server) / 1_024);
    return new ToolError("permanent", `the result of ${name} is larger than ${kb} KB (max_result_kb)`);
  }
  const isCut = error instanceof ProtocolError && error.code === INTERRUPTED;
  if (error instanceof ProtocolError && !isCut) return new ToolError("permanent", `${name}: ${toMessage(error)}`);
  if (error instanceof SdkHttpError) return toHttpError(name, error);
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected)
    return new ToolError("unavailable", `the MCP server ${name} is not available: ${toMessage(error)}`);
  if (isUnsent(error))
    return new ToolError("unavailable", `the MCP server ${name} is not available: ${toMessage(error)}`);
  const why = [toMessage(error), reason].filter((part) => part !== "").join("; ");
  const text = `the MCP server ${name} went away during the call: ${why}`;
  return new ToolError("network", text, { isInterrupted: true, cause: error });
}

/** A refusal means that nothing was done; a gateway that failed may have passed the call on. */
function toHttpError(name: string, error: SdkHttpError): ToolError {
  const status = error.status ?? 0;
  const text = `the MCP server ${name} answered with status ${status}`;
  if (status === 401) return new ToolError("permission", `${text}: it needs another \`token\` or \`auth\``);
  if (status === 403) return new ToolError("permission", text);
  if (status === 429 || status === 503 || status === 404) return new ToolError("unavailable", text);
  if (status >= 400 && status < 500) return new ToolError("permanent", text);
  return new ToolError("network", text, { isInterrupted: true });
}

/** Whether the system says that no connection was made at all. */
function isUnsent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : "";
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(String(code));
}

function toCaller({ tenant = "local", user = "local", documents }: Pick<CallContext, "documents" | "tenant" | "user">) {
  return { tenant, user, documents };
}
