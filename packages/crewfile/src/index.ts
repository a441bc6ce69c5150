/**
 * @baton/crewfile: reads crews written in YAML, says what is wrong with them and where, explores and draws them.
 *
 * Start reading at `read.ts`.
 */
export type { CrewFile, ScriptFile } from "./crew-file.ts";
export { type Drawing, toDrawing } from "./drawing.ts";
export { explore, type Exploration } from "./explore.ts";
export type { FileFinding } from "./finding.ts";
export type { ImportModule } from "./import-file.ts";
export { toMermaid } from "./mermaid.ts";
export { readCrew, readScript, type ReadOptions } from "./read.ts";
export { toSvg } from "./svg.ts";
export { ToolThreads, type ToolThreadsOptions } from "./tool-threads.ts";
export type { GraphFinding } from "./view.ts";
export type { WorstCase } from "./worst-case.ts";
