/**
 * Keys: which variables of the environment may hold a provider's key.
 *
 * The first of each is the one named to users.
 */

/** Variables by name, as `process.env` has them. */
export type Environment = { readonly [name: string]: string | undefined };

/** Where a provider's key may be, by provider. */
export const KEY_VARIABLES: ReadonlyMap<string, readonly string[]> = new Map([
  ["openai", ["OPENAI_API_KEY"]],
  ["openai-chat", ["OPENAI_API_KEY"]],
  ["anthropic", ["ANTHROPIC_API_KEY"]],
  ["google", ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"]],
  ["ollama", ["OLLAMA_API_KEY"]],
  ["openai-compatible", ["OPENAI_COMPATIBLE_API_KEY"]],
]);

/** A provider's key in the environment, with the variable that holds it. */
export function findKey(
  provider: string,
  env: Environment,
): { readonly variable: string; readonly key: string } | undefined {
  for (const variable of KEY_VARIABLES.get(provider) ?? []) {
    const key = env[variable];
    if (key !== undefined && key !== "") return { variable, key };
  }
  return undefined;
}
