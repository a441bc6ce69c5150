/**
 * Answering model: what the server says about its models, in parts that can be read.
 */

/** One sentence for each choice that the server made. */
export function toSentences(model: string): readonly string[] {
  return model
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const SCRIPTED = ["script", "offline"] as const;

/** True if at least some answers come from scripts or rules instead of a language model. */
export function isScripted(model: string): boolean {
  const text = model.toLowerCase();
  return SCRIPTED.some((word) => text.includes(word));
}

const MODEL = "model ";

/** The source of a crew's answers: language models by their names, replies from a script, or rules. */
export type AnsweringModel =
  | Readonly<{ kind: "models"; names: readonly string[] }>
  | Readonly<{ kind: "script" }>
  | Readonly<{ kind: "offline" }>;

/** Reads the source of a crew's answers from the sentences about it or, if there are none, from all. Other text is a name. */
export function answeringModelOf(model: string, crew: string): AnsweringModel {
  const sentences = toSentences(model);
  const own = sentences.filter((sentence) => crewsOf(sentence).includes(crew));
  const said = (own.length === 0 ? sentences : own).map(nameOf);
  const names = said.filter((name) => !isScripted(name));
  if (names.length > 0) return { kind: "models", names: [...new Set(names)] };
  return { kind: said.some((name) => name.toLowerCase().includes("script")) ? "script" : "offline" };
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
