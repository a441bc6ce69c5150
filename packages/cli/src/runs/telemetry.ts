/**
 * Telemetry: sends the spans of a command's runs to a collector, if one is set.
 */
import { findSecrets } from "@baton/baton/secrets";
import type { DurableEngine } from "@baton/durable";
import { type CommandLine, valueOf } from "../command-line.ts";

type EngineOptions = ConstructorParameters<typeof DurableEngine>[0];

/** Watches the runs of one engine; disposing sends what is left. */
export interface CommandTelemetry extends AsyncDisposable {
  readonly observe: NonNullable<EngineOptions["observe"]>;
  readonly watchModel: (model: EngineOptions["model"]) => EngineOptions["model"];
}

/** Opens telemetry for a command. */
export async function openCommandTelemetry(commandLine: CommandLine): Promise<CommandTelemetry> {
  const { openTelemetry, readTelemetrySettings, RunTracer } = await import("@baton/server/telemetry");
  const otlp = valueOf(commandLine, "otlp");
  const content = commandLine.flags.has("otlp-content") ? { content: true } : {};
  const settings = readTelemetrySettings({ ...(otlp === undefined ? {} : { otlp }), ...content }, process.env);
  const warn = (text: string) => process.stderr.write(`${text}\n`);
  const telemetry = settings && openTelemetry(settings, { warn });
  const { tracerProvider, hasContent } = telemetry ?? {};
  const tracer = new RunTracer({ tracerProvider, hasContent, secrets: findSecrets(process.env, []) });
  return {
    observe: (event) => tracer.observe(event),
    watchModel: (model) => (agent, crew) => tracer.watchModel(model(agent, crew)),
    async [Symbol.asyncDispose]() {
      tracer.close();
      await telemetry?.[Symbol.asyncDispose]();
    },
  };
}
