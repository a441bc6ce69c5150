/**
 * Settings: all settings of a server in one schema: names, types, defaults, descriptions, options and variables.
 *
 * Options, help, the environment, the configuration file and `--print-config` use this table.
 */
import { hidePassword } from "@baton/baton/secrets";
import { omitUndefined } from "@baton/core/util";
import { EMBEDDING_PROVIDERS, MODEL_PROVIDERS } from "@baton/models/choice";
import { isHost, isOrigin } from "@baton/server/hosts";
import { isQdrantUrl, isRedisUrl } from "@baton/store/urls";
import { z } from "zod";
import { MAX_CODE, toLimits, USER_PLANS } from "./limit-settings.ts";
import { isEmbeddings, isHttpUrl, isModel, isPostgres, list, text, toSwitch, whole } from "./setting-values.ts";

/** The commands whose settings these are. */
export type SettingCommand = "serve" | "worker";

/** A setting without its type. */
interface About {
  readonly meaning: string;
  /** The placeholder of its value in help; undefined for a switch. */
  readonly value?: string;
  /** Its option, if that is not its name; false if it has none. */
  readonly flag?: string | false;
  /** The only command that takes it as an option; undefined if both do. The environment and the file are shared by both. */
  readonly only?: SettingCommand;
  /** Its environment variable is `BATON_` and its option; false if it has none. */
  readonly variable?: false;
  /** As text, its values are separated by commas. */
  readonly isList?: boolean;
  /** In the file, it is relative to the file's folder. */
  readonly isPath?: boolean;
  /** Hides secrets when it is printed. */
  readonly hide?: (value: string) => string;
}

const ABOUT = z.registry<About>();

const RATE_LIMIT = "must be off, or requests a minute such as key=600,premium=3000,session=120,global=6000";
const POSTGRES = "must look like postgres://user:password@host/database";
const REDIS = "must look like redis://user:password@host:6379/0, or rediss:// for TLS";
const QDRANT = "must look like http://host:6333, or https:// for TLS";
const RESTATE = "must be URLs of Restate's ingress, each as http://host:8080";
const RESTATE_ADMIN = "must be the URL of Restate's admin API, as http://host:9070";
const WORKER_URL = "must be the URL at which Restate reaches the workers, as http://host:9080";
const EMBEDDINGS = `must be a model of ${EMBEDDING_PROVIDERS.join(", ")}, such as openai/text-embedding-3-small`;
const MODEL = `must be a model of ${MODEL_PROVIDERS.join(", ")}, such as openai/gpt-5-mini`;
const MODELS = `must be models of ${MODEL_PROVIDERS.join(", ")}, each such as openai/gpt-5-mini`;
const COUNT = whole(1, 1e9).optional();
const PER_MINUTE = z.strictObject({ key: COUNT, premium: COUNT, session: COUNT, global: COUNT }, { error: RATE_LIMIT });

