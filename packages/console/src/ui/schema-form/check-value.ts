/**
 * Check value: what of a value does not fit its schema, by the path of the field, in words.
 *
 * It checks what a form can say at a field; the server checks everything.
 */
import type { Json } from "@baton/client";
import type { Words } from "../../words/words.ts";
import { fieldFor, type FormSchema, isList, toSchemas } from "./schema-field.ts";

/** Problems by path, as `filter.symbol`. */
export type FormProblems = ReadonlyMap<string, string>;

/** Finds what is wrong. */
export function checkValue(schema: FormSchema, value: Json, words: Words["form"]): FormProblems {
  return new Map(problemsOf({ schema, value, words, path: "" }));
}

interface Checked {
  readonly schema: FormSchema;
  readonly value: Json;
  readonly words: Words["form"];
  readonly path: string;
}

type Problem = readonly [path: string, text: string];

function problemsOf({ schema, value, words, path }: Checked): readonly Problem[] {
  const field = fieldFor(schema);
  switch (field.kind) {
    case "group": {
      const given = toSchemas(value)[0] ?? {};
      return field.fields.flatMap(({ name, schema: inner, isRequired }) => {
        const at = path === "" ? name : `${path}.${name}`;
        const found = given[name];
        if (found === undefined || found === "") return isRequired ? [[at, words.missing] as const] : [];
        return problemsOf({ schema: inner, value: found, words, path: at });
      });
    }
    case "number":
    case "integer":
      return atPath(path, numberProblem(field.kind, { schema, value, words, path }));
    case "text":
      return atPath(path, typeof value === "string" ? lengthProblem(schema, value.length, words) : words.notText);
    case "several":
    case "list":
      return atPath(path, isList(value) ? countProblem(schema, value.length, words) : words.notList);
    case "choice":
      return atPath(path, field.values.includes(value) ? undefined : words.notOffered);
    case "boolean":
    case "json":
    case "ways":
      return [];
  }
}

function atPath(path: string, text: string | undefined): readonly Problem[] {
  return text === undefined ? [] : [[path, text]];
}

function numberProblem(kind: "number" | "integer", { schema, value, words }: Checked): string | undefined {
  if (typeof value !== "number") return words.notNumber;
  if (kind === "integer" && !Number.isInteger(value)) return words.notWhole;
  const { minimum, maximum } = schema;
  if (typeof minimum === "number" && value < minimum) return words.least(minimum);
  return typeof maximum === "number" && value > maximum ? words.most(maximum) : undefined;
}

function lengthProblem({ minLength, maxLength }: FormSchema, length: number, words: Words["form"]): string | undefined {
  if (typeof minLength === "number" && length < minLength) return words.short(minLength);
  return typeof maxLength === "number" && length > maxLength ? words.long(maxLength) : undefined;
}

function countProblem({ minItems, maxItems }: FormSchema, count: number, words: Words["form"]): string | undefined {
  if (typeof minItems === "number" && count < minItems) return words.few(minItems);
  return typeof maxItems === "number" && count > maxItems ? words.many(maxItems) : undefined;
}
