/**
 * @baton/server: crews over HTTP.
 *
 * `startServer` takes a store, crews and models, and gives a server that accepts requests. Keys are made with `KeyRing`.
 */
export type { Identify, NamedCaller } from "./gateway/caller.ts";
export { KeyRing, type KeyScope, SCOPES } from "./gateway/keys.ts";
export { type HandlerOptions, openHandler, type RunningHandler } from "./handler.ts";
export type { EngineWatcher, RunningServer, ServedCrew, ServerOptions, SharedEngine } from "./options.ts";
export { ServerEngine, type ServerEngineOptions } from "./runs/server-engine.ts";
export { startServer } from "./server.ts";
