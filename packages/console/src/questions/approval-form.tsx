/**
 * Approval form: allows a call, denies it with or without a reason, or allows it with other arguments.
 */
import type { Json } from "@baton/client";
import { type SyntheticEvent, useId, useState } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import { readJson } from "./answer-form.ts";

interface ApprovalProps {
  readonly args: Json;
  readonly isSent: boolean;
  readonly onAnswer: (value: Json) => void;
}

/** The buttons; a field for the arguments or for the reason opens below them. */
export function ApprovalForm({ args, isSent, onAnswer }: ApprovalProps) {
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
      {field === "args" && <ArgumentsField args={args} isSent={isSent} onAnswer={onAnswer} />}
      {field === "reason" && <ReasonField isSent={isSent} onAnswer={onAnswer} />}
    </>
  );
}

function ArgumentsField({ args, isSent, onAnswer }: ApprovalProps) {
  const { words } = useApp();
  const id = useId();
  const [text, setText] = useState(() => JSON.stringify(args, undefined, 2));
  const [isWrong, setWrong] = useState(false);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const edited = readJson(text);
    setWrong(edited === undefined);
    if (edited !== undefined) onAnswer({ decision: "edit", args: edited });
  };
  return (
    <form className="question-writing json" onSubmit={submit}>
      <label htmlFor={id}>{words.question.arguments}</label>
      <textarea
        id={id}
        rows={Math.min(12, text.split("\n").length + 1)}
        value={text}
        spellCheck={false}
        disabled={isSent}
        aria-invalid={isWrong}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="button primary" disabled={isSent}>
        {words.question.allowEdited}
      </button>
      {isWrong && (
        <p className="question-problem" role="alert">
          {words.chat.notJson}
        </p>
      )}
    </form>
  );
}

function ReasonField({ isSent, onAnswer }: Omit<ApprovalProps, "args">) {
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
