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

const MODEL = "model ";

/** The real models that answer for a crew; empty if only scripts and rules do. What cannot be read stays as it is. */
export function modelsOf(model: string, crew: string): readonly string[] {
  const sentences = toSentences(model);
  const own = sentences.filter((sentence) => crewsOf(sentence).includes(crew));
  const names = (own.length === 0 ? sentences : own).map(nameOf).filter((name) => !isScripted(name));
  return [...new Set(names)];
}

/** `model NAME: why (crew, crew)` */
function nameOf(sentence: string): string {
  if (!sentence.startsWith(MODEL)) return sentence;
  const rest = sentence.slice(MODEL.length);
  const end = [": ", " ("].map((mark) => rest.indexOf(mark)).filter((at) => at >= 0);
  return rest.slice(0, Math.min(rest.length, ...end));
}

function crewsOf(sentence: string): readonly string[] {
  const at = sentence.lastIndexOf("(");
  return sentence.endsWith(")") && at >= 0 ? sentence.slice(at + 1, -1).split(", ") : [];
}
