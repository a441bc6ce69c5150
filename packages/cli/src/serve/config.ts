/**
 * Config: the settings of a server, from options, the environment, the file and defaults, in this order.
 *
 * Each value has an origin. An error for an invalid value names the origin and never shows the value.
 */
import { dirname, isAbsolute, join } from "node:path";
import { BatonError } from "@baton/core";
import type { Environment } from "@baton/models";
import { type CommandLine, valueOf } from "../command-line.ts";
import { type ConfigEntry, readConfigFile } from "./config-file.ts";
import { type ServerConfig, listSettings, type ServerSetting, SERVER_SETTINGS } from "./settings.ts";

/** The settings, and the origins of those that are not defaults. */
export interface Configured {
  readonly config: ServerConfig;
  readonly origins: ReadonlyMap<string, string>;
}

/** The setting of Postgres, in errors. */
export const POSTGRES_SETTING = "BATON_POSTGRES or --postgres";

interface Given {
  readonly value: unknown;
  readonly origin: string;
}

/** Collects the settings. Throws one error for all invalid values. */
export async function configure(commandLine: CommandLine, env: Environment): Promise<Configured> {
  const path = valueOf(commandLine, "config") ?? (env["BATON_CONFIG"] || undefined);
  const file = await readConfigFile(path);
  const given = new Map<string, Given>();
  for (const setting of listSettings()) {
    const found =
      fromArguments(setting, commandLine) ??
      fromVariable(setting, env) ??
      fromFile(setting, file.get(setting.name), dirname(path ?? "."));
    if (found !== undefined) given.set(setting.name, found);
  }
  return check(given);
}

function check(given: ReadonlyMap<string, Given>): Configured {
  const origins = new Map([...given].map(([name, { origin }]) => [name, origin]));
  const result = SERVER_SETTINGS.safeParse(Object.fromEntries([...given].map(([name, { value }]) => [name, value])));
  if (!result.success) {
    const byName = new Map(result.error.issues.map(({ path: [name], message }) => [String(name), message]));
    const problems = [...byName].map(([name, message]) => {
      const origin = origins.get(name) ?? name;
      return origin.includes(":") ? `${origin}: ${name} ${message}` : `${origin} ${message}`;
    });
    throw new BatonError("invalid", problems.join("\n"));
  }
  const { script, model } = result.data;
  if (script !== undefined && model !== undefined) {
    const where = ["script", "model"].map((name) => origins.get(name)).join(" and ");
    throw new BatonError("invalid", `script and model cannot be used together (${where}); remove one of them`);
  }
  return { config: result.data, origins };
}

function fromArguments({ name, flag, isList = false }: ServerSetting, commandLine: CommandLine): Given | undefined {
  const { positionals } = commandLine;
  if (flag === undefined)
    return name === "crews" && positionals.length > 0 ? { value: positionals, origin: "arguments" } : undefined;
  if (commandLine.flags.get(flag) === true) return { value: true, origin: `--${flag}` };
  const text = valueOf(commandLine, flag);
  return text === undefined ? undefined : { value: isList ? toList(text) : text, origin: `--${flag}` };
}

/** An empty variable counts as missing. */
function fromVariable({ variable, isList = false }: ServerSetting, env: Environment): Given | undefined {
  const text = variable === undefined ? "" : (env[variable] ?? "");
  if (variable === undefined || text === "") return undefined;
  return { value: isList ? toList(text) : text, origin: variable };
}

function fromFile(
  { isPath = false }: ServerSetting,
  entry: ConfigEntry | undefined,
  folder: string,
): Given | undefined {
  if (entry === undefined || entry.value === null) return undefined;
  const { value, place } = entry;
  return { value: isPath ? toLocal(value, folder) : value, origin: place };
}

function toList(text: string): readonly string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

/** A path in the file is relative to the file's folder. */
function toLocal(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => toLocal(item, folder));
  return typeof value === "string" && value !== "" && !isAbsolute(value) ? join(folder, value) : value;
}
