/**
 * Approval text: a decision about a call as a user types it.
 *
 * `allow` (or `y`), `deny` (or `n`) with or without a reason, `edit` (or `e`) with all arguments as JSON; or the answer
 * itself as JSON.
 */
import { parseJson } from "@baton/core/util";
import type { ParsedValue } from "../terminal/user-prompt.ts";
import { toOneLine } from "../terminal/printable.ts";
import { endOfJson, toJsonProblem } from "../tools/tool-result.ts";

/** The forms that a user may type. */
export const APPROVAL_FORMS = "allow, deny, deny REASON or edit {ARGUMENTS AS JSON}";

const ALLOW: readonly string[] = ["allow", "yes", "y"];
const DENY: readonly string[] = ["deny", "no", "n"];
const EDIT: readonly string[] = ["edit", "e"];

/** Parses a decision; gives the reason if the text is not one. */
export function parseDecision(text: string): ParsedValue {
  const said = text.trim();
  if (said.startsWith("{")) return parseArguments(said, "the answer");
  const end = said.search(/[\s{]/u);
  const word = (end === -1 ? said : said.slice(0, end)).toLowerCase();
  const rest = end === -1 ? "" : said.slice(end).trim();
  if (ALLOW.includes(word) && rest === "") return { ok: true, value: "allow" };
  if (DENY.includes(word)) return { ok: true, value: rest === "" ? "deny" : { decision: "deny", reason: rest } };
  if (!EDIT.includes(word) || rest === "") {
    return { ok: false, why: `"${toOneLine(said)}" is not an answer here; write ${APPROVAL_FORMS}` };
  }
  const args = parseArguments(rest, "what follows edit");
  return args.ok ? { ok: true, value: { decision: "edit", args: args.value } } : args;
}

function parseArguments(text: string, what: string): ParsedValue {
  const value = parseJson(text);
  return value === undefined
    ? { ok: false, why: `${what} is not valid JSON: ${toJsonProblem(text)}` }
    : { ok: true, value };
}

/** The index at which a decision ends that others may follow: a reason is given as JSON there. */
export function endOfDecision(text: string): number {
  const start = /^(?:edit|e)?\s*(?=\{)/iu.exec(text)?.[0].length;
  if (start !== undefined) return start + endOfJson(text.slice(start));
  const end = text.search(/\s/u);
  return end === -1 ? text.length : end;
}
