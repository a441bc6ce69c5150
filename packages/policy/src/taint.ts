/**
 * Taint: which values of a run came from an untrusted tool and from nowhere else.
 *
 * It follows values, not ideas: a paraphrase escapes it.
 */
import type { Json } from "@baton/core";
import { type Budget, entriesOf, findText, isList, type Value } from "./expression/value.ts";

const MIN_CHARS = 4;

/** Texts of a run by where they came from. */
export class Taint {
  readonly #untrusted: string[] = [];
  readonly #trusted: string[] = [];

  add(value: Json, from: "untrusted" | "trusted"): void {
    (from === "untrusted" ? this.#untrusted : this.#trusted).push(textsOf(value).join("\n"));
  }

  /** Whether a text or number in the value stands in an untrusted output, and nowhere else. */
  has(value: Value, budget: Budget): boolean {
    budget.take(1);
    if (isList(value)) return value.some((item) => this.has(item, budget));
    const entries = entriesOf(value);
    if (entries !== undefined) return entries.some(([, item]) => this.has(item, budget));
    const part = toPart(value);
    if (part === undefined) return false;
    const isIn = (text: string) => {
      budget.read(text.length + part.length);
      return typeof value === "number" ? hasNumber(text, part) : findText(text, part) !== -1;
    };
    return this.#untrusted.some(isIn) && !this.#trusted.some(isIn);
  }
}

function toPart(value: Value): string | undefined {
  if (typeof value === "string") return value.length >= MIN_CHARS ? value : undefined;
  if (typeof value !== "number") return undefined;
  const digits = String(Math.abs(value));
  return digits.replaceAll(/\D/g, "").length >= MIN_CHARS ? digits : undefined;
}

/** Whether a number stands in a text by itself, not inside a longer one. */
function hasNumber(text: string, digits: string): boolean {
  for (let at = text.indexOf(digits); at !== -1; at = text.indexOf(digits, at + 1)) {
    if (!/\d/.test(text.charAt(at - 1)) && !/\d/.test(text.charAt(at + digits.length))) return true;
  }
  return false;
}

/** Texts and numbers of a value. */
function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
