/**
 * Approval: a person's decision about a call, as the answer to the question whether it may be made.
 *
 * The answer is `allow` or `deny`; or an object that gives the reason of a denial, or other arguments for the call.
 */
import type { AnswerSchema } from "./event.ts";
import { isEqualJson, type Json } from "./json.ts";
import { toFigure } from "./text.ts";

/** Decision about a call. */
export type Approval =
  | { readonly decision: "allow" }
  | { readonly decision: "deny"; readonly reason?: string }
  | { readonly decision: "edit"; readonly args: Json };

const MAX_REASON_CHARS = 2_000;
const MAX_NAMES = 20;

/** The JSON Schema of the answer; `args` of an edit are those of the tool. */
export function toApprovalSchema(input: Json): AnswerSchema {
  const { $defs: defs, $schema: _, ...args } = isObject(input) ? input : {};
  const reason = { type: "string", maxLength: MAX_REASON_CHARS };
  return {
    anyOf: [{ enum: ["allow", "deny"] }, toForm("deny", { reason }, []), toForm("edit", { args }, ["args"])],
    // References begin at the root.
    ...(defs === undefined ? {} : { $defs: defs }),
  };
}

function toForm(decision: "deny" | "edit", fields: AnswerSchema, required: readonly string[]): AnswerSchema {
  const properties = { decision: { const: decision }, ...fields };
  return { type: "object", properties, required: ["decision", ...required], additionalProperties: false };
}

/** Reads an answer that fits the schema; whatever else it may be is a denial. */
export function toApproval(answer: Json): Approval {
  if (answer === "allow") return { decision: answer };
  if (!isObject(answer)) return { decision: "deny" };
  const { decision, args, reason } = answer;
  if (decision === "edit" && args !== undefined) return { decision, args };
  return typeof reason === "string" && reason.trim() !== "" ? { decision: "deny", reason } : { decision: "deny" };
}

/** The line that tells a model which of its arguments a person changed; empty if none differs. */
export function toEditedLine(asked: Json, made: Json): string {
  const names = findChanged(asked, made);
  if (names.length === 0) return "";
  const more = names.length > MAX_NAMES ? ` and ${toFigure(names.length - MAX_NAMES)} more` : "";
  return `[a person changed the arguments before the call: ${names.slice(0, MAX_NAMES).join(", ")}${more}]`;
}

function findChanged(asked: Json, made: Json): readonly string[] {
  if (!isObject(asked) || !isObject(made)) return isEqualJson(asked, made) ? [] : ["all"];
  const names = new Set([...Object.keys(asked), ...Object.keys(made)]);
  return [...names].filter((name) => !isEqualJson(asked[name], made[name]));
}

function isObject(value: Json): value is AnswerSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
