/**
 * Runs: starting, listing and looking at them.
 */
import { BatonError, type RunLimits, type RunResult } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { Database, RunFilter, RunRecord } from "@baton/store";
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import { parse, readJson } from "../../gateway/input/body.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { IMAGES } from "../../gateway/input/image.ts";
import { orInvalid } from "../../gateway/to-problem.ts";
import { answerOnce } from "../../gateway/idempotency.ts";
import { notFound } from "../../gateway/problem.ts";
import { readQuery } from "../../gateway/input/query-string.ts";
import { fromTools, readRequestTools, TOOLS } from "../../gateway/input/request-tools.ts";
import { REQUEST_ID } from "../../gateway/request-id.ts";
import { CAPTION, ID, MODEL, OPTIONS, QUERY, text } from "../../gateway/input/text.ts";
import { outcomeOf, setRunHeaders, toRunHeaders } from "../../runs/segment-answer.ts";
import { CALL, findCall } from "../../runs/call-view.ts";
import { type RequestSegment, startSegment } from "../../runs/request-segment.ts";
import { checkModel } from "../../runs/check-model.ts";
import { findResult } from "../../runs/run-result.ts";
import { RESULT, RUN, STARTED, toResultView, runPathOf, toRunView, startedViewOf } from "../../runs/run-view.ts";
import { findVisibleRun, isVisible, readOrDamaged, type Service, visibleRuns } from "../../service.ts";
import { LIST_PAGE, noSuchPage, toListPage } from "../list-page.ts";
import { findFeedback, withFeedback } from "./feedback.ts";
import { ON_DISCONNECT } from "./on-disconnect.ts";

/** A cap whose name is misspelt would be none, and cost money. */
const LIMITS = z.strictObject({
  max_usd: z.number().min(0).optional(),
  max_tokens: z.int().min(0).optional(),
  max_seconds: z.number().min(0).optional(),
});
/** The input of a run: text, images or both. */
const START = z.object({
  crew: ID.optional(),
  input: CAPTION.default(""),
  images: IMAGES.optional(),
  session_id: ID.optional(),
  limits: LIMITS.optional(),
  options: OPTIONS.optional(),
  model: MODEL.optional(),
  tools: TOOLS.optional(),
});
const ANYTHING = z.unknown();
const START_WITHOUT_IMAGES = START.extend({ input: QUERY });
const STATUSES = ["queued", "running", "paused", "ended"] as const;
const OUTCOMES = ["done", "paused", "limit", "cancelled", "failed"] as const;
/** ISO 8601 with an offset. */
const TIME = z.iso.datetime({ offset: true });
const LIST = LIST_PAGE.extend({
  status: z.enum(STATUSES).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  since: TIME.optional().meta({ description: "Created at this time or later" }),
  until: TIME.optional().meta({ description: "Created before this time" }),
  crew: ID.optional(),
  session: ID.optional(),
  q: text({ minChars: 1, maxChars: 1_000 })
    .optional()
    .meta({
      description:
        "Words that must all occur in the input, the answer, names of agents and tools, the request id, the session, its " +
        'title or the error, whatever their case and marks; the last may be a beginning, `"…"` is a phrase',
    }),
  feedback: z.enum(["up", "down", "any", "none"]).optional(),
  request: REQUEST_ID.optional(),
  after: z.literal("none").optional().meta({ description: "Without runs that follow another one (`after_of`)" }),
});
const START_HEADERS = [...RUN_HEADERS, "X-Run-After", "Location", "Idempotency-Replayed"] as const;
const RUNS = z.object({ runs: z.array(RUN), next: ID.optional() });

/** Adds the routes of runs. */
export function addRuns(api: Api, service: Service): void {
  api.add(
    {
      method: "post",
      path: "/api/runs",
      summary: "Start a run, or continue the one that waits in the session",
      scope: "run",
      query: ON_DISCONNECT,
      headers: ["Idempotency-Key", "Prefer"],
      body: START,
      answers: {
        200: {
          description: "With `Prefer: wait`: the run and its result",
          schema: RUN.extend({ result: RESULT }),
          headers: [...START_HEADERS, "Preference-Applied"],
        },
        202: { description: "Started", schema: STARTED, headers: START_HEADERS },
      },
    },
    (c) => start(service, c),
  );
  api.add(
    {
      method: "get",
      path: "/api/runs",
      summary: "Runs, newest first; `next` is the `before` of the next page",
      scope: "read",
      query: LIST,
      answers: { 200: { description: "Runs", schema: RUNS } },
    },
    (c) => list(service, c),
  );
  addOneRun(api, service);
}

