/**
 * Env file: variables from a `.env` beside the crew, then from one in the current folder.
 */
import { readEnv, readEnvOf, type Variables } from "@baton/crewfile/env-file";
import { isCrew } from "./crew/crew-path.ts";

export { readEnvOf };

/** Reads the files that a command with these words uses; the one beside a crew goes first. */
export async function readEnvFiles(words: readonly string[], env: Variables): Promise<void> {
  for (const word of words) if (await isCrew(word)) await readEnvOf(word, env);
  await readEnv(".", env);
}
