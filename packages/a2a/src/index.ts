/**
 * A2A for crews: the routes that the composition root mounts.
 */
export { a2aRoutes, type A2aRoutesOptions } from "./a2a-routes.ts";