/** The settings, in the order of `--print-config`. */
export const SERVER_SETTINGS = z.object({
  crews: list().optional().register(ABOUT, {
    flag: false,
    meaning: "the crews, or folders of crews (default: the crew in this folder, or those in crews)",
    value: "CREW",
    isList: true,
    isPath: true,
  }),
  host: text().default("127.0.0.1").register(ABOUT, {
    meaning: "the address to listen on; any but loopback needs API keys",
    value: "ADDRESS",
  }),
  port: whole(0, 65_535).default(8_080).register(ABOUT, {
    meaning: "the port to listen on; 0 picks a free one",
    value: "PORT",
  }),
  data: text().default(".baton").register(ABOUT, {
    meaning: "the folder that stores runs and keys, in SQLite",
    value: "DIR",
    only: "serve",
    isPath: true,
  }),
  postgres: text().refine(isPostgres, { error: POSTGRES }).optional().register(ABOUT, {
    meaning: "store runs and keys in Postgres instead: postgres://user:password@host/database",
    value: "URL",
    hide: hidePassword,
  }),
  redis: text().refine(isRedisUrl, { error: REDIS }).optional().register(ABOUT, {
    meaning: "share rate limits and tool results between servers: redis://host:6379",
    value: "URL",
    hide: hidePassword,
  }),
  restate: list(isHttpUrl, RESTATE).optional().register(ABOUT, {
    meaning: "let workers execute the runs, placed by Restate: its ingress, http://host:8080, one for each node",
    value: "URL",
    isList: true,
  }),
  restate_admin: text().refine(isHttpUrl, { error: RESTATE_ADMIN }).optional().register(ABOUT, {
    meaning: "with worker: the admin API of Restate (default: port 9070 of the first --restate)",
    value: "URL",
    only: "worker",
  }),
  worker_host: text().default("127.0.0.1").register(ABOUT, {
    meaning: "with worker and Restate: the address on which Restate reaches this worker",
    value: "ADDRESS",
    only: "worker",
  }),
  worker_port: whole(0, 65_535).default(9_080).register(ABOUT, {
    meaning: "with worker and Restate: the port on which Restate reaches this worker; 0 picks a free one",
    value: "PORT",
    only: "worker",
  }),
  worker_url: text().refine(isHttpUrl, { error: WORKER_URL }).optional().register(ABOUT, {
    meaning: "with worker and Restate: the URL of the proxy before all workers (default: this worker)",
    value: "URL",
    only: "worker",
  }),
  public_url: text()
    .refine(isHttpUrl, { error: "must be a URL, such as https://crews.example.com" })
    .optional()
    .register(ABOUT, {
      meaning: "the address of this server as clients write it (default: the one that it listens on)",
      value: "URL",
      only: "serve",
    }),
  mcp: z.enum(["on", "off"], { error: "must be on or off" }).default("on").register(ABOUT, {
    meaning: "on or off: crews as tools of MCP clients, at /mcp",
    value: "STATE",
    only: "serve",
  }),
  oauth_issuer: text()
    .refine(isHttpUrl, { error: "must be a URL, such as https://login.example.com" })
    .optional()
    .register(ABOUT, {
      meaning: "take tokens of this authorization server at /mcp, beside API keys",
      value: "URL",
      only: "serve",
    }),
  accept_only: z
    .preprocess(toSwitch, z.boolean({ error: "must be true or false" }))
    .default(false)
    .register(ABOUT, {
      meaning: "execute no runs in this server: leave them to workers on the same Postgres",
      only: "serve",
    }),
  qdrant: text().refine(isQdrantUrl, { error: QDRANT }).optional().register(ABOUT, {
    meaning: "search vectors of documents in Qdrant instead of the store: http://host:6333",
    value: "URL",
    hide: hidePassword,
  }),
  embeddings: text().refine(isEmbeddings, { error: EMBEDDINGS }).optional().register(ABOUT, {
    meaning: "search documents by meaning with this model, e.g. openai/text-embedding-3-small",
    value: "NAME",
  }),
  cassette: text().optional().register(ABOUT, { variable: false, meaning: "play recorded MCP calls", value: "FILE" }),
  script: text().optional().register(ABOUT, {
    meaning: "answer from a script instead of a model; with one crew only",
    value: "FILE",
    isPath: true,
  }),
  // No variable: BATON_MODEL is the model of agents that name none.
  model: text().refine(isModel, { error: MODEL }).optional().register(ABOUT, {
    variable: false,
    meaning: "use this model for every agent, e.g. openai/gpt-5-mini, offline",
    value: "NAME",
  }),
  models: list(isModel, MODELS).optional().register(ABOUT, {
    meaning: "models that a request may name, e.g. openai/gpt-5-mini (default: those the crews name)",
    value: "NAMES",
    isList: true,
  }),
  allowed_hosts: list(isHost, "must be names of hosts, each as name or name:port").default([]).register(ABOUT, {
    meaning: "other host names that the server answers to, as name or name:port",
    value: "NAME",
    flag: "allowed-host",
    isList: true,
  }),
  origins: list(isOrigin, "must be origins, each as https://name or https://name:port").default([]).register(ABOUT, {
    meaning: "origins of pages that may call it from a browser, e.g. https://example.com",
    value: "ORIGIN",
    flag: "origin",
    only: "serve",
    isList: true,
  }),
  rate_limit: z
    .preprocess(toLimits, z.union([z.literal("off"), PER_MINUTE], { error: RATE_LIMIT }))
    .optional()
    .register(ABOUT, {
      meaning: "off, or requests a minute (default: key=600,premium=3000,session=120,global=6000 for keys)",
      value: "LIMITS",
      only: "serve",
    }),
  telegram: text().optional().register(ABOUT, {
    variable: false,
    meaning: "answer a Telegram bot; VAR is the name of the variable that has its token",
    value: "VAR",
    only: "serve",
  }),
  zalo: text().optional().register(ABOUT, {
    variable: false,
    meaning: "answer a Zalo bot; VAR is the name of the variable that has its token",
    value: "VAR",
    only: "serve",
  }),
  channels: z
    .array(z.looseObject({ type: z.string() }))
    .optional()
    .register(ABOUT, {
      variable: false,
      flag: false,
      meaning: "chat channels: Telegram, Zalo and webhooks; only in the file",
    }),
  plans: USER_PLANS.optional().register(ABOUT, {
    variable: false,
    flag: false,
    meaning: "limits on the model calls of one user and one tenant, by the plan of the key; only in the file",
  }),
  max_runs: whole(1, 1e6).default(1_000).register(ABOUT, {
    meaning: "how many runs may execute at the same time; more are refused",
    value: "N",
    only: "serve",
  }),
  max_tool_calls: whole(1, 1e6).default(256).register(ABOUT, {
    meaning: "how many tool calls of all runs may execute at the same time; more of them wait",
    value: "N",
  }),
  max_code: whole(1, 1_024).default(16).register(ABOUT, MAX_CODE),
  tool_threads: whole(1, 1_024).optional().register(ABOUT, {
    meaning: "how many threads carry out calls of tools with isolation: thread (default: one a core, at least 4)",
    value: "N",
  }),
  tool_heap_mb: whole(16, 1e6).default(512).register(ABOUT, {
    meaning: "the memory of one thread for tools, in MiB; a call that needs more fails",
    value: "MIB",
  }),
  max_body_mb: whole(1, 1_024).default(8).register(ABOUT, {
    meaning: "the largest request body, in MiB; four times as much for images",
    value: "MIB",
    only: "serve",
  }),
  keep_runs: whole(0, 1e9).optional().register(ABOUT, {
    meaning: "keep only this many ended runs, the newest (default: all)",
    value: "N",
    only: "serve",
  }),
  keep_days: whole(1, 36_500).optional().register(ABOUT, {
    meaning: "keep ended runs for this many days (default: forever)",
    value: "DAYS",
    only: "serve",
  }),
  grace_seconds: whole(0, 86_400).default(30).register(ABOUT, {
    meaning: "how long running runs may continue when the server stops",
    value: "SECONDS",
    flag: "grace",
  }),
  otlp: text().refine(isHttpUrl, { error: "must be a URL, such as http://127.0.0.1:4318" }).optional().register(ABOUT, {
    meaning: "send spans and metrics to this OpenTelemetry collector (default: OTEL_EXPORTER_OTLP_ENDPOINT)",
    value: "URL",
  }),
  otlp_content: z
    .preprocess(toSwitch, z.boolean({ error: "must be true or false" }))
    .default(false)
    .register(ABOUT, {
      meaning: "send the texts of people, models and tools to the collector, too",
    }),
  watch: z
    .preprocess(toSwitch, z.boolean({ error: "must be true or false" }))
    .default(false)
    .register(ABOUT, {
      meaning: "reload a crew when its files change; runs that have started keep their version",
    }),
  log_level: z
    .enum(["silent", "error", "warn", "info", "debug"], { error: "must be silent, error, warn, info or debug" })
    .default("info")
    .register(ABOUT, {
      meaning: "the log level: silent, error, warn, info or debug",
      value: "LEVEL",
    }),
  log_format: z
    .enum(["auto", "text", "json"], { error: "must be auto, text or json" })
    .default("auto")
    .register(ABOUT, {
      meaning: "the log format: text, json, or auto: text on a terminal, else json",
      value: "FORMAT",
    }),
});

