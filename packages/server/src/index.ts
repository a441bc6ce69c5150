/**
 * @baton/server: crews over HTTP.
 *
 * `startServer` takes a store, crews and models, and gives a server that accepts requests. Keys are made with `KeyRing`.
 */
export { KeyRing, type KeyScope, SCOPES } from "./gateway/keys.ts";
export type { EngineWatcher, RunningServer, ServedCrew, ServerOptions, SharedEngine } from "./options.ts";
export { ServerEngine, type ServerEngineOptions } from "./runs/server-engine.ts";
export { startServer } from "./server.ts";
