/**
 * @baton/server: crews over HTTP.
 *
 * `startServer` takes a store, crews and models, and gives a server that accepts requests. Keys are made with `KeyRing`.
 */
export { KeyRing, type Scope as KeyScope, SCOPES } from "./gateway/keys.ts";
export type { OnShutdown, RunningServer, ServedCrew, ServerOptions } from "./options.ts";
export { type EngineWatcher, ServerEngine, type ServerEngineOptions } from "./runs/server-engine.ts";
export { startServer } from "./server.ts";