/** Adds the routes of one run. */
function addOneRun(api: Api, service: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/runs/:id",
      summary:
        "One run, by its id or its short id; once it is paused or has ended, with its result and the questions in full",
      scope: "read",
      answers: { 200: { description: "The run", schema: RUN.extend({ result: RESULT.optional() }) } },
    },
    async (c) => {
      const record = await findVisibleRun(service, c, c.req.param("id") ?? "");
      const found = await findResult(service, record);
      const result = found === undefined ? undefined : toResultView(found);
      const feedback = (await findFeedback(service, c, [record])).get(record.id);
      return c.json({ ...withFeedback(toRunView(service, record), feedback), ...omitUndefined({ result }) });
    },
  );
  api.add(
    {
      method: "delete",
      path: "/api/runs/:id",
      summary: "Delete a run that has ended, with its log; the messages in its session stay",
      scope: "run",
      answers: { 204: { description: "Removed" } },
    },
    (c) => remove(service, c),
  );
  api.add(
    {
      method: "get",
      // The position of a call in a group has slashes: 4/quiz/student/1.1.2
      path: "/api/runs/:id/calls/:call{.+}",
      summary: "One call of a tool: its arguments, its output whole, times and attempts",
      scope: "read",
      answers: { 200: { description: "The call", schema: CALL, headers: RUN_HEADERS } },
    },
    (c) => showCall(service, c),
  );
}

async function remove(service: Service, c: GatewayContext): Promise<Response> {
  const record = await findVisibleRun(service, c, c.req.param("id") ?? "");
  const { id, status } = record;
  if (status !== "ended") throw new BatonError("conflict", `run ${id} has not ended: cancel it first`);
  await service.hub.flush([record]);
  await service.store.database.runs.delete(id);
  service.feed.removed([record]);
  service.sockets.removed([record]);
  return c.body(null, 204);
}

/** A call that is not in the log yet is as if it were not there. */
async function showCall(service: Service, c: GatewayContext): Promise<Response> {
  const record = await findVisibleRun(service, c, c.req.param("id") ?? "");
  setRunHeaders(c, record);
  const position = c.req.param("call") ?? "";
  const call = await findCall(service.store, record, position);
  if (call !== undefined) return c.json(call);
  throw notFound(`call ${position} in run ${record.id}`, { next: "GET /api/runs/:id/events has all calls." });
}

async function start(service: Service, c: GatewayContext): Promise<Response> {
  const { on_disconnect: onDisconnect } = readQuery(c, ON_DISCONNECT);
  const sent = await readJson(c, ANYTHING, { maxBytes: service.maxImageBodyBytes });
  const body = parse(hasImages(sent) ? START : START_WITHOUT_IMAGES, sent);
  const served = service.crews.get(body.crew, "crew");
  const { options, model } = body;
  const tools = readRequestTools(served.crew, fromTools(body.tools));
  if (model !== undefined) checkModel(service, model);
  const waitMs = parseWait(c.req.header("prefer"));
  const { store, admission } = service;
  return answerOnce(c, { store, input: body, check: () => admission.check() }, async (once) => {
    const limits = body.limits === undefined ? undefined : toLimits(body.limits);
    const images = body.images?.length === 0 ? undefined : body.images;
    const segment = await startSegment(service, c, {
      once,
      served,
      session: body.session_id,
      field: "input",
      start: { input: body.input, ...omitUndefined({ limits, images, options, model, tools }) },
    });
    const result =
      waitMs === undefined
        ? undefined
        : await waitFor(service, c, { segment, waitMs, isCancelledOnLeave: onDisconnect === "cancel" });
    const headers = {
      ...toRunHeaders(segment.record),
      "X-Run-After": `${segment.after}`,
      Location: runPathOf(service, segment.record.id),
    };
    if (result === undefined) return c.json(startedViewOf(service, segment.record), 202, headers);
    const record = service.engine.latest(segment.run) ?? (await findVisibleRun(service, c, segment.record.id));
    const view = toRunView(service, record);
    // What a schema makes of an output need not be JSON; the log has what is.
    const told = result.output === undefined ? result : ((await findResult(service, record)) ?? result);
    return c.json({ ...view, result: toResultView(told) }, 200, { ...headers, "Preference-Applied": "wait" });
  });
}

