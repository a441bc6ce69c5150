/**
 * Eval routes: stored evaluations, the cases of served crews, and rules tried on stored runs, for the console.
 *
 * Results are those of the caller's tenant. Nothing here runs a crew.
 */
import { appendFile, mkdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { BatonError, type Crew, type Json } from "@baton/core";
import {
  listEvals,
  parseCase,
  readCases,
  readEval,
  redactSecrets,
  storedEval,
  storedResult,
  toCase,
} from "@baton/evals";
import { type PolicyTrial, tryPolicies } from "@baton/policy";
import { checkRules } from "@baton/crewfile";
import { defineRoute, type MountRequest, type RouteMount } from "@baton/server/mount";
import { LOCAL, readAll } from "@baton/store";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { findCases, folderOfCrew } from "./case-files.ts";

/** A served crew and the path it was read from. */
export type EvaluatedCrew = Readonly<{ id: string; path: string }>;

const NAME = /^[\w-]{1,64}$/;
const MAX_RUNS = 500;
const MAX_RULES_CHARS = 64_000;
const HOUR_MS = 3_600_000;

/** The routes for these crews. */
export function evalRoutes(crews: readonly EvaluatedCrew[]): readonly RouteMount[] {
  return [listRoute(), datasetsRoute(crews), readRoute(), keepRoute(crews), tryRoute()];
}

const documentsOf = ({ store, tenant }: MountRequest) => store.database.documents({ tenant, user: LOCAL.user });

const LIST = z.object({
  crew: z.string().max(128).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.iso.datetime({ offset: true }).optional(),
});

function listRoute(): RouteMount {
  return defineRoute({
    method: "get",
    path: "/api/evals",
    summary: "Lists stored evaluations, the newest first",
    scope: "read",
    query: LIST,
    answers: { 200: { description: "Evaluations", schema: z.object({ evals: z.array(storedEval) }) } },
    async handle(request) {
      const { crew, limit, before } = request.query;
      const until = before === undefined ? {} : { before: Date.parse(before) };
      return Response.json({ evals: await listEvals(documentsOf(request), { crew, limit, ...until }) });
    },
  });
}

function readRoute(): RouteMount {
  return defineRoute({
    method: "get",
    path: "/api/evals/:id",
    summary: "Returns an evaluation with the results of its trials",
    scope: "read",
    answers: {
      200: { description: "An evaluation", schema: storedEval.extend({ results: z.array(storedResult) }) },
    },
    async handle(request) {
      const found = await readEval(documentsOf(request), request.params["id"] ?? "");
      if (found === undefined) throw new BatonError("not_found", "there is no such evaluation");
      return Response.json(found);
    },
  });
}

const DATASET = z.object({
  dataset: z.string(),
  crew: z.string(),
  cases: z.array(z.object({ id: z.string(), input: z.string(), tags: z.array(z.string()) })),
  problem: z.string().optional(),
  last: storedEval.optional(),
});

function datasetsRoute(crews: readonly EvaluatedCrew[]): RouteMount {
  return defineRoute({
    method: "get",
    path: "/api/evals/datasets",
    summary: "Lists the files of cases of the served crews, with the last evaluation of each crew",
    scope: "read",
    answers: { 200: { description: "Datasets", schema: z.object({ datasets: z.array(DATASET) }) } },
    async handle(request) {
      const datasets: z.infer<typeof DATASET>[] = [];
      for (const { id, path } of ownCrews(request, crews)) {
        const crew = request.crews.find((one) => one.id === id)?.crew.name ?? id;
        const [last] = await listEvals(documentsOf(request), { crew, limit: 1 });
        for (const file of await findCases(path)) {
          const about = { dataset: basename(file, extname(file)), crew: id, ...(last !== undefined && { last }) };
          datasets.push({ ...about, ...(await readDataset(file)) });
        }
      }
      return Response.json({ datasets });
    },
  });
}

/** The crews that the caller may use. */
function ownCrews({ crews: visible }: MountRequest, crews: readonly EvaluatedCrew[]): readonly EvaluatedCrew[] {
  return crews.filter(({ id }) => visible.some((one) => one.id === id));
}

async function readDataset(file: string): Promise<Pick<z.infer<typeof DATASET>, "cases" | "problem">> {
  try {
    const cases = await readCases([file]);
    return {
      cases: cases.map(({ id, input, messages, tags }) => ({ id, input: input ?? messages?.[0] ?? "", tags })),
    };
  } catch (error) {
    return { cases: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

const KEEP = z.strictObject({
  run: z.string().max(128),
  id: z.string().max(128).optional(),
  checks: z.record(z.string(), z.json()).optional(),
});

function keepRoute(crews: readonly EvaluatedCrew[]): RouteMount {
  return defineRoute({
    method: "post",
    path: "/api/evals/:dataset/cases",
    summary: "Keeps a run as a case in a file of its crew's folder",
    scope: "admin",
    body: KEEP,
    answers: {
      201: {
        description: "The case",
        schema: z.object({ dataset: z.string(), crew: z.string(), id: z.string() }),
      },
    },
    async handle(request) {
      const dataset = request.params["dataset"] ?? "";
      if (!NAME.test(dataset)) throw new BatonError("invalid", "`dataset` must be 1 to 64 letters, digits, _ and -");
      const { run, id = `case-${run.slice(-8)}`, checks } = request.body;
      const { crew } = await request.run(run);
      const served = crews.find((one) => one.id === crew);
      if (served === undefined) throw new BatonError("not_found", `the crew ${crew} is not served from a folder`);
      const own = toCase(id, await readAll(request.store.database, run));
      const text = redactSecrets(JSON.stringify(checks === undefined ? own : { ...own, checks }), process.env);
      const value: unknown = JSON.parse(text);
      const others = (await readCases(await findCases(served.path))).map((one) => one.id);
      const kept = parseCase(value);
      if (others.includes(kept.id)) throw new BatonError("conflict", `there is a case ${kept.id} already`);
      await append(served.path, dataset, value);
      return Response.json({ dataset, crew: served.id, id: kept.id }, { status: 201 });
    },
  });
}

async function append(path: string, dataset: string, value: unknown): Promise<void> {
  const folder = join(folderOfCrew(path), "evals");
  await mkdir(folder, { recursive: true });
  const yaml = ["yaml", "yml"].map((end) => join(folder, `${dataset}.${end}`)).find((file) => existsSync(file));
  if (yaml !== undefined) await appendFile(yaml, stringify([value], { aliasDuplicateObjects: false }));
  else await appendFile(join(folder, `${dataset}.jsonl`), `${JSON.stringify(value)}\n`);
}

const TRY = z.strictObject({
  crew: z.string().max(128),
  /** Rules as crew.yaml has them, as YAML text; without them the crew's own. */
  rules: z.string().max(MAX_RULES_CHARS).optional(),
  hours: z
    .number()
    .min(1)
    .max(24 * 30)
    .default(24),
});
const VERDICT = z.enum(["allow", "ask", "deny"]);
const TRIED = z.object({
  runs: z.number(),
  calls: z.number(),
  allow: z.number(),
  ask: z.number(),
  deny: z.number(),
  changed: z.array(
    z.object({
      run: z.string(),
      call: z.string(),
      tool: z.string(),
      args: z.json(),
      was: VERDICT,
      now: VERDICT,
      rules: z.array(z.string()),
      message: z.string(),
    }),
  ),
});

function tryRoute(): RouteMount {
  return defineRoute({
    method: "post",
    path: "/api/policies/try",
    summary: "Tries rules on stored runs; nothing is called and nothing is changed",
    scope: "read",
    body: TRY,
    answers: { 200: { description: "Verdicts", schema: TRIED } },
    async handle(request) {
      const { crew: id, rules, hours } = request.body;
      const crew = request.crews.find((one) => one.id === id)?.crew;
      if (crew === undefined) throw new BatonError("not_found", `there is no crew ${id}`);
      return Response.json(await tryRules(request, crew, { policies: toPolicies(rules, crew), hours }));
    },
  });
}

function toPolicies(rules: string | undefined, crew: Crew): Json {
  if (rules === undefined) return crew.policies ?? {};
  const policies = z.json().safeParse(parseYaml(rules)).data;
  if (policies === undefined) throw new BatonError("invalid", "`rules` is not YAML");
  const { agents, tools, subCrews } = crew;
  const [problem] = checkRules({ agents: [...agents.values()], tools: [...tools.values()], subCrews, policies }).filter(
    ({ severity }) => severity === "error",
  );
  if (problem !== undefined) throw new BatonError("invalid", `${problem.path.join(".")}: ${problem.message}`);
  return policies;
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 50 });
  } catch {
    return undefined;
  }
}

type Asked = Readonly<{ policies: Json; hours: number }>;

async function tryRules(
  { store, tenant, user, scopes }: MountRequest,
  crew: Crew,
  { policies, hours }: Asked,
): Promise<Omit<PolicyTrial, "verdicts">> {
  const whose = scopes.includes("admin") ? { tenant } : { tenant, user };
  const since = store.clock.now() - hours * HOUR_MS;
  const records = await store.database.runs.list({ ...whose, crew: crew.name, since, limit: MAX_RUNS });
  const sum = { runs: 0, calls: 0, allow: 0, ask: 0, deny: 0 };
  const changed: PolicyTrial["changed"][number][] = [];
  for (const { id } of records) {
    const { verdicts: _, changed: own, ...counts } = tryPolicies(policies, await readAll(store.database, id), crew);
    for (const name of ["runs", "calls", "allow", "ask", "deny"] as const) sum[name] += counts[name];
    changed.push(...own);
    await setImmediate();
  }
  return { ...sum, changed };
}
