/**
 * @baton/server: crews over HTTP.
 *
 * `startServer` takes a store, crews and models, and gives a server that accepts requests. Keys are made with `KeyRing`.
 */
export { isLoopback } from "./gateway/host-check.ts";
export { KeyRing, type Scope as KeyScope, SCOPES } from "./gateway/keys.ts";
export type { RateLimits } from "./gateway/rate-limit.ts";
export type { CrewFinding, RunningServer, ServedCrew, ServerOptions } from "./options.ts";
export { startServer } from "./server.ts";
