/**
 * @baton/core/testing: what tests of crews, tools and ports use.
 */
export { SimulatedClock } from "./simulated-clock.ts";
