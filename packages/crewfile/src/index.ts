/**
 * @baton/crewfile: reads crews written in YAML, says what is wrong with them and where, explores and draws them.
 *
 * Start reading at `read/read-crew.ts`.
 */
export type { CrewExposure } from "./read/fields/expose-fields.ts";
export { openPolicies, reportPolicies } from "./read/policy-file.ts";
export { checkRules } from "./check/policy-check.ts";
export type { CrewFile, ScriptFile } from "./read/crew-file.ts";
export { type Drawing, toDrawing } from "./draw/drawing.ts";
export { explore, type Exploration } from "./check/explore.ts";
export type { FileFinding } from "./read/yaml/finding.ts";
export type { ImportModule } from "./read/modules/import-file.ts";
export { toMermaid } from "./draw/mermaid.ts";
export type { OnShutdown } from "./read/modules/tool-module.ts";
export { checkCrew, type CheckFinding } from "./check/check-crew.ts";
export { sandboxCrew } from "./read/isolated-tools.ts";
export { isCrewCode, readCrew, readCrews, readScript } from "./read/read-crew.ts";
export type { CodeText, CodeVersion, MakeMcpTools, ReadOptions } from "./read/read-options.ts";
export { toSvg } from "./draw/svg.ts";
export { serverOf, toServerLines } from "./draw/tool-sources.ts";
export type { GraphFinding } from "./check/routing-analysis.ts";
export type { WorstCase } from "./check/worst-case.ts";
export { interpretCrew } from "./read/code-interpreter.ts";
