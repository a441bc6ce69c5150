/**
 * Wish: a tool that changes what is kept for a user is called only if the user's own words ask for that; else a person
 * is asked.
 *
 * The run's state `intent` lists as `effects` which kinds of change the question asks for. What is written must come
 * from the user's words too, so that a headline cannot add to a change that the user did ask for.
 */
import { type AskingContext, type Json, lookInto, type Message, type Permission, type Tool } from "@baton/core";
import { z } from "zod";
import { scanNumbers } from "./grounding/number-scan.ts";
import { toWords } from "./words.ts";

/** What a tool changes. */
export interface Wish {
  /** One of the kinds that `effects` of the intent may list, such as `memory`. */
  readonly kind: string;
  /** Arguments that must be made of the user's words and numbers. */
  readonly from?: readonly string[];
}

const EFFECTS = z.object({ effects: z.array(z.string()) });
/** A text may be put into other words, but most of them are the user's. */
const OWN_SHARE = 0.6;

/** The tool, which asks a person unless the user wished for what it does. */
export function withWish(tool: Tool, wish: Wish): Tool {
  return Object.freeze<Tool>({
    ...tool,
    permission: async (args, context): Promise<Permission> => {
      const inner: Permission = (await tool.permission?.(args, context)) ?? { decision: "allow" };
      if (inner.decision === "deny" || inner.decision === "ask") return inner;
      const reason = findDoubt(args, wish, context);
      return reason === undefined ? inner : { decision: "ask", reason };
    },
  });
}

/** Why a person should look at the call; undefined if the user's words ask for it. */
function findDoubt(args: Json, { kind, from = [] }: Wish, { state, messages }: AskingContext): string | undefined {
  const { data: intent } = EFFECTS.safeParse(state.get("intent"));
  if (intent?.effects.includes(kind) !== true) return `your message did not ask for a change of ${kind}`;
  const own = ownTexts(state.get("question"), messages);
  const foreign = from.find((name) => !isOwn(lookInto(args, name), own));
  return foreign === undefined ? undefined : `\`${foreign}\` is not what you wrote`;
}

/** What the user has said: the question, and the messages before it. */
function ownTexts(question: Json | undefined, messages: readonly Message[]): readonly string[] {
  const said = messages.flatMap(({ role, content }) => (role === "user" ? [content] : []));
  return typeof question === "string" ? [question, ...said] : said;
}

function isOwn(value: Json | undefined, own: readonly string[]): boolean {
  if (value === undefined || value === null || typeof value === "boolean") return true;
  if (typeof value === "number") return hasNumber(value, own);
  if (typeof value === "string") return hasText(value, own);
  const parts: readonly (Json | undefined)[] = Object.values(value);
  return parts.every((part) => isOwn(part, own));
}

/** In either way of writing numbers, whatever the sign: a fall of 20 % is -20. */
function hasNumber(value: number, own: readonly string[]): boolean {
  const size = Math.abs(value);
  return own.some((text) =>
    (["en", "vi"] as const).some((language) =>
      scanNumbers(text, language).some((token) => Math.abs(token.value) === size || Number(token.digits) === size),
    ),
  );
}

/** One message has the text, or most of its words; every number of it is the user's. */
function hasText(text: string, own: readonly string[]): boolean {
  if (own.some((one) => one.includes(text.trim()))) return true;
  const words = toWords(text);
  const numbers = scanNumbers(text, "en");
  if (!numbers.every(({ value }) => hasNumber(value, own))) return false;
  return own.some((one) => {
    const known = new Set(toWords(one).map(({ stem }) => stem));
    const found = words.filter(({ stem }) => known.has(stem)).length;
    return words.length > 0 && found / words.length >= OWN_SHARE;
  });
}
