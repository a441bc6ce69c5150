/**
 * Fields: the fields that a part of a definition may have, and every other one that it has.
 */
import type { nearest } from "./nearest.ts";

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
type Same<A, B> = [A, B] extends [B, A] ? unknown : never;

const MAX_QUOTED = 100;

/** Lists the names in a text; the compiler holds them equal to the fields of a type. */
export const fieldsOf =
  <T>() =>
  <const Text extends string>(text: Text & Same<Words<Text>, keyof T>): readonly string[] =>
    text.split(" ");

/** A part of a definition, how a message calls it, and its fields. */
export type DefinedPart = Readonly<{ value: object; what: string; fields: readonly string[] }>;

/** A field that nothing reads. */
export type UnknownField = Readonly<{ name: string; message: string; fix: string }>;

/** Finds the fields of a part that nothing reads. */
export function* findUnknown({ value, what, fields }: DefinedPart, toNearest: typeof nearest): Iterable<UnknownField> {
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined || fields.includes(name)) continue;
    const near = toNearest(name, fields);
    const fix = near === undefined ? "remove it" : `did you mean \`${near}\`?`;
    yield { name, message: `${what} has no field \`${name.slice(0, MAX_QUOTED)}\``, fix };
  }
}
