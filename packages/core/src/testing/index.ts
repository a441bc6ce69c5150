/**
 * @baton/core/testing: what tests of crews, tools and ports use.
 *
 * Scripted runs, tools on their own, and time that passes when it is told to.
 */
export { collect, of, play, type Played, type Replies } from "./crew-runs.ts";
export { SimulatedClock } from "./simulated-clock.ts";
export { callTool, refusedPaths, toolContext, toolOf } from "./tool-context.ts";