/** The settings of a server. */
export type ServerConfig = z.output<typeof SERVER_SETTINGS>;

/** A setting with its name and default. */
export interface ServerSetting extends Omit<About, "flag" | "variable"> {
  readonly name: string;
  readonly flag: string | undefined;
  readonly variable: string | undefined;
  /** The default; undefined if there is none. */
  readonly fallback: unknown;
}

/** Every setting, in the order of the schema. */
export function listSettings(): readonly ServerSetting[] {
  return Object.entries(SERVER_SETTINGS.shape).flatMap(([name, schema]) => {
    const about = ABOUT.get(schema);
    if (about === undefined) return [];
    const { flag = name.replaceAll("_", "-"), variable, ...more } = about;
    const named = `BATON_${flag === false ? name : flag}`.replaceAll("-", "_").toUpperCase();
    const given = { flag: flag === false ? undefined : flag, variable: variable === false ? undefined : named };
    return [{ ...more, ...given, name, fallback: schema.parse(undefined) }];
  });
}

/** The settings as options of a command: the named ones, or all that `baton serve` or `baton worker` takes. */
export function toFlags(of: SettingCommand | readonly string[]) {
  const wanted = listSettings().filter(({ name, only = of }) =>
    typeof of === "string" ? only === of : of.includes(name),
  );
  return Object.fromEntries(
    wanted.flatMap(({ flag, value, meaning, fallback, isList = false }) => {
      const hasDefault = typeof fallback === "string" || typeof fallback === "number";
      const more = hasDefault ? ` (default: ${fallback})` : "";
      return flag === undefined
        ? []
        : [[flag, { ...omitUndefined({ value }), text: `${meaning}${more}`, isList }] as const];
    }),
  );
}
