/**
 * Evaluate: all trials of all cases, some at a time, and what they add up to.
 */
import type { EvalCase } from "./eval-case.ts";
import { type CaseTrials, type PassK, toKappa, toPassK, toSignP } from "./statistics.ts";
import { runTrial, type TrialOptions, type TrialResult } from "./trial.ts";

/** Money that is left. */
export type Purse = { leftUsd: number };

/** Options of an evaluation. */
export interface EvaluateOptions extends TrialOptions {
  readonly cases: readonly EvalCase[];
  readonly version: string;
  readonly repeat?: number;
  readonly parallel?: number;
  /** Money for all trials together; several evaluations may share it. */
  readonly purse?: Purse | undefined;
  readonly onResult?: (result: TrialResult) => void;
}

/** Comparison with another crew, case by case. */
export type Comparison = Readonly<{ better: number; worse: number; same: number; p: number; verdict: string }>;

/** The sum of an evaluation. */
export interface EvalReport {
  readonly crew: string;
  readonly cases: number;
  readonly trials: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly pass_k: readonly PassK[];
  readonly against?: Comparison;
  /** The judge's verdicts beside those of people, if there are labels. */
  readonly judge?: Agreement;
  readonly cost_usd: number;
  readonly results: readonly TrialResult[];
}

/** Plays all trials; results are in the order of the cases. */
export async function evaluate(options: EvaluateOptions): Promise<EvalReport> {
  const { cases, repeat = 1, parallel = 4, version, onResult, purse } = options;
  const trials = cases.flatMap((one) => Array.from({ length: repeat }, (_, at) => ({ one, trial: at + 1 })));
  const results = new Map<number, TrialResult>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < trials.length; at = next++) {
      const { one, trial } = trials[at] ?? {};
      if (one === undefined || trial === undefined) return;
      // Each trial reserves its share, so that those at once cannot spend more than there is.
      const share = (purse?.leftUsd ?? 0) / Math.max(1, Math.min(parallel, trials.length - at));
      if (purse !== undefined) purse.leftUsd -= share;
      const own = purse === undefined ? options : { ...options, maxUsd: share };
      const played = await runTrial(one, trial, own);
      const result: TrialResult = { version, ...played.result };
      if (purse !== undefined) purse.leftUsd += share - played.spentUsd;
      results.set(at, result);
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, parallel) }, work));
  return toReport(
    options.crew.name,
    cases.length,
    trials.flatMap((_, at) => results.get(at) ?? []),
  );
}

/** Sums results up; errors count neither as passed nor as failed. */
export function toReport(crew: string, cases: number, results: readonly TrialResult[]): EvalReport {
  const count = (status: TrialResult["status"]) => results.filter((one) => one.status === status).length;
  return {
    crew,
    cases,
    trials: results.length,
    passed: count("pass"),
    failed: count("fail"),
    errors: count("error"),
    pass_k: toPassK([...toTrials(results).values()]),
    cost_usd: results.reduce((sum, one) => sum + one.cost_usd, 0),
    results,
  };
}

function toTrials(results: readonly TrialResult[]): ReadonlyMap<string, CaseTrials> {
  const groups = Map.groupBy(
    results.filter(({ status }) => status !== "error"),
    (one) => one.case,
  );
  return new Map(
    Array.from(groups, ([id, own]) => [
      id,
      { trials: own.length, passed: own.filter(({ status }) => status === "pass").length },
    ]),
  );
}

/** Compares two evaluations of the same cases, paired by case. */
export function compareReports(own: EvalReport, other: EvalReport): Comparison {
  const [ours, theirs] = [toTrials(own.results), toTrials(other.results)];
  let [better, worse, same] = [0, 0, 0];
  for (const [id, { passed, trials }] of ours) {
    const pair = theirs.get(id);
    if (pair === undefined) continue;
    const difference = passed / trials - pair.passed / pair.trials;
    if (difference > 0) better += 1;
    else if (difference < 0) worse += 1;
    else same += 1;
  }
  const p = toSignP(better, worse);
  const verdict = p > 0.05 ? "no evidence" : better > worse ? "better" : "worse";
  return { better, worse, same, p, verdict };
}

/** A person's verdict on a criterion of a case. */
export type Label = Readonly<{ case: string; criterion: string; label: boolean }>;

/** Agreement of a judge with people. */
export type Agreement = Readonly<{ labels: number; agreement: number; kappa: number }>;

/** Compares a judge's verdicts with labels; undefined if no label belongs to a verdict. */
export function toAgreement({ results }: EvalReport, labels: readonly Label[]): Agreement | undefined {
  const pairs = labels.flatMap(({ case: id, criterion, label }) =>
    results.flatMap((result) =>
      result.case !== id
        ? []
        : result.checks.flatMap(({ check, pass, isError }) =>
            check === `judge: ${criterion}` && isError === undefined ? ([[label, pass]] as const) : [],
          ),
    ),
  );
  if (pairs.length === 0) return undefined;
  const agreed = pairs.filter(([label, pass]) => label === pass).length;
  return { labels: pairs.length, agreement: agreed / pairs.length, kappa: toKappa(pairs) };
}

/** Bounds that an evaluation must keep. */
export type Gates = Readonly<{
  minPass: number;
  minPassK?: number | undefined;
  maxCostUsd?: number | undefined;
  noWorse: boolean;
}>;

/** The gates that do not hold, each as a sentence. */
export function findBrokenGates(
  report: EvalReport,
  { minPass, minPassK, maxCostUsd, noWorse }: Gates,
): readonly string[] {
  const { errors, against, cost_usd: cost, pass_k: rates } = report;
  const rate = rates[0]?.value ?? 0;
  const last = rates.at(-1);
  const broken: string[] = [];
  if (errors > 0) broken.push(`${errors} of ${report.trials} trials are errors`);
  if (report.trials > errors && rate < minPass)
    broken.push(`${toPercent(rate)} pass, --min-pass is ${toPercent(minPass)}`);
  if (minPassK !== undefined && (last?.value ?? 0) < minPassK)
    broken.push(`pass^${last?.k ?? 1} is ${toPercent(last?.value ?? 0)}, --min-pass-k is ${toPercent(minPassK)}`);
  if (maxCostUsd !== undefined && cost > maxCostUsd)
    broken.push(`it cost ${cost} USD, --max-cost-usd is ${maxCostUsd}`);
  const isWorse = against !== undefined && (against.worse > against.better || against.verdict === "worse");
  if (noWorse && isWorse) broken.push(`worse on ${against.worse} cases, better on ${against.better} (--no-worse)`);
  return broken;
}

const toPercent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
