/**
 * Schema form: a form for a value that has a JSON Schema; problems stand at their fields.
 */
import type { Json } from "@baton/client";
import { useId } from "react";
import { useApp } from "../../app-context.ts";
import type { FormProblems } from "./check-value.ts";
import { FieldInput } from "./field-input.tsx";
import { fieldFor, type FormSchema, type FormValue, type NamedField, toSchemas, typeOf } from "./schema-field.ts";
import "./schema-form.css";

interface SchemaFormProps {
  readonly schema: FormSchema;
  readonly value: FormValue;
  readonly problems: FormProblems;
  readonly disabled?: boolean;
  readonly onChange: (value: FormValue) => void;
}

/** The fields of an object. */
export function SchemaForm({ schema, value, problems, disabled = false, onChange }: SchemaFormProps) {
  return <Fields schema={schema} value={value} path="" context={{ problems, disabled }} onChange={onChange} />;
}

interface FieldContext {
  readonly problems: FormProblems;
  readonly disabled: boolean;
}

interface FieldsProps {
  readonly schema: FormSchema;
  readonly value: FormValue;
  readonly path: string;
  readonly context: FieldContext;
  readonly onChange: (value: FormValue) => void;
}

function Fields({ schema, value, path, context, onChange }: FieldsProps) {
  const field = fieldFor(schema);
  const fields = field.kind === "group" ? field.fields : [];
  const change = (name: string, inner: Json | undefined): void => {
    const { [name]: _, ...rest } = value;
    onChange(inner === undefined ? rest : { ...value, [name]: inner });
  };
  return (
    <div className="schema-fields">
      {fields.map((one) => (
        <Field
          key={one.name}
          field={one}
          value={value[one.name]}
          path={path === "" ? one.name : `${path}.${one.name}`}
          context={context}
          onChange={(inner) => change(one.name, inner)}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly field: NamedField;
  readonly value: Json | undefined;
  readonly path: string;
  readonly context: FieldContext;
  readonly onChange: (value: Json | undefined) => void;
}

function Field({ field: { name, schema, isRequired }, value, path, context, onChange }: FieldProps) {
  const { words } = useApp();
  const id = useId();
  const field = fieldFor(schema);
  const problem = context.problems.get(path);
  const { description } = schema;
  const hint = typeof description === "string" ? description : "";
  const described = [hint === "" ? "" : `${id}-hint`, problem === undefined ? "" : `${id}-problem`];
  return (
    <div className="schema-field">
      <div className="schema-field-head">
        <label htmlFor={id} id={`${id}-label`}>
          {name}
          {isRequired && <span className="schema-required">{words.form.required}</span>}
        </label>
        <code>{describe(schema, words.form.upTo)}</code>
      </div>
      {field.kind === "group" ? (
        <fieldset aria-labelledby={`${id}-label`}>
          <Fields
            schema={schema}
            value={toSchemas(value ?? null)[0] ?? {}}
            path={path}
            context={context}
            onChange={onChange}
          />
        </fieldset>
      ) : (
        <FieldInput
          id={id}
          field={field}
          schema={schema}
          value={value}
          disabled={context.disabled}
          isWrong={problem !== undefined}
          describedBy={described.filter((one) => one !== "").join(" ")}
          onChange={onChange}
        />
      )}
      {hint !== "" && (
        <p className="schema-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p className="schema-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** `integer, 2 to 400`. */
function describe(schema: FormSchema, upTo: (from: string, to: string) => string): string {
  const { minimum, maximum, minItems, maxItems, enum: values } = schema;
  const [from, to] = [minimum ?? minItems, maximum ?? maxItems];
  const name = Array.isArray(values) ? "enum" : (typeOf(schema) ?? "");
  const isRange = typeof from === "number" && typeof to === "number";
  return isRange ? `${name}, ${upTo(String(from), String(to))}` : name;
}
