/**
 * Env file: variables from a `.env`, beside a crew or in another folder.
 *
 * A variable that is set already stays as it is, even if it is empty. A folder of that name is not a file of variables.
 */
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";

/** The variables of a process. */
export type Variables = Record<string, string | undefined>;

const FILE = ".env";
const MAX_BYTES = 256 * 1_024;

/** Reads the file beside a crew, which is a folder, or a file of YAML or code. */
export async function readEnvOf(crew: string, env: Variables): Promise<void> {
  await readEnv(/\.(ya?ml|[cm]?[jt]s)(#[^/]*)?$/.test(crew) ? dirname(crew) : crew, env);
}

/** Reads the file of a folder, if there is one. */
export async function readEnv(folder: string, env: Variables): Promise<void> {
  const path = join(folder, FILE);
  const text = await readText(path);
  for (const [name, value] of Object.entries(parseEnv(text))) if (env[name] === undefined) env[name] = value;
}

/** Empty if there is no such file. */
async function readText(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return "";
  if (found.size > MAX_BYTES) throw unreadable(path, `it is larger than ${MAX_BYTES / 1_024} KB`);
  try {
    return (await readFile(path, "utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    throw unreadable(path, toMessage(error));
  }
}

function unreadable(path: string, why: string): BatonError {
  return new BatonError("invalid", `${path} cannot be read: ${why}; make it readable, or remove it`);
}
