/**
 * @baton/restate: placement on Restate, for runs on many machines.
 *
 * Start reading at `restate-placement.ts`.
 */
export { type EndpointOptions } from "./endpoint.ts";
export { RestatePlacement, type RestateOptions, type WorkerOptions } from "./restate-placement.ts";
export { WorkerProxy, type WorkerProxyOptions } from "./worker-proxy.ts";
