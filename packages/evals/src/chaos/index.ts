/**
 * @baton/evals/chaos: one conversation with every fault. A separate entry, so that the process that is killed loads little.
 */
export {
  ChaosProcessError,
  type ChaosReport,
  FAULT_KINDS,
  type FaultKind,
  isKillJob,
  type KillJob,
  playAndDie,
  runChaos,
} from "./chaos.ts";
export { readLogs } from "./chaos-life.ts";
export { toPlan } from "./chaos-plan.ts";
