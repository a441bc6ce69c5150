/**
 * A2A for crews: the routes that the composition root mounts, and the tools that ask other agents.
 */
export { a2aRoutes, type A2aRoutesOptions } from "./a2a-routes.ts";
export type { A2aPartner } from "./client/partner-link.ts";
export { a2aTools } from "./client/partner-tools.ts";
