/**
 * Mounts: the routes that a product adds, as the server's own.
 *
 * If several crews mount the same route, the `crew` of the request chooses; the first one has the rest.
 */
import { BatonError, type Command, type Receipt } from "@baton/core";
import { omitUndefined, toMessage } from "@baton/core/util";
import { z } from "zod";
import { RUN_HEADERS } from "./api-headers.ts";
import type { Api, RouteDefinition } from "./api.ts";
import { parse, readJson } from "../gateway/input/body.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { readQuery } from "../gateway/input/query-string.ts";
import type { RequestRateLimiter, RequestRateLimits } from "../gateway/rate/rate-limit.ts";
import { openRateLimiter } from "../gateway/rate/shared-rate-limiter.ts";
import { CAPTION, QUERY } from "../gateway/input/text.ts";
import type {
  MountAnswerTo,
  MountedRun,
  MountedRunView,
  MountRequest,
  MountStreaming,
  RouteMount,
  RunRequest,
} from "../mount.ts";
import { invalidAnswer } from "../gateway/problem.ts";
import { orInvalid } from "../gateway/to-problem.ts";
import { findAnswerableRun, findOpenQuestions, toAnswerCommands } from "../runs/answer-command.ts";
import { findResult } from "../runs/run-result.ts";
import { reconnect, lastFrameOf } from "../runs/reconnect.ts";
import { outcomeOf, setRunHeaders, streamSegment, type Streaming } from "../runs/segment-answer.ts";
import {
  answerSegment,
  followSegment,
  linkRun,
  mayUse,
  type RequestSegment,
  startSegment,
} from "../runs/request-segment.ts";
import { checkModel } from "../runs/check-model.ts";
import { findVisibleRun, type Service } from "../service.ts";

/** Adds mounted routes; throws if two have the same path. */
export function addMounts(api: Api, service: Service, mounts: readonly RouteMount[]): void {
  const known = new Set(api.routes.map(toKey));
  const limiters = openLimiters(service, mounts);
  for (const [key, [first, ...others]] of Map.groupBy(mounts, toKey)) {
    if (first === undefined) continue;
    if (!first.path.startsWith("/"))
      throw new BatonError("invalid", `the mounted path "${first.path}" must begin with /`);
    if (known.has(key))
      throw new BatonError("invalid", `the server already has a route ${key}: mount yours at another path`);
    const all = [first, ...others] as const;
    const crews = new Set(all.map(({ crew }) => crew ?? service.crews.first.id));
    if (crews.size < all.length)
      throw new BatonError("invalid", `${key} is mounted twice for one crew: mount one of them at another path`);
    api.add(toDefinition(first), async (c) => {
      const sent = await readSent(service, c, first);
      const mount = choose(service, all, sent);
      const { query, body } = mount;
      const limiter = mount.limits === undefined ? undefined : limiters.get(mount.limits);
      const parsed = {
        query: query === undefined ? {} : readQuery(c, query),
        body: body === undefined ? undefined : parse(body, sent.body),
      };
      return mount.handle(toRequest(service, c, { mount, limiter, ...parsed }));
    });
  }
}

/** One for each object with limits, named by the first route that has it. */
function openLimiters(
  { counting }: Service,
  mounts: readonly RouteMount[],
): ReadonlyMap<RequestRateLimits, RequestRateLimiter> {
  const limiters = new Map<RequestRateLimits, RequestRateLimiter>();
  for (const mount of mounts) {
    const { limits, crew = "" } = mount;
    if (limits === undefined || limiters.has(limits)) continue;
    limiters.set(limits, openRateLimiter(`${toKey(mount)} ${crew}`, limits, counting));
  }
  return limiters;
}

function toKey({ method, path }: Pick<RouteMount, "method" | "path">): string {
  return `${method.toUpperCase()} ${path}`;
}

const SEEN = { description: "With `Last-Event-ID`: the stream has ended; nothing is asked again" } as const;

/** A HEAD must begin nothing. A stream that was seen to its end is not begun again. */
function toDefinition(mount: RouteMount): RouteDefinition {
  const { method, path, summary, scope, query, body, answers, access } = mount;
  const isStream = Object.values(answers).some(({ type }) => type === "text/event-stream");
  const all = Object.entries({ ...(isStream ? { 204: SEEN } : {}), ...answers });
  const described = all.map(([status, answer]) => [status, { ...answer, headers: RUN_HEADERS }] as const);
  return {
    method,
    path,
    summary,
    ...(scope === "open" || access === "own" ? { isOpen: true } : { scope }),
    ...omitUndefined({ query, body }),
    ...(scope === "run" ? { isHeadRefused: true } : {}),
    ...(isStream ? { headers: ["Last-Event-ID"] } : {}),
    answers: Object.fromEntries(described),
  };
}

interface Sent {
  readonly query: unknown;
  readonly body: unknown;
}

async function readSent(service: Service, c: GatewayContext, mount: RouteMount): Promise<Sent> {
  const { body, takesImages, maxBodyBytes = Infinity } = mount;
  const maxBytes = Math.min(maxBodyBytes, takesImages === true ? service.maxImageBodyBytes : service.maxBodyBytes);
  const query = readQuery(c, z.looseObject({}));
  return { query, body: body === undefined ? undefined : await readJson(c, z.unknown(), { maxBytes }) };
}

const NAMING = z.object({ crew: z.string() });

function choose({ crews }: Service, mounts: readonly [RouteMount, ...RouteMount[]], { query, body }: Sent): RouteMount {
  const { data = NAMING.safeParse(query).data } = NAMING.safeParse(body);
  const id = data === undefined ? undefined : crews.find(data.crew)?.id;
  return mounts.find(({ crew }) => crew !== undefined && crew === id) ?? mounts[0];
}

