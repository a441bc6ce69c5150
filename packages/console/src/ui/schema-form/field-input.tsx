/**
 * Field input: the control of one field of a schema form.
 */
import type { Json } from "@baton/client";
import { X } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../app-context.ts";
import { readJson } from "../../questions/answer-form.ts";
import { type FormSchema, listOf, type SchemaField } from "./schema-field.ts";

interface FieldInputProps {
  readonly id: string;
  readonly field: Exclude<SchemaField, { kind: "group" }>;
  readonly schema: FormSchema;
  readonly value: Json | undefined;
  readonly disabled: boolean;
  readonly isWrong: boolean;
  readonly describedBy: string;
  readonly onChange: (value: Json | undefined) => void;
}

const LONG = 200;
const MAX_BUTTONS = 6;

/** A control by the kind of the field. */
export function FieldInput(props: FieldInputProps) {
  const { field } = props;
  switch (field.kind) {
    case "text":
    case "number":
    case "integer":
      return <TextInput {...props} />;
    case "boolean":
      return <Choice {...props} values={[true, false]} />;
    case "choice":
      return <Choice {...props} values={field.values} />;
    case "several":
      return <Several {...props} values={field.values} />;
    case "list":
      return <List {...props} />;
    case "json":
    case "ways":
      return <JsonInput {...props} />;
  }
}

function attributesOf({ id, disabled, isWrong, describedBy }: FieldInputProps): object {
  return { id, disabled, "aria-invalid": isWrong, "aria-describedby": describedBy === "" ? undefined : describedBy };
}

function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function TextInput(props: FieldInputProps) {
  const { field, schema, value, onChange } = props;
  const isNumber = field.kind !== "text";
  const text = textOf(value);
  const { default: usual, maxLength } = schema;
  const isLong = !isNumber && (text.length > LONG || (typeof maxLength === "number" && maxLength > LONG));
  const change = (next: string): void => {
    const number = Number(next);
    const isValid = isNumber && next.trim() !== "" && Number.isFinite(number);
    onChange(next === "" ? undefined : isValid ? number : next);
  };
  const shared = {
    ...attributesOf(props),
    value: text,
    placeholder: textOf(usual),
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
  };
  if (isLong) return <textarea rows={4} {...shared} />;
  return <input type="text" inputMode={isNumber ? "decimal" : undefined} spellCheck={false} {...shared} />;
}

function Choice(props: FieldInputProps & { readonly values: readonly Json[] }) {
  const { id, schema, value, values, disabled, onChange } = props;
  const chosen = value ?? schema["default"];
  if (values.length > MAX_BUTTONS) {
    return (
      <select
        {...attributesOf(props)}
        value={textOf(chosen)}
        onChange={({ target }) => onChange(values.find((one) => textOf(one) === target.value))}
      >
        {chosen === undefined && <option value="" />}
        {values.map((one) => (
          <option key={textOf(one)}>{textOf(one)}</option>
        ))}
      </select>
    );
  }
  return (
    <div className="segmented" role="group" aria-labelledby={`${id}-label`}>
      {values.map((one) => (
        <button
          key={textOf(one)}
          type="button"
          disabled={disabled}
          aria-pressed={one === chosen}
          onClick={() => onChange(one)}
        >
          {textOf(one)}
        </button>
      ))}
    </div>
  );
}

function Several({ id, value, values, disabled, onChange }: FieldInputProps & { readonly values: readonly Json[] }) {
  const chosen = listOf(value);
  return (
    <div className="schema-chips" role="group" aria-labelledby={`${id}-label`}>
      {values.map((one) => {
        const isOn = chosen.includes(one);
        return (
          <button
            key={textOf(one)}
            type="button"
            disabled={disabled}
            aria-pressed={isOn}
            onClick={() => onChange(isOn ? chosen.filter((other) => other !== one) : [...chosen, one])}
          >
            {textOf(one)}
          </button>
        );
      })}
    </div>
  );
}

/** A list of texts or numbers as chips; Enter or a comma adds one. */
function List(props: FieldInputProps) {
  const { words } = useApp();
  const { field, value, disabled, onChange } = props;
  const [text, setText] = useState("");
  const items = listOf(value);
  const add = (): void => {
    const number = Number(text);
    const isNumber = field.kind === "list" && field.of === "number" && Number.isFinite(number);
    if (text.trim() !== "") onChange([...items, isNumber ? number : text.trim()]);
    setText("");
  };
  return (
    <div className="schema-chips">
      {items.map((item, at) => (
        <button
          key={`${textOf(item)} ${at}`}
          type="button"
          disabled={disabled}
          aria-label={words.form.remove(textOf(item))}
          onClick={() => onChange(items.filter((_, other) => other !== at))}
        >
          {textOf(item)}
          <X size={12} aria-hidden />
        </button>
      ))}
      <input
        type="text"
        {...attributesOf(props)}
        value={text}
        placeholder={words.form.add}
        onChange={({ target }) => setText(target.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== ",") return;
          event.preventDefault();
          add();
        }}
      />
    </div>
  );
}

function JsonInput(props: FieldInputProps) {
  const { value, onChange } = props;
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value, undefined, 2)));
  const change = (next: string): void => {
    setText(next);
    onChange(next.trim() === "" ? undefined : (readJson(next) ?? next));
  };
  return (
    <textarea
      className="schema-json"
      rows={Math.min(12, text.split("\n").length + 1)}
      spellCheck={false}
      {...attributesOf(props)}
      value={text}
      onChange={({ target }) => change(target.value)}
    />
  );
}
