/**
 * Model words: what the server says about its models, in parts that can be read.
 */

/** One sentence for each choice that the server made. */
export function toSentences(model: string): readonly string[] {
  return model
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const SCRIPTED = ["script", "offline"] as const;

/** Whether answers come from scripts or rules instead of a language model, at least in part. */
export function isScripted(model: string): boolean {
  const text = model.toLowerCase();
  return SCRIPTED.some((word) => text.includes(word));
}
