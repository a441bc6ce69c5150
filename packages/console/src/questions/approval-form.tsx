/**
 * Approval form: allows a call, denies it with or without a reason, or allows it with other arguments.
 */
import type { Json } from "@baton/client";
import { type SyntheticEvent, useId, useState } from "react";
import { useApp } from "../app-context.ts";
import { useRequest } from "../loading/use-request.ts";
import { Button } from "../ui/button.tsx";
import { checkValue, type FormProblems } from "../ui/schema-form/check-value.ts";
import { type FormSchema, type FormValue, toSchemas } from "../ui/schema-form/schema-field.ts";
import { SchemaForm } from "../ui/schema-form/schema-form.tsx";

interface ApprovalProps {
  readonly tool: string | undefined;
  readonly args: Json;
  readonly isSent: boolean;
  readonly onAnswer: (value: Json) => void;
}

/** The buttons; a field for the arguments or for the reason opens below them. */
export function ApprovalForm({ tool, args, isSent, onAnswer }: ApprovalProps) {
  const { words } = useApp();
  const [field, setField] = useState<"none" | "args" | "reason">("none");
  const toggle = (name: "args" | "reason") => () => setField(field === name ? "none" : name);
  const { question } = words;
  return (
    <>
      <div className="question-choices">
        <Button kind="primary" disabled={isSent} onPress={() => onAnswer("allow")}>
          {question.allow}
        </Button>
        <Button kind="plain" disabled={isSent} onPress={() => onAnswer("deny")}>
          {question.deny}
        </Button>
        <Button kind="plain" disabled={isSent} onPress={toggle("args")}>
          {question.edit}
        </Button>
        <Button kind="plain" disabled={isSent} onPress={toggle("reason")}>
          {question.giveReason}
        </Button>
      </div>
      {field === "args" && <ArgumentsField tool={tool} args={args} isSent={isSent} onAnswer={onAnswer} />}
      {field === "reason" && <ReasonField isSent={isSent} onAnswer={onAnswer} />}
    </>
  );
}

/** The arguments in a form by the tool's schema; problems stand at their fields. */
function ArgumentsField({ tool, args, isSent, onAnswer }: ApprovalProps) {
  const { client, words } = useApp();
  const tools = useRequest("tools", () => client.tools());
  const [value, setValue] = useState<FormValue>(() => toSchemas(args)[0] ?? {});
  const [problems, setProblems] = useState<FormProblems>(new Map());
  if (tools.state === "loading") return null;
  const found = tools.state === "ready" ? tools.value.find(({ name }) => name === tool)?.input_schema : undefined;
  const schema = toSchemas(found ?? null)[0] ?? schemaOf(value);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const wrong = checkValue(schema, value, words.form);
    setProblems(wrong);
    if (wrong.size === 0) onAnswer({ decision: "edit", args: value });
  };
  return (
    <form className="question-edit" aria-label={words.question.arguments} onSubmit={submit}>
      <SchemaForm schema={schema} value={value} problems={problems} disabled={isSent} onChange={setValue} />
      <button type="submit" className="button primary" disabled={isSent}>
        {words.question.allowEdited}
      </button>
    </form>
  );
}

/** Builds a schema by the arguments themselves, for a tool that is not known. */
function schemaOf(value: FormValue): FormSchema {
  const types = Object.entries(value).map(([name, inner]) => [name, { type: typeof inner }] as const);
  return { type: "object", properties: Object.fromEntries(types) };
}

function ReasonField({ isSent, onAnswer }: Omit<ApprovalProps, "tool" | "args">) {
  const { words } = useApp();
  const id = useId();
  const [reason, setReason] = useState("");
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onAnswer({ decision: "deny", reason: reason.trim() });
  };
  return (
    <form className="question-writing" onSubmit={submit}>
      <label htmlFor={id} className="visually-hidden">
        {words.question.reason}
      </label>
      <input
        id={id}
        value={reason}
        maxLength={2_000}
        disabled={isSent}
        placeholder={words.question.reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <button type="submit" className="button primary" disabled={isSent || reason.trim() === ""}>
        {words.question.denyWithReason}
      </button>
    </form>
  );
}
