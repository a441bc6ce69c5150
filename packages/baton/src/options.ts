/**
 * Options: the options of `openBaton` and `serve`, checked before anything is opened.
 *
 * A wrong option is refused with one sentence that names it and says what to write.
 */
import { BatonError, type Crew, type Model } from "@baton/core";
import type { Level } from "@baton/core/ports";
import { nearest } from "@baton/core/util";
import type { ProtocolOptions } from "./optional/protocol-routes.ts";
import type { Environment } from "@baton/models";
import type { HandlerOptions, ServerOptions } from "@baton/server";
import type { TelemetryOptions } from "@baton/server/telemetry";
import type { ModelOf } from "./model-choice.ts";

/** Options of `openBaton`; all are optional. */
export interface BatonOptions {
  /** The folder that keeps runs, in SQLite. Default: `BATON_DATA`, else `.baton`. */
  readonly data?: string;
  /** The URL of a Postgres that keeps runs instead. */
  readonly postgres?: string;
  /** `memory`: runs are kept only as long as this process lives. */
  readonly store?: "memory";
  /**
   * The model of every agent: a name such as `openai/gpt-5-mini`, a model in code, or a function. Default: what agents
   * and crews name, else the provider whose key is set, else the offline model.
   */
  readonly model?: string | Model | ModelOf;
  /** Crews in code, and folders of crews in YAML. */
  readonly crews?: readonly (string | Crew)[];
  /** Where keys are looked for. Default: `process.env`, with what `envFile` adds to it. */
  readonly env?: Environment;
  /**
   * Whether the `.env` beside each folder of `crews`, then the one in the current folder, are read into `process.env`; a
   * variable that is set stays as it is. Default: true, but not if `env` is given.
   */
  readonly envFile?: boolean;
  /** Levels for tools with `isolation: container`, or instead of those of `@baton/sandbox`. */
  readonly levels?: readonly Level[];
  /** Tool calls that run at the same time, in all runs together. Default 256. */
  readonly maxToolCalls?: number;
  /**
   * Sends spans and metrics of runs to an OpenTelemetry collector. Default: what the standard variables say, such as
   * `OTEL_EXPORTER_OTLP_ENDPOINT`; else a tracer provider that the program has registered gets the spans.
   */
  readonly telemetry?: TelemetryOptions;
}

/** Options of a server; `console: false` leaves the console out. */
export interface ServeOptions
  extends
    ProtocolOptions,
    Pick<
      ServerOptions,
      | "host"
      | "port"
      | "allowedHosts"
      | "origins"
      | "rateLimits"
      | "graceMs"
      | "maxRuns"
      | "maxBodyBytes"
      | "models"
      | "logLevel"
      | "logTo"
      | "routes"
      | "dialects"
      | "onShutdown"
      | "retention"
    > {
  readonly console?: boolean;
}

/** Options of a handler. The host of the handler stops it; `console` is not served below a `basePath`. */
export type HandleOptions = Omit<ServeOptions, "host" | "port"> & Pick<HandlerOptions, "basePath" | "identify">;

const OPTIONS = [
  "data",
  "postgres",
  "store",
  "model",
  "crews",
  "env",
  "envFile",
  "levels",
  "maxToolCalls",
  "telemetry",
] as const;

type Rule = readonly [isBroken: boolean, message: string];

/** Throws `invalid` at the first option that cannot be. */
export function checkOptions(options: BatonOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.some((known) => known === name));
  if (unknown !== undefined) {
    const near = nearest(unknown, OPTIONS);
    const hint = near === undefined ? `it takes ${OPTIONS.join(", ")}` : `did you mean \`${near}\`?`;
    throw new BatonError("invalid", `openBaton has no option \`${unknown}\`; ${hint}`);
  }
  const { data, postgres, store, model, crews, env, envFile, levels, maxToolCalls, telemetry } = options;
  const places = [data, postgres, store].filter((place) => place !== undefined);
  const rules: readonly Rule[] = [
    [!isText(data), "`data` must be the path of a folder, such as .baton"],
    [!isText(postgres), "`postgres` must be a URL, such as postgres://user@host/database"],
    [store !== undefined && store !== "memory", '`store` must be "memory", or left out'],
    [places.length > 1, "`data`, `postgres` and `store` exclude each other; leave all but one out"],
    [!isModel(model), "`model` must be a model's name, a model or a function that gives one"],
    [crews !== undefined && !Array.isArray(crews), "`crews` must be a list of crews and folders of crews"],
    [typeof env !== "undefined" && (typeof env !== "object" || env === null), "`env` must be an object of variables"],
    [!["undefined", "boolean"].includes(typeof envFile), "`envFile` must be true or false"],
    [envFile === true && env !== undefined, "`envFile` and `env` exclude each other; leave one of them out"],
    [
      telemetry !== undefined && (typeof telemetry !== "object" || telemetry === null),
      '`telemetry` must be an object, such as {otlp: "http://127.0.0.1:4318"}',
    ],
    [levels !== undefined && !Array.isArray(levels), "`levels` must be a list of levels"],
    [!isCount(maxToolCalls), "`maxToolCalls` must be a whole number above 0"],
  ];
  const broken = rules.find(([isBroken]) => isBroken);
  if (broken !== undefined) throw new BatonError("invalid", broken[1]);
}

function isText(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && value !== "");
}

function isCount(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Number.isSafeInteger(value) && value > 0);
}

function isModel(value: unknown): boolean {
  if (value === undefined || typeof value === "function" || (typeof value === "string" && value !== "")) return true;
  return typeof value === "object" && value !== null && "stream" in value;
}
