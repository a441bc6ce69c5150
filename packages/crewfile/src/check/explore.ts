/**
 * Explore: what the routing of a crew allows, found before anything is paid for.
 *
 * Looks at every way the baton can go with any replies of the models. Only a crew that can reach neither an end nor a
 * pause is an error; all else may be meant. Linear in agents and signals, for any crew, also one built in code.
 */
import type { Crew } from "@baton/core";
import { checkCode } from "./code-check.ts";
import { checkCycles, checkEnds, checkEntry, checkFailures, checkPauses } from "./end-check.ts";
import { checkGroups } from "./group-check.ts";
import { checkMentions } from "./mention-check.ts";
import { checkSignalPlaces } from "./place-check.ts";
import { checkPrompts } from "./prompt-check.ts";
import { checkFallbacks, checkHandoffLimit, checkReach } from "./reach-check.ts";
import { checkReturns, checkValues } from "./route-check.ts";
import { analyzeRouting, type GraphFinding } from "./routing-analysis.ts";
import { findWorstCase, type WorstCase } from "./worst-case.ts";

/** The result of exploring a crew. */
export interface Exploration {
  readonly findings: readonly GraphFinding[];
  readonly worst: WorstCase;
}

/** Explores every way the baton can go. */
export function explore(crew: Crew): Exploration {
  const view = analyzeRouting(crew);
  const findings = [
    ...checkEntry(view),
    ...checkEnds(view),
    ...checkCycles(view),
    ...checkPauses(view),
    ...checkFailures(view),
    ...checkFallbacks(view),
    ...checkReach(view),
    ...checkHandoffLimit(view),
    ...checkGroups(view),
    ...checkMentions(view),
    ...checkPrompts(view),
    ...checkSignalPlaces(view),
    ...checkValues(view),
    ...checkReturns(view),
    ...checkCode(view),
  ];
  return { findings, worst: findWorstCase(view) };
}
