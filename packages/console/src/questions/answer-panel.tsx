/**
 * Answer panel: the arguments of a question and the form that answers it, the same in the chat, in the list of runs and on
 * the page of a run.
 */
import type { EventBodyOf, Json } from "@baton/client";
import { type SyntheticEvent, useId, useState } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import { type AnswerForm, formOf, readAnswer } from "./answer-form.ts";
import { ApprovalForm } from "./approval-form.tsx";
import { errorText } from "../loading/error-text.ts";
import "./answer-panel.css";

type Asked = EventBodyOf<"question.opened">;

/** The arguments of a call, all of them. */
export function CallArguments({ args }: { readonly args: Json | undefined }) {
  if (args === undefined || args === null || typeof args !== "object") return null;
  const entries = Object.entries(args);
  if (entries.length === 0) return null;
  return (
    <dl className="question-arguments">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface AnswerProps {
  readonly run: string;
  readonly asked: Asked;
}

/** The form; who may not answer reads whom to ask. It can be sent again only if it was refused. */
export function AnswerPanel({ run, asked }: AnswerProps) {
  const { client, words, me } = useApp();
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState("");
  const isForOperator = asked.who === "operator";
  if (isForOperator && me?.scopes.some((scope) => scope === "approve" || scope === "admin") === false) {
    return <p className="question-effect">{words.question.operator}</p>;
  }
  const answer = (value: Json): void => {
    setSent(true);
    setProblem("");
    client.command(run, { type: "answer", question: asked.question, value }).catch((thrown: unknown) => {
      setSent(false);
      setProblem(errorText(thrown));
    });
  };
  const form = formOf(asked.schema);
  return (
    <>
      {isForOperator && <p className="question-effect">{words.runPage.waits.operator}</p>}
      {form.kind === "approval" ? (
        <ApprovalForm tool={asked.tool} args={asked.args ?? {}} isSent={sent} onAnswer={answer} />
      ) : form.kind === "choice" ? (
        <Choices values={form.values} isSent={sent} onChoose={answer} />
      ) : (
        <Writing form={form} asked={asked} isSent={sent} onAnswer={answer} />
      )}
      {problem !== "" && (
        <p className="question-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** An answer in words. */
export function answerText(value: Json, { allow, deny, allowEdited }: AnswerWords): string {
  if (value === "allow") return allow;
  if (value === "deny") return deny;
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { decision, reason, args } = Object.fromEntries<Json>(Object.entries(value));
  if (decision === "deny") return typeof reason === "string" ? `${deny} · ${reason}` : deny;
  return decision === "edit" ? `${allowEdited} · ${JSON.stringify(args)}` : JSON.stringify(value);
}

type AnswerWords = Readonly<{ allow: string; deny: string; allowEdited: string }>;

interface ChoicesProps {
  readonly values: readonly Json[];
  readonly isSent: boolean;
  readonly onChoose: (value: Json) => void;
}

function Choices({ values, isSent, onChoose }: ChoicesProps) {
  const { words } = useApp();
  const label = (value: Json): string => {
    if (value === true) return words.chat.yes;
    if (value === false) return words.chat.no;
    return answerText(value, words.question);
  };
  return (
    <div className="question-choices">
      {values.map((value, index) => (
        <Button
          key={JSON.stringify(value)}
          kind={index === 0 ? "primary" : "plain"}
          disabled={isSent}
          onPress={() => onChoose(value)}
        >
          {label(value)}
        </Button>
      ))}
    </div>
  );
}

interface WritingProps {
  readonly form: AnswerForm;
  readonly asked: Asked;
  readonly isSent: boolean;
  readonly onAnswer: (value: Json) => void;
}

function Writing({ form, asked, isSent, onAnswer }: WritingProps) {
  const { words } = useApp();
  const id = useId();
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const value = readAnswer(form, text);
    setWrong(value === undefined);
    if (value !== undefined) onAnswer(value);
  };
  const isJson = form.kind === "json";
  const label = isJson && asked.tool !== undefined ? words.chat.resultOf(asked.tool) : words.chat.askedFor;
  const common = { id, value: text, disabled: isSent, placeholder: label, "aria-invalid": isWrong };
  return (
    <form className={isJson ? "question-writing json" : "question-writing"} onSubmit={submit}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      {isJson ? (
        <textarea {...common} rows={3} spellCheck={false} onChange={(event) => setText(event.target.value)} />
      ) : (
        <input
          {...common}
          inputMode={form.kind === "number" ? "decimal" : "text"}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <button type="submit" className="button primary" disabled={isSent || text === ""}>
        {words.chat.sendAnswer}
      </button>
      {isWrong && (
        <p className="question-problem" role="alert">
          {form.kind === "number" ? words.chat.notNumber : words.chat.notJson}
        </p>
      )}
    </form>
  );
}