interface Parsed {
  readonly mount: RouteMount;
  readonly limiter: RequestRateLimiter | undefined;
  readonly query: unknown;
  readonly body: unknown;
}

/** A request as a mounted route sees it. */
function toRequest(service: Service, c: GatewayContext, parsed: Parsed): MountRequest {
  const { mount, limiter, query, body } = parsed;
  const { tenant, user, scopes, requestId } = c.var;
  const start = (asked: RunRequest) => startMounted(service, c, { ...asked, crew: asked.crew ?? mount.crew, limiter });
  return {
    query,
    body,
    params: c.req.param(),
    headers: c.req.raw.headers,
    tenant,
    user,
    scopes,
    requestId,
    abort: toAbort(c),
    report: (error) =>
      service.observer.logger.error("a mounted route failed", { request: requestId, error: toMessage(error) }),
    store: service.store,
    crews: service.crews.all.filter((served) => mayUse(c, served)),
    run: (id) => viewRun(service, c, id),
    actFor(owner) {
      c.set("tenant", owner.tenant);
      c.set("user", owner.user);
      return toRequest(service, c, parsed);
    },
    command: (id, command) => sendCommand(service, c, { id, command }),
    follow: (id, answers = []) => followMounted(service, c, { id, answers }),
    start,
    async ask(asked, streaming) {
      const checked = toStreaming(service, streaming);
      const id = lastFrameOf(c);
      if (id === "") return (await start(asked)).stream(streaming);
      return reconnect(service, c, { id, session: asked.session, input: toInput(asked), streaming: checked });
    },
  };
}

async function viewRun(service: Service, c: GatewayContext, name: string): Promise<MountedRunView> {
  const record = await findVisibleRun(service, c, name);
  const { id, session, status, createdAt, updatedAt } = record;
  const crew = service.crews.idOf(record);
  const questions = [...(await findOpenQuestions(service, record)).values()];
  return { id, session, crew, createdAt, updatedAt, status, questions, result: await findResult(service, record) };
}

type Sending = Readonly<{ id: string; command: Command }>;

/** Sends a command; the role and the name of an answer follow from the key, whatever the command says. */
async function sendCommand(
  service: Service,
  c: GatewayContext,
  { id, command }: Sending,
): Promise<Receipt | undefined> {
  const isAnswer = command.type === "answer";
  const record = isAnswer ? await findAnswerableRun(service, c, id) : await findVisibleRun(service, c, id);
  const { engine, admission } = service;
  linkRun(service, c, record);
  if (command.type === "cancel") return (await engine.command(record.id, command)).receipt;
  using _entry = admission.enter(record.id);
  if (!isAnswer) {
    await engine.command(record.id, command);
    return undefined;
  }
  const { question, value } = command;
  const answers = await toAnswerCommands(service, c, { record, answers: [{ question, value, field: "value" }] });
  for (const { command: answer } of answers) {
    await orInvalid("value", engine.command(record.id, answer), invalidAnswer);
  }
  return undefined;
}

type Following = Readonly<{ id: string; answers: readonly MountAnswerTo[] }>;

async function followMounted(service: Service, c: GatewayContext, { id, answers }: Following): Promise<MountedRun> {
  const record = answers.length === 0 ? await findVisibleRun(service, c, id) : await findAnswerableRun(service, c, id);
  const named = answers.map((answer) => ({ ...answer, field: answer.question }));
  const segment = await (answers.length === 0
    ? followSegment(service, c, record)
    : answerSegment(service, c, { record, answers: named }));
  return toMountedRun(service, c, segment);
}

type Asked = Omit<RunRequest, "crew"> & {
  readonly crew: string | undefined;
  readonly limiter: RequestRateLimiter | undefined;
};

async function startMounted(service: Service, c: GatewayContext, asked: Asked): Promise<MountedRun> {
  const { crew, session, field = "input", limiter, ...start } = asked;
  const served = service.crews.get(crew, "crew");
  if (start.model !== undefined) checkModel(service, start.model);
  const request = { served, session, field, start: { ...start, input: toInput(asked) } };
  const taken = limiter === undefined ? undefined : await c.var.limitBy(limiter, session);
  const segment = await startSegment(service, c, request).catch(async (error: unknown) => {
    await taken?.giveBack();
    throw error;
  });
  setRunHeaders(c, segment.record);
  return toMountedRun(service, c, segment);
}

function toMountedRun(service: Service, c: GatewayContext, segment: RequestSegment): MountedRun {
  const { record, run, after } = segment;
  const { id, session } = record;
  return {
    id,
    session,
    events: () => run.events({ after }),
    stream: (streaming) => streamSegment(service, c, { segment, ...toStreaming(service, streaming) }),
    outcome: () => outcomeOf(service, c, { segment }),
  };
}

/** Text of users follows the same rules on every route. */
function toInput({ input, images = [], field = "input" }: Omit<RunRequest, "crew">): string {
  return parse(images.length === 0 ? QUERY : CAPTION, input, field);
}

/** Throws before anything begins if there is no such dialect. */
function toStreaming({ dialects }: Service, { dialect, options, onDisconnect }: MountStreaming): Streaming {
  const { name } = dialects.get(dialect);
  return { dialect: name, isCancelledOnLeave: onDisconnect === "cancel", ...omitUndefined({ options }) };
}

function toAbort({ env: { outgoing } }: GatewayContext): AbortSignal {
  const controller = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) controller.abort(new BatonError("cancelled", "the client disconnected"));
  });
  return controller.signal;
}
