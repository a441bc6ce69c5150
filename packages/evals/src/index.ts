/**
 * @baton/evals: is a crew good, did a change make it worse, what would it do. Everything is decided from logs.
 */
export { type CheckOutcome, type CodeCheck, defineCheck, scoreRun } from "./checks.ts";
export { playConversation, type TrialModel } from "./conversation.ts";
export { type Doubles, withDoubles } from "./doubles.ts";
export { type CaseChecks, type EvalCase, isCaseFile, parseCase, readCases, readChecks } from "./eval-case.ts";
export { redactSecrets, toJsonLines, toJunit } from "./eval-output.ts";
export {
  type Agreement,
  compareReports,
  evaluate,
  type EvalReport,
  findBrokenGates,
  type Label,
  toAgreement,
  toReport,
} from "./evaluate.ts";
export { importCases } from "./import-cases.ts";
export { judge, VOTES } from "./judge.ts";
export { openReplies, type ReplyMode } from "./recorded-replies.ts";
export { type ScoredRun, toScoredRun } from "./scored-run.ts";
export { bisect, type Tried } from "./bisect.ts";
export { groupBy, type Shrunk, shrinkRun } from "./shrink.ts";
export { type Persona, readPersonas } from "./simulate/persona.ts";
export { simulate, type SimulationReport } from "./simulate/simulate.ts";
export { toKappa, toPassK, toSignP } from "./statistics.ts";
export { listEvals, readEval, saveEval, storedEval, storedResult } from "./stored-evals.ts";
export { toCase } from "./to-case.ts";
export { playCase, toStatus, type TrialJudge, type TrialResult } from "./trial.ts";
