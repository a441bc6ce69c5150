/**
 * RPC methods: what a client may ask of a crew.
 */
import {
  ID,
  type MountAnswerTo,
  type MountedCrew,
  type MountedRun,
  type MountedRunView,
  type MountRequest,
  toProblem,
} from "@baton/server/mount";
import { toTask } from "./run-task.ts";
import { isJson, readObject, readParts, readText, type WireContent, type WireObject } from "./wire.ts";

/** An error of the protocol. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One request to a crew. */
export interface RpcRequest {
  readonly request: MountRequest;
  readonly crew: MountedCrew;
  readonly method: string;
  readonly params: WireObject;
}

/** One answer, or several. */
export type RpcAnswer = Readonly<{ result: object }> | Readonly<{ stream: AsyncGenerator<object, void> }>;

const NOT_FOUND = -32_001;
const NOT_CANCELABLE = -32_002;
const UNSUPPORTED = -32_004;
const BAD_CONTENT = -32_005;
const INVALID = -32_602;

const METHODS: ReadonlyMap<string, (rpc: RpcRequest) => Promise<RpcAnswer>> = new Map([
  ["SendMessage", sendMessage],
  ["SendStreamingMessage", sendStreamingMessage],
  ["GetTask", getTask],
  ["CancelTask", cancelTask],
  ["SubscribeToTask", subscribeToTask],
]);

/** Answers a request; throws an `RpcError`, or what the server refuses. */
export async function answerRpc(rpc: RpcRequest): Promise<RpcAnswer> {
  const method = METHODS.get(rpc.method);
  if (method === undefined) throw new RpcError(-32_601, `there is no method ${rpc.method}`);
  return method(rpc);
}

async function sendMessage(rpc: RpcRequest): Promise<RpcAnswer> {
  const { request, params } = rpc;
  const run = await receive(rpc);
  const isImmediate = readObject(params["configuration"])?.["returnImmediately"] === true;
  if (!isImmediate) await run.outcome();
  return { result: { task: toTask(await request.run(run.id)) } };
}

async function sendStreamingMessage(rpc: RpcRequest): Promise<RpcAnswer> {
  return { stream: follow(rpc, await receive(rpc)) };
}

async function getTask(rpc: RpcRequest): Promise<RpcAnswer> {
  return { result: toTask(await findTask(rpc, rpc.params["id"])) };
}

async function cancelTask(rpc: RpcRequest): Promise<RpcAnswer> {
  const { request, params } = rpc;
  const { id, status } = await findTask(rpc, params["id"]);
  if (status === "ended") throw new RpcError(NOT_CANCELABLE, `task ${id} has ended`);
  await request.command(id, { type: "cancel", reason: "the client cancelled it" });
  return { result: toTask(await request.run(id)) };
}

async function subscribeToTask(rpc: RpcRequest): Promise<RpcAnswer> {
  const { id, status } = await findTask(rpc, rpc.params["id"]);
  if (status === "ended") throw new RpcError(UNSUPPORTED, `task ${id} has ended; GetTask has its result`);
  return { stream: follow(rpc, await rpc.request.follow(id)) };
}

/** Another caller's task, and one of another crew, does not exist. */
async function findTask({ request, crew }: RpcRequest, name: unknown): Promise<MountedRunView> {
  const id = readText(name);
  if (id === undefined) throw new RpcError(INVALID, "id is missing");
  const view = await request.run(id).catch((error: unknown) => {
    if (toProblem(error).status !== 404) throw error;
  });
  if (view === undefined || view.crew !== crew.id) throw new RpcError(NOT_FOUND, `there is no task ${id}`);
  return view;
}

/** Starts a task, or continues the one that the message names. */
async function receive(rpc: RpcRequest): Promise<MountedRun> {
  const { request, crew, params } = rpc;
  const message = readObject(params["message"]);
  if (message === undefined) throw new RpcError(INVALID, "message is missing");
  const content = readParts(message["parts"]);
  if (content.hasFiles) throw new RpcError(BAD_CONTENT, "message.parts has files; only text and data are read");
  const [taskId, contextId] = [readText(message["taskId"]), readText(message["contextId"])];
  if (taskId !== undefined) {
    const view = await findTask(rpc, taskId);
    if (contextId !== undefined && contextId !== (view.session ?? view.id))
      throw new RpcError(INVALID, `message.contextId is not the context of task ${view.id}`);
    return answerTask(rpc, view, content);
  }
  if (contextId !== undefined && !ID.safeParse(contextId).success)
    throw new RpcError(INVALID, "message.contextId is not the id of a context");
  const input = content.text || (content.data.size > 0 ? JSON.stringify(Object.fromEntries(content.data)) : "");
  if (input === "") throw new RpcError(BAD_CONTENT, "message.parts must have a text or data");
  const session = contextId === undefined ? {} : { session: contextId };
  return request.start({ crew: crew.id, field: "message.parts", input, ...session });
}

/** Gives a task its answers: by name in data, or as text if it waits for a message or for one answer. */
async function answerTask(
  { request, crew }: RpcRequest,
  view: MountedRunView,
  content: WireContent,
): Promise<MountedRun> {
  const { id, session, status, questions } = view;
  if (status === "ended") throw new RpcError(UNSUPPORTED, `task ${id} has ended; send a message without taskId`);
  const [only, ...others] = questions;
  if (only === undefined) {
    if (content.text === "") throw new RpcError(BAD_CONTENT, "the task waits for a text");
    if (status !== "paused") {
      await request.command(id, { type: "say", text: content.text });
      return request.follow(id);
    }
    return request.start({ crew: crew.id, field: "message.parts", input: content.text, session });
  }
  const named = questions.flatMap(({ question }): readonly MountAnswerTo[] => {
    const value = content.data.get(question);
    return isJson(value) ? [{ question, value }] : [];
  });
  if (named.length > 0) return request.follow(id, named);
  if (content.text === "" || others.length > 0)
    throw new RpcError(
      INVALID,
      `answer with a data part: {${questions.map(({ question }) => `"${question}": …`).join(", ")}}`,
    );
  return request.follow(id, [{ question: only.question, value: content.text }]);
}

/** The task, what becomes of it, and its state at the next pause or end. */
async function* follow({ request }: RpcRequest, run: MountedRun): AsyncGenerator<object, void> {
  const first = toTask(await request.run(run.id));
  yield { task: first };
  const { id: taskId, contextId } = first;
  for await (const event of run.events()) {
    if (event.type !== "turn.started") continue;
    const message = { messageId: `${taskId}-${event.seq}`, role: "ROLE_AGENT", parts: [{ text: event.agent }] };
    yield { statusUpdate: { taskId, contextId, status: { state: "TASK_STATE_WORKING", message } } };
  }
  await run.outcome();
  const { artifacts, status } = toTask(await request.run(run.id));
  for (const artifact of artifacts) yield { artifactUpdate: { taskId, contextId, artifact, lastChunk: true } };
  yield { statusUpdate: { taskId, contextId, status } };
}
