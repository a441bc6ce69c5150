/**
 * Schema messages: the messages for what a schema finds wrong: the field, what it must be, and what it is.
 *
 * Messages repeat only a little of the value. If a value may be of several kinds, the findings are those of the
 * nearest kind.
 */
import type { z } from "zod";
import { type FieldProblem, toField } from "../problem.ts";

type Issue = z.core.$ZodIssue;

/** The words for one finding of a schema that has none of its own. */
export const schemaMessage: z.core.$ZodErrorMap = (issue) => {
  const { code, input } = issue;
  switch (code) {
    case "invalid_type":
      return toOther(toKind(issue.expected), input);
    case "invalid_value":
      return toChoice(issue.values, input);
    case "invalid_union":
      if (issue.discriminator === undefined) return toKinds(issue.errors, input);
      return toChoice(issue.inclusive === false ? [] : (issue.options ?? []), partOf(input, issue.discriminator));
    case "too_small":
      return `${toBound("small", issue.origin)} ${issue.minimum}${toUnit(issue.origin)}`;
    case "too_big":
      return `${toBound("big", issue.origin)} ${issue.maximum}${toUnit(issue.origin)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.slice(0, MAX_CHOICES).map(toName).join(", ")}`;
    case "invalid_format":
      return `must have the format ${issue.format === "regex" ? "that the API describes" : issue.format}`;
    default:
      return "cannot be used";
  }
};

/** Lists a schema's findings by field; if the value is itself a field, its name comes first in each path. */
export function toFieldProblems(error: z.ZodError, field = ""): readonly FieldProblem[] {
  return error.issues.flatMap((issue) => toProblems(issue, field === "" ? issue.path : [field, ...issue.path]));
}

function toProblems(issue: Issue, path: readonly PropertyKey[]): readonly FieldProblem[] {
  const nearest = issue.code === "invalid_union" ? issue.errors.find((found) => !found.some(isOtherKind)) : undefined;
  if (nearest === undefined) return [{ field: toField(path), message: issue.message }];
  return nearest.flatMap((inner) => toProblems(inner, [...path, ...inner.path]));
}

/** Whether it says that the whole value is not of that kind at all. */
function isOtherKind({ code, path }: Issue): boolean {
  return path.length === 0 && (code === "invalid_type" || code === "invalid_value");
}

const MISSING = "is missing";

const KINDS: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["record", "an object"],
]);

function toKind(expected: string): string {
  return KINDS.get(expected) ?? expected;
}

function toKinds(branches: readonly (readonly Issue[])[], input: unknown): string {
  const kinds = branches.flat().flatMap((issue) => (issue.code === "invalid_type" ? [toKind(issue.expected)] : []));
  return toOther(toList([...new Set(kinds)]), input);
}

/** A JSON number beyond the range is infinite; a text in a URL that is not a number is NaN. */
function toOther(wanted: string, input: unknown): string {
  if (input === undefined) return MISSING;
  if (input === Infinity || input === -Infinity) return "is a number that is too large";
  return Number.isNaN(input) ? `must be ${wanted}` : `must be ${wanted}, not ${toSeen(input)}`;
}

const MAX_CHOICES = 20;

const toName = (key: string): string => toField([key]);

function toChoice(values: readonly unknown[], input: unknown): string {
  const known = values.filter((value) => value !== undefined);
  const must = `must be ${toList(known.slice(0, MAX_CHOICES).map(String))}`;
  return input === undefined ? `${MISSING}: it ${must}` : `${must}, not ${toSeen(input)}`;
}

function toList(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

function partOf(input: unknown, name: string): unknown {
  return typeof input === "object" && input !== null ? Object.entries(input).find(([key]) => key === name)?.[1] : input;
}

const MAX_SEEN_CHARS = 40;

/** The value that was sent if it is short, else its kind. */
function toSeen(input: unknown): string {
  if (Array.isArray(input)) return "a list";
  if (typeof input === "string") return input.length > MAX_SEEN_CHARS ? "a long text" : JSON.stringify(input);
  if (typeof input === "object" && input !== null) return "an object";
  return String(input);
}

function toBound(side: "small" | "big", origin: string): string {
  const isCounted = toUnit(origin) !== "";
  if (isCounted) return side === "small" ? "must have at least" : "has more than";
  return side === "small" ? "must be at least" : "must be at most";
}

function toUnit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" || origin === "set" ? " items" : "";
}
