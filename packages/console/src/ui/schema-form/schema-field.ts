/**
 * Schema field: how a value is written, by its JSON Schema. What a form cannot show is written as JSON.
 */
import type { Json } from "@baton/client";

/** A JSON Schema. */
export type FormSchema = Readonly<Record<string, Json>>;

/** A value with named fields. */
export type FormValue = Readonly<Record<string, Json>>;

/** A kind of field. */
export type SchemaField =
  | Readonly<{ kind: "text" | "number" | "integer" | "boolean" | "json" }>
  | Readonly<{ kind: "choice"; values: readonly Json[] }>
  /** Several of a list of values. */
  | Readonly<{ kind: "several"; values: readonly Json[] }>
  /** A list of texts or numbers. */
  | Readonly<{ kind: "list"; of: "text" | "number" }>
  | Readonly<{ kind: "group"; fields: readonly NamedField[] }>
  | Readonly<{ kind: "ways"; ways: readonly FormSchema[] }>;

/** A field of an object. */
export type NamedField = Readonly<{ name: string; schema: FormSchema; isRequired: boolean }>;

/** Returns the field for a schema. */
export function fieldFor(schema: FormSchema): SchemaField {
  const { enum: values, anyOf, oneOf, items } = schema;
  if (isList(values) && values.length > 0) return { kind: "choice", values };
  const ways = listOf(oneOf ?? anyOf)
    .flatMap(toSchemas)
    .filter(({ type }) => type !== "null");
  const [only] = ways;
  if (only !== undefined && ways.length === 1) return fieldFor(only);
  if (ways.length > 1) return { kind: "ways", ways };
  switch (typeOf(schema)) {
    case "string":
      return { kind: "text" };
    case "number":
      return { kind: "number" };
    case "integer":
      return { kind: "integer" };
    case "boolean":
      return { kind: "boolean" };
    case "object":
      return toGroup(schema);
    case "array":
      return toList(toSchemas(items ?? null)[0]);
    default:
      return { kind: "json" };
  }
}

/** The name of a schema's type; the first that is not null. */
export function typeOf({ type }: FormSchema): string | undefined {
  const names = isList(type) ? type : [type];
  return names.flatMap((name) => (typeof name === "string" && name !== "null" ? [name] : []))[0];
}

function toGroup({ properties, required }: FormSchema): SchemaField {
  const needed = listOf(required);
  const fields = Object.entries(toSchemas(properties ?? null)[0] ?? {}).flatMap(([name, inner]) =>
    toSchemas(inner).map((schema): NamedField => ({ name, schema, isRequired: needed.includes(name) })),
  );
  return fields.length === 0 ? { kind: "json" } : { kind: "group", fields };
}

function toList(item: FormSchema | undefined): SchemaField {
  const field = item === undefined ? undefined : fieldFor(item);
  if (field?.kind === "choice") return { kind: "several", values: field.values };
  if (field?.kind === "text") return { kind: "list", of: "text" };
  if (field?.kind === "number" || field?.kind === "integer") return { kind: "list", of: "number" };
  return { kind: "json" };
}

/** The schema of a value that is one, in a list; else none. */
export function toSchemas(value: Json): readonly FormSchema[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return [Object.fromEntries(Object.entries(value))];
}

/** Checks for a list of JSON values. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A list; none for another value. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}
