/**
 * Arrow label text: the label of an arrow that needs no signal, in the reader's language.
 */
import type { Words } from "../words/words.ts";

/** The label of a way in words; signals and conditions stay as they are written. */
export function arrowLabelText(words: Words, label: string): string {
  const rules: ReadonlyMap<string, string> = new Map(Object.entries(words.runPage.rules));
  return rules.get(label) ?? label;
}
