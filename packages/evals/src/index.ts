/**
 * @baton/evals: is a crew good, did a change make it worse, what would it do. Everything is decided from logs.
 */
export { type CheckOutcome, type CodeCheck, defineCheck, scoreRun } from "./checks.ts";
export { type Doubles, withDoubles } from "./doubles.ts";
export { type CaseChecks, type EvalCase, isCaseFile, readCases, readChecks } from "./eval-case.ts";
export { redactSecrets, toJsonLines, toJunit } from "./eval-output.ts";
export {
  compareReports,
  type Comparison,
  evaluate,
  type EvalReport,
  findBrokenGates,
  type Gates,
  toReport,
} from "./evaluate.ts";
export { importCases } from "./import-cases.ts";
export { judge, type Judged } from "./judge.ts";
export { openReplies, type ReplyMode } from "./recorded-replies.ts";
export { type ScoredRun, toScoredRun } from "./scored-run.ts";
export { toKappa, toPassK, toSignP } from "./statistics.ts";
export { toCase } from "./to-case.ts";
export { playCase, type PlayedCase, runTrial, type TrialModel, type TrialResult } from "./trial.ts";
