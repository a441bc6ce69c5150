/**
 * Schema text: asks for structured output in words, if the provider cannot be given the schema itself.
 *
 * Importing this loads no provider.
 */
import type { Prompt } from "@baton/core";

/** The prompt with its schema at the end of the system text. */
export function toSchemaPrompt({ outputSchema, ...prompt }: Prompt): Prompt {
  if (outputSchema === undefined) return prompt;
  const what = prompt.tools.length === 0 ? "Your reply" : "Your final reply, after any use of tools,";
  const text = `${what} must be one JSON value that fits the JSON Schema below. Write only the JSON: no other text, and no code fence.\n${JSON.stringify(outputSchema)}`;
  return { ...prompt, system: prompt.system === "" ? text : `${prompt.system}\n\n${text}` };
}
