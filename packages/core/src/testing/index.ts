/**
 * @baton/core/testing: what tests of crews, tools and ports use.
 *
 * Scripted runs, tools on their own, and time that passes when it is told to.
 */
export { inSlice } from "./in-slice.ts";
export { collect, of, play, type Played, type Replies } from "./crew-runs.ts";
export { assertLinear } from "./growth.ts";
export { type HostSegment, type MakeSegment, testHost } from "./host-suite.ts";
export { type MakeLedger, testLedger } from "./ledger-suite.ts";
export { type MakeLog, testLog } from "./log-suite.ts";
export { testModel } from "./model-suite.ts";
export { type CodeScript, scriptInterpreter } from "../ports/script-interpreter.ts";
export { simulate, type Simulated } from "./simulation.ts";
export { SimulatedClock } from "./simulated-clock.ts";
export { callTool, refusedPaths, toolContext, toolOf } from "./tool-context.ts";
