/**
 * Stored evals: results of evaluations as documents of a tenant, so that a console can show them.
 */
import type { Documents } from "@baton/core/ports";
import { z } from "zod";
import type { EvalReport } from "./evaluate.ts";

const EVALS = "evals";
const RESULTS = "eval_results";
/** Results in one document: far below its limit of 1 MiB. */
const PAGE_CHARS = 500_000;
const MAX_RESULT_CHARS = 100_000;

const passK = z.object({ k: z.number(), value: z.number(), low: z.number(), high: z.number() });

/** An evaluation without its results. */
export const storedEval = z.object({
  id: z.string(),
  crew: z.string(),
  version: z.string(),
  at: z.string(),
  cases: z.number(),
  trials: z.number(),
  passed: z.number(),
  failed: z.number(),
  errors: z.number(),
  pass_1: z.number(),
  pass_k: z.array(passK),
  cost_usd: z.number(),
  p50_seconds: z.number(),
});
export type StoredEval = z.infer<typeof storedEval>;

/** The result of one trial. */
export const storedResult = z.object({
  case: z.string(),
  trial: z.number(),
  version: z.string(),
  status: z.enum(["pass", "fail", "error"]),
  run: z.string(),
  checks: z.array(z.object({ check: z.string(), pass: z.boolean(), why: z.string() })),
  cost_usd: z.number(),
  seconds: z.number(),
});
type StoredResult = z.infer<typeof storedResult>;

/** The id and time of an evaluation, and a function that takes secrets out of its texts. */
export type StoringOptions = Readonly<{ id: string; at: number; clean: (text: string) => string }>;

/** Stores an evaluation with its results. */
export async function saveEval(
  documents: Documents,
  { results, crew, cases, trials, passed, failed, errors, pass_k: rates, cost_usd }: EvalReport,
  { id, at, clean }: StoringOptions,
): Promise<void> {
  const lines = results.map((result) => clean(JSON.stringify(result)).slice(0, MAX_RESULT_CHARS));
  const kept = lines.flatMap((line) => parseResult(line) ?? []);
  const pages: StoredResult[][] = [[]];
  let chars = 0;
  for (const [index, result] of kept.entries()) {
    chars += lines[index]?.length ?? 0;
    if (chars > PAGE_CHARS) chars = pages.push([]) - pages.length;
    pages.at(-1)?.push(result);
  }
  await documents.putAll(
    RESULTS,
    pages.map((page, number) => ({ id: `${id}:${String(number).padStart(5, "0")}`, data: page, index: { eval: id } })),
  );
  const seconds = results.map((one) => one.seconds).toSorted((one, other) => one - other);
  const stored: StoredEval = {
    id,
    crew,
    version: results[0]?.version ?? "",
    at: new Date(at).toISOString(),
    cases,
    trials,
    passed,
    failed,
    errors,
    pass_1: rates[0]?.value ?? 0,
    pass_k: [...rates],
    cost_usd,
    p50_seconds: seconds[Math.floor(seconds.length / 2)] ?? 0,
  };
  await documents.put(EVALS, { id, data: stored, index: { at, crew } });
}

function parseResult(line: string): StoredResult | undefined {
  try {
    return storedResult.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Filter of a list: at most so many, made before a time. */
export type EvalFilter = Readonly<{ crew?: string | undefined; limit: number; before?: number | undefined }>;

/** Stored evaluations, the newest first. */
export async function listEvals(
  documents: Documents,
  { crew, limit, before = Infinity }: EvalFilter,
): Promise<readonly StoredEval[]> {
  const found: StoredEval[] = [];
  for (let after: string | undefined; found.length < limit;) {
    const where = crew === undefined ? {} : { where: { crew } };
    const page = await documents.list(EVALS, {
      ...where,
      orderBy: "at",
      order: "descending",
      limit: 1_000,
      ...(after !== undefined && { after }),
    });
    const read = page.documents.flatMap(({ data }) => storedEval.safeParse(data).data ?? []);
    found.push(...read.filter(({ at }) => Date.parse(at) < before));
    after = page.next;
    if (after === undefined) break;
  }
  return found.slice(0, limit);
}

/** An evaluation with its results; undefined if there is none. */
export async function readEval(
  documents: Documents,
  id: string,
): Promise<(StoredEval & { readonly results: readonly StoredResult[] }) | undefined> {
  const stored = storedEval.safeParse((await documents.get(EVALS, id))?.data).data;
  if (stored === undefined) return undefined;
  const results: StoredResult[] = [];
  for (let after: string | undefined; ;) {
    const page = await documents.list(RESULTS, { where: { eval: id }, ...(after !== undefined && { after }) });
    for (const { data } of page.documents) results.push(...(z.array(storedResult).safeParse(data).data ?? []));
    after = page.next;
    if (after === undefined) return { ...stored, results };
  }
}
