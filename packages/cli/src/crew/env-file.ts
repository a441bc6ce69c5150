/**
 * Env file: reads the `.env` beside a crew, then the one in the current folder.
 */
import { readEnv, readEnvOf, type Variables } from "@baton/crewfile/env-file";
import { isCrew } from "./crew-path.ts";

/** Reads the `.env` files for the arguments of a command; the one beside a crew has priority. */
export async function readEnvFiles(words: readonly string[], env: Variables): Promise<void> {
  for (const word of words) if (await isCrew(word)) await readEnvOf(word, env);
  await readEnv(".", env);
}
