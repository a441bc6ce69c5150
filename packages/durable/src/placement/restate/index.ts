/**
 * @baton/durable/restate: placement on Restate, for runs on many machines. It needs the package `@restatedev/restate-sdk`.
 *
 * Start reading at `restate-placement.ts`.
 */
export { type RestateEndpointOptions } from "./endpoint.ts";
export { RestatePlacement, type RestateOptions, type WorkerOptions } from "./restate-placement.ts";
export { WorkerProxy, type WorkerProxyOptions } from "./worker-proxy.ts";
