/**
 * Posted fate: what became of a posted command, as the text that databases keep.
 */
import { BatonError, type Failure, type Receipt } from "@baton/core";
import type { Posted } from "./record.ts";

/** One word, or a reply as JSON. */
export function toFateText(fate: Posted["fate"]): string {
  return typeof fate === "string" ? fate : JSON.stringify(fate);
}

/** The fate that a text says. */
export function parseFate(text: string): Posted["fate"] {
  if (text === "sent" || text === "taken") return text;
  const reply: unknown = JSON.parse(text);
  if (isReply(reply)) return reply;
  throw new BatonError("damaged", "what became of a command cannot be read");
}

/** What was written was a failure or a receipt. */
function isReply(value: unknown): value is Failure | Receipt {
  return typeof value === "object" && value !== null && ("code" in value || "stopped" in value);
}
