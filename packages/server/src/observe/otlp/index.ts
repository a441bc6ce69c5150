/**
 * @baton/server/telemetry: spans and metrics of runs to a collector, for programs that open an engine themselves.
 */
export { RunTracer } from "../spans/run-tracer.ts";
export { openTelemetry, type Telemetry } from "./telemetry.ts";
export { readTelemetrySettings, type TelemetryOptions } from "./telemetry-settings.ts";
