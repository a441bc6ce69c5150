/**
 * Config: what a server is told, from four places: options, then the environment, then the file, then defaults.
 *
 * Each value knows where it came from, and a wrong one is an error that names that place and never shows the value.
 */
import { dirname, isAbsolute, join } from "node:path";
import { BatonError } from "@baton/core";
import type { Environment } from "@baton/models";
import { type Invocation, valueOf } from "../command-line.ts";
import { type Entry, readConfigFile } from "./config-file.ts";
import { type Config, listSettings, type Setting, SETTINGS } from "./settings.ts";

/** Settings, and where those came from that are not defaults. */
export interface Configured {
  readonly config: Config;
  readonly origins: ReadonlyMap<string, string>;
}

interface Given {
  readonly value: unknown;
  readonly origin: string;
}

/** Puts together what was said. Throws with every value that cannot be used. */
export async function configure(invocation: Invocation, env: Environment): Promise<Configured> {
  const path = valueOf(invocation, "config") ?? (env["BATON_CONFIG"] || undefined);
  const file = await readConfigFile(path);
  const given = new Map<string, Given>();
  for (const setting of listSettings()) {
    const found =
      fromArguments(setting, invocation) ??
      fromVariable(setting, env) ??
      fromFile(setting, file.get(setting.name), dirname(path ?? "."));
    if (found !== undefined) given.set(setting.name, found);
  }
  return check(given);
}

function check(given: ReadonlyMap<string, Given>): Configured {
  const origins = new Map([...given].map(([name, { origin }]) => [name, origin]));
  const result = SETTINGS.safeParse(Object.fromEntries([...given].map(([name, { value }]) => [name, value])));
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
    throw new BatonError("invalid", `a script and a model exclude each other (${where}); leave one out`);
  }
  return { config: result.data, origins };
}

function fromArguments({ name, flag, isList = false }: Setting, invocation: Invocation): Given | undefined {
  const { positionals } = invocation;
  if (flag === undefined)
    return name === "crews" && positionals.length > 0 ? { value: positionals, origin: "arguments" } : undefined;
  if (invocation.flags.get(flag) === true) return { value: true, origin: `--${flag}` };
  const text = valueOf(invocation, flag);
  return text === undefined ? undefined : { value: isList ? toList(text) : text, origin: `--${flag}` };
}

/** A variable that is empty says nothing. */
function fromVariable({ variable, isList = false }: Setting, env: Environment): Given | undefined {
  const text = variable === undefined ? "" : (env[variable] ?? "");
  if (variable === undefined || text === "") return undefined;
  return { value: isList ? toList(text) : text, origin: variable };
}

function fromFile({ isPath = false }: Setting, entry: Entry | undefined, folder: string): Given | undefined {
  if (entry === undefined || entry.value === null) return undefined;
  const { value, place } = entry;
  return { value: isPath ? toLocal(value, folder) : value, origin: place };
}

function toList(text: string): readonly string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

/** Paths as they are seen from here. */
function toLocal(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => toLocal(item, folder));
  return typeof value === "string" && value !== "" && !isAbsolute(value) ? join(folder, value) : value;
}
