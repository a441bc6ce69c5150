/**
 * Answer form: how a question is answered, by the JSON Schema of its answer.
 */
import type { Json } from "@baton/client";

/** A kind of form. */
export type AnswerForm =
  | Readonly<{ kind: "choice"; values: readonly Json[] }>
  /** Whether a call may be made: yes, no with a reason, or with other arguments. */
  | Readonly<{ kind: "approval" }>
  | Readonly<{ kind: "text" }>
  | Readonly<{ kind: "number" }>
  | Readonly<{ kind: "json" }>;

/** The form that fits a schema; what is not known is written as JSON. */
export function formOf(schema: Readonly<Record<string, Json>>): AnswerForm {
  const { enum: values, const: only, type, anyOf, oneOf } = schema;
  if (Array.isArray(values) && values.length > 0) return { kind: "choice", values };
  if (only !== undefined) return { kind: "choice", values: [only] };
  const ways = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  if (ways.some(isEdit)) return { kind: "approval" };
  const first = ways.map(toSchema).find((way) => way !== undefined && way["type"] !== "null");
  if (first !== undefined) return formOf(first);
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  const name = names.find((one) => one !== "null");
  if (name === "boolean") return { kind: "choice", values: [true, false] };
  if (name === "string") return { kind: "text" };
  if (name === "number" || name === "integer") return { kind: "number" };
  return { kind: "json" };
}

function isEdit(way: Json): boolean {
  const { decision = null } = toSchema(toSchema(way)?.["properties"] ?? null) ?? {};
  return toSchema(decision)?.["const"] === "edit";
}

function toSchema(value: Json): Readonly<Record<string, Json>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

/** Reads a text as the value of an answer; undefined if it is not valid. */
export function readAnswer(form: AnswerForm, text: string): Json | undefined {
  switch (form.kind) {
    case "choice":
    case "approval":
      return undefined;
    case "text":
      return text;
    case "number": {
      const value = Number(text);
      return text.trim() === "" || !Number.isFinite(value) ? undefined : value;
    }
    case "json":
      return readJson(text);
  }
}

/** Reads a text as JSON; undefined if it is not valid. */
export function readJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return toJson(value);
  } catch {
    return undefined;
  }
}

/** A value of a JSON text, which has only such values. */
function toJson(value: unknown): Json {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toJson(inner)]));
}
