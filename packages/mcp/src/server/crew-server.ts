/**
 * Crew server: the MCP server of one request, with the crews that its caller may use as tools and prompts.
 */
import { omitUndefined } from "@baton/core/util";
import { type MountRequest, toProblem } from "@baton/server/mount";
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { callCrew, type PausedCall } from "./crew-call.ts";
import { findPrompt, listPrompts } from "./crew-prompts.ts";
import { type ExposedCrew, findExposedCrew, invalidArguments, listExposedCrews, toDefinition } from "./exposed-crew.ts";
import { answerOpen, findAskable, keyQuestions, type Shows } from "./elicitation.ts";
import { TASKS, toDetailedTask } from "./run-answer.ts";

/** A request and what its server needs. */
export interface CrewServing {
  readonly request: MountRequest;
  readonly isModern: boolean;
  /** Signs request states. */
  readonly key: Uint8Array;
  readonly version: string;
  readonly ttlMs: number;
  /** Address of the console's page of runs, if there is one. */
  readonly page?: string;
}

const STATE_SECONDS = 86_400;
const CACHE = { ttlMs: 60_000, cacheScope: "private" } as const;
const ARGUMENTS = z.record(z.string(), z.json());
const CAPABILITIES = z.object({
  elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});
const CLIENT = z.object({ [CLIENT_CAPABILITIES_META_KEY]: CAPABILITIES.default({}) }).default({
  [CLIENT_CAPABILITIES_META_KEY]: {},
});
const TASK = z.looseObject({ taskId: z.string().max(128) });

/** Creates the server of a request. */
export function createCrewServer(serving: CrewServing): Server {
  const { request, isModern, key, version } = serving;
  const { tenant, user, crews } = request;
  const states = createRequestStateCodec<PausedCall>({
    key,
    ttlSeconds: STATE_SECONDS,
    bind: () => JSON.stringify([tenant, user]),
  });
  const server = new Server(
    { name: "baton", version },
    {
      capabilities: { tools: {}, prompts: {}, ...(isModern ? { extensions: { [TASKS]: {} } } : {}) },
      cacheHints: { "tools/list": CACHE, "prompts/list": CACHE },
      requestState: { verify: (state, context) => states.verify(state, context) },
      inputRequired: { legacyShim: false },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listExposedCrews(crews).map(toDefinition) }));
  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts(listExposedCrews(crews)) }));
  server.setRequestHandler("prompts/get", ({ params }) => findPrompt(listExposedCrews(crews), params));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    orProtocolError(request, async () => {
      const tool = findExposedCrew(crews, params.name);
      const args = ARGUMENTS.parse(params.arguments ?? {});
      const { shows, hasTasks } = readClient(serving, context);
      const { ttlMs, page } = serving;
      return callCrew({ request, context, tool, args, states, shows, hasTasks, ttlMs, page });
    }),
  );
  if (isModern) addTasks(server, serving);
  return server;
}

/** Abilities of a client: of this request, since there are no sessions. */
function readClient({ isModern }: CrewServing, { mcpReq: { envelope } }: ServerContext): Client {
  const { elicitation, extensions } = CLIENT.parse(envelope)[CLIENT_CAPABILITIES_META_KEY];
  const isForm = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const shows = { form: isModern && isForm, url: isModern && elicitation?.url !== undefined };
  return { shows, hasTasks: isModern && extensions?.[TASKS] !== undefined };
}

type Client = Readonly<{ shows: Shows; hasTasks: boolean }>;

function addTasks(server: Server, serving: CrewServing): void {
  const { request, ttlMs } = serving;
  server.setRequestHandler("tasks/get", { params: TASK }, ({ taskId }, context) =>
    withTask(serving, { taskId, context }, async ({ view, tool, toAskable }) =>
      toDetailedTask({ view, tool, asked: keyQuestions(toAskable(view.questions)), ttlMs }),
    ),
  );
  server.setRequestHandler("tasks/update", { params: TASK }, ({ taskId }, context) =>
    withTask(serving, { taskId, context }, async ({ view, toAskable }) => {
      await answerOpen(request, { run: view.id, toOpen: toAskable }, context.mcpReq.inputResponses);
      return { resultType: "complete" };
    }),
  );
  server.setRequestHandler("tasks/cancel", { params: TASK }, ({ taskId }, context) =>
    withTask(serving, { taskId, context }, async ({ view }) => {
      if (view.status !== "ended")
        await request.command(view.id, { type: "cancel", reason: "the client cancelled it" });
      return { resultType: "complete" };
    }),
  );
}

type TaskRequest = Readonly<{ taskId: string; context: ServerContext }>;

interface FoundTask {
  readonly view: Awaited<ReturnType<MountRequest["run"]>>;
  readonly tool: ExposedCrew;
  /** The questions that this client can show and that its user may answer. */
  readonly toAskable: (questions: FoundTask["view"]["questions"]) => FoundTask["view"]["questions"];
}

/** Finds a run of the caller, of a crew that it may use. */
function withTask<T>(serving: CrewServing, { taskId, context }: TaskRequest, use: (found: FoundTask) => Promise<T>) {
  const { request } = serving;
  return orProtocolError(request, async () => {
    const { shows, hasTasks } = readClient(serving, context);
    if (!hasTasks)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
    const view = await request.run(taskId).catch((error: unknown) => {
      if (toProblem(error).status !== 404) throw error;
    });
    const tool = listExposedCrews(request.crews).find(({ served }) => served.id === view?.crew);
    if (view === undefined || tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no task ${JSON.stringify(taskId)}`);
    const isOperator = request.scopes.some((scope) => scope === "admin" || scope === "approve");
    return use({ view, tool, toAskable: (questions) => findAskable(questions, { shows, isOperator }) });
  });
}

/** Refusals of the server as errors of the protocol; what is the client's fault is −32602. */
async function orProtocolError<T>({ report }: MountRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { status, detail, problems, code } = toProblem(error);
    if (status >= 500) report(error);
    if (status >= 500 || status === 429) throw new ProtocolError(ProtocolErrorCode.InternalError, detail, { code });
    if (problems.length > 0) throw invalidArguments(problems);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, detail, omitUndefined({ code }));
  }
}
