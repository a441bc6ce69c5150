/**
 * Run history: the crew that a run began with, the prompt of a step, a replay of its log, and a new run that is forked
 * from an event of it.
 */
import { BatonError, type Crew, type RunEvent } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { newRunId, readAll, type RunRecord } from "@baton/store";
import { promptOf, replay, toFork, toForkCrew, rephraseFork } from "@baton/durable/replay";
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import { readJson } from "../../gateway/input/body.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { invalid, notFound } from "../../gateway/problem.ts";
import { ID, QUERY } from "../../gateway/input/text.ts";
import { setRunHeaders } from "../../runs/segment-answer.ts";
import { runPathOf, STARTED, startedViewOf } from "../../runs/run-view.ts";
import { findVisibleRun, type Service } from "../../service.ts";
import { CREW, toCrewView } from "../crew-view.ts";

const BLOCK = z.looseObject({
  kind: z.string(),
  source: z.string().meta({ description: "`system_prompt`, `skills`, `state:KEY`, `input`, `turn 7`, `call 3.1.2`" }),
  of: z.string().optional(),
});
const PROMPT = z
  .object({
    system: z.string(),
    messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
    tools: z.array(z.looseObject({ name: z.string(), description: z.string() })),
    blocks: z.array(BLOCK.extend({ tokens: z.int() })),
    left_out: z.array(BLOCK.extend({ reason: z.string() })),
    tokens: z.int().optional(),
    window: z.int().optional(),
  })
  .meta({ id: "StepPrompt" });

/** Chooses a crew: the one that the run started with, or one that is served now. */
const AGAINST = z.object({
  crew: ID.optional().meta({ description: "A crew that is served; without it the crew the run began with" }),
});
const FORK = AGAINST.extend({
  seq: z.int().min(1).meta({ description: "The event to continue from" }),
  input: QUERY.optional().meta({
    description: "Replaces the last message of a person at or before `seq`; what came after that message is left out",
  }),
});
const REPLAYED = z
  .object({
    identical: z.boolean(),
    events: z.int(),
    difference: z
      .object({ seq: z.int(), lane: z.string(), text: z.string(), logged: z.unknown(), now: z.unknown().optional() })
      .optional(),
  })
  .meta({ id: "Replay" });

/** Adds the routes that look back at runs. */
export function addRunPast(api: Api, service: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/runs/:id/crew",
      summary: "The crew that the run began with",
      scope: "read",
      answers: { 200: { description: "The crew", schema: CREW, headers: RUN_HEADERS } },
    },
    async (c) => {
      const record = await findVisibleRun(service, c, c.req.param("id") ?? "");
      setRunHeaders(c, record);
      const id = service.crews.idOf(record);
      const served = service.crews.find(id);
      const about =
        served === undefined ? { id } : { id, ...omitUndefined({ kind: served.kind, prompts: served.prompts }) };
      return c.json(toCrewView(await crewOf(service, record), about));
    },
  );
  api.add(
    {
      method: "get",
      // The position of a step in a group has slashes: 4/quiz/student/1.1
      path: "/api/runs/:id/steps/:step{.+}/prompt",
      summary: "The prompt of a step, rebuilt from the log: each part with its source",
      scope: "read",
      answers: { 200: { description: "The prompt", schema: PROMPT, headers: RUN_HEADERS } },
    },
    (c) => showPrompt(service, c),
  );
  api.add(
    {
      method: "post",
      path: "/api/runs/:id/replay",
      summary: "Replay the log through the engine without calling a model or tool, and report the first difference",
      scope: "read",
      body: AGAINST,
      answers: { 200: { description: "Whether it is identical", schema: REPLAYED, headers: RUN_HEADERS } },
    },
    (c) => check(service, c),
  );
  api.add(
    {
      method: "post",
      path: "/api/runs/:id/fork",
      summary: "Fork: start a new run with everything that was finished at an event, and continue live from there",
      scope: "run",
      body: FORK,
      answers: { 201: { description: "The new run", schema: STARTED, headers: [...RUN_HEADERS, "Location"] } },
    },
    (c) => fork(service, c),
  );
}

async function showPrompt(service: Service, c: GatewayContext): Promise<Response> {
  const record = await findVisibleRun(service, c, c.req.param("id") ?? "");
  setRunHeaders(c, record);
  const step = c.req.param("step") ?? "";
  const events = await readAll(service.store.database, record.id);
  if (!events.some((event) => event.type === "step.started" && event.step === step)) {
    throw notFound(`step ${step} in run ${record.id}`, { next: "GET /api/runs/:id/events has all steps." });
  }
  const { leftOut, ...prompt } = await promptOf(await crewOf(service, record), events, step);
  return c.json({ ...prompt, left_out: leftOut });
}

async function check(service: Service, c: GatewayContext): Promise<Response> {
  const { crew } = await readJson(c, AGAINST, { maxBytes: service.maxBodyBytes });
  const { record, events } = await readPast(service, c);
  setRunHeaders(c, record);
  const { guardOf } = service.engine;
  const difference = await replay(await toCrew(service, record, crew), events, omitUndefined({ guardOf }));
  const isIdentical = difference === undefined;
  return c.json({ identical: isIdentical, events: events.length, ...omitUndefined({ difference }) });
}

async function fork(service: Service, c: GatewayContext): Promise<Response> {
  const { crew, seq, input } = await readJson(c, FORK, { maxBytes: service.maxBodyBytes });
  service.admission.check();
  const { record, events } = await readPast(service, c);
  if (seq > events.length) {
    throw invalid([{ field: "seq", message: `must be at most ${events.length}, the number of events of the run` }]);
  }
  const { store, engine } = service;
  const id = newRunId(store.clock.now());
  const { tenant, user } = c.var;
  const like = toForkCrew(await toCrew(service, record, crew));
  const log = input === undefined ? toFork(events, seq, id) : rephraseFork(events, seq, { id, input });
  await engine.fork(like, log, { tenant, user, from: { run: record.id, seq } });
  const made = await engine.record(id);
  if (made === undefined) throw new BatonError("internal", `the fork ${id} was not written`);
  setRunHeaders(c, made);
  return c.json(startedViewOf(service, made), 201, { Location: runPathOf(service, id) });
}

interface Past {
  readonly record: RunRecord;
  readonly events: readonly RunEvent[];
}

async function readPast(service: Service, c: GatewayContext): Promise<Past> {
  const record = await findVisibleRun(service, c, c.req.param("id") ?? "");
  const events = await readAll(service.store.database, record.id);
  if (events.length > 0) return { record, events };
  throw new BatonError("conflict", `run ${record.id} has not started: it has no log yet`);
}

function toCrew(service: Service, record: RunRecord, asked: string | undefined): Crew | Promise<Crew> {
  return asked === undefined ? crewOf(service, record) : service.crews.get(asked, "crew").crew;
}

function crewOf({ crews, store }: Service, record: RunRecord): Promise<Crew> {
  return crews.restore(store.database, record);
}