function hasImages(sent: unknown): boolean {
  if (typeof sent !== "object" || sent === null || !("images" in sent)) return false;
  return Array.isArray(sent.images) && sent.images.length > 0;
}

interface Wait {
  readonly segment: RequestSegment;
  readonly waitMs: number;
  readonly isCancelledOnLeave: boolean;
}

/** The result, or undefined if it does not come in time. */
async function waitFor(service: Service, c: GatewayContext, { waitMs, ...wait }: Wait): Promise<RunResult | undefined> {
  const outcome = outcomeOf(service, c, wait);
  if (waitMs === Infinity) return outcome;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = service.store.clock.after(waitMs, () => resolve(undefined));
  try {
    return await Promise.race([outcome, promise]);
  } finally {
    timer.cancel();
  }
}

const WAIT = /^wait(?:\s*=\s*"?([0-9]{1,15})"?)?$/i;
/** A longer wait than this waits without a limit. */
const MAX_WAIT_SECONDS = 1_000_000;

/** Milliseconds to wait for the end, as `Prefer: wait` or `wait=SECONDS` says. */
function parseWait(header: string | undefined): number | undefined {
  for (const preference of (header ?? "").split(",")) {
    const match = WAIT.exec(preference.trim());
    if (match === null) continue;
    const seconds = Number(match[1] ?? MAX_WAIT_SECONDS);
    return seconds < MAX_WAIT_SECONDS ? seconds * 1_000 : Infinity;
  }
  return undefined;
}

function toLimits({ max_usd, max_tokens, max_seconds }: z.infer<typeof LIMITS>): RunLimits {
  const timeoutMs = max_seconds === undefined ? undefined : max_seconds * 1_000;
  return omitUndefined({ maxUsd: max_usd, maxTokens: max_tokens, timeoutMs });
}

async function list(service: Service, c: GatewayContext): Promise<Response> {
  const { store, crews } = service;
  const { status, outcome, since, until, crew, session, q, request, feedback, before, limit, after } = readQuery(
    c,
    LIST,
  );
  const last = before === undefined ? undefined : await readOrDamaged(store.database.runs.find(before));
  const isKnown = last === "damaged" || (last !== undefined && isVisible(c, last));
  if (before !== undefined && !isKnown) throw noSuchPage(`run ${before}`);
  const name = crew === undefined ? undefined : crews.nameOf(crew);
  const times = omitUndefined({ since: toTime(since), until: toTime(until) });
  const asked = omitUndefined({ status, outcome, crew: name, session, text: q, request, feedback, before, ...times });
  const filter = { ...visibleRuns(c), ...asked, limit: limit + 1 };
  const find = after === "none" ? findLeading : findAll;
  const found = await orInvalid("q", find(store.database, filter));
  const { items, ...next } = toListPage(found, limit);
  const judged = await findFeedback(service, c, items);
  const runs = items.map((record) => withFeedback(toRunView(service, record), judged.get(record.id)));
  return c.json({ runs, ...next });
}

type FindRuns = (database: Database, filter: RunFilter & { readonly limit: number }) => Promise<readonly RunRecord[]>;

const findAll: FindRuns = (database, filter) => database.runs.list(filter);

/** Without those that follow others. A store does not know them apart, so pages are read until there are enough. */
const findLeading: FindRuns = async (database, filter) => {
  const { limit } = filter;
  const found: RunRecord[] = [];
  for (let { before } = filter; ;) {
    const page = await database.runs.list({ ...filter, ...omitUndefined({ before }) });
    found.push(...page.filter(({ afterOf }) => afterOf === undefined));
    before = page.at(-1)?.id;
    if (page.length < limit || found.length >= limit) return found.slice(0, limit);
  }
};

function toTime(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}
