/**
 * Posted fate: what became of a posted command, as the text that databases keep.
 */
import { BatonError, type Failure } from "@baton/core";
import type { Posted } from "./database.ts";

/** One word, or a refusal as JSON. */
export function toFateText(fate: Posted["fate"]): string {
  return typeof fate === "string" ? fate : JSON.stringify(fate);
}

/** The fate that a text says. */
export function parseFate(text: string): Posted["fate"] {
  if (text === "sent" || text === "taken") return text;
  const refusal: unknown = JSON.parse(text);
  if (isFailure(refusal)) return refusal;
  throw new BatonError("damaged", "what became of a command cannot be read");
}

/** What was written was a failure. */
function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}
