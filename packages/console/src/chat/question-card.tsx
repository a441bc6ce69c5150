/**
 * Question card: a question of a run, with everything needed to decide; then how it was answered.
 */
import type { Json } from "@baton/client";
import { CircleHelp, ShieldQuestion } from "lucide-react";
import { type SyntheticEvent, useEffect, useId, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { colorClass } from "../graph/agent-color.ts";
import type { RunStore } from "../store/run-store.ts";
import type { QuestionSpan } from "../store/story.ts";
import { Button } from "../ui/button.tsx";
import { type AnswerForm, formOf, readAnswer } from "./answer-form.ts";
import { nameOf, useChat } from "./chat-context.ts";
import { errorText } from "./error-text.ts";
import "./question-card.css";

interface QuestionCardProps {
  readonly store: RunStore;
  readonly question: QuestionSpan;
}

/** One question. */
export function QuestionCard({ store, question }: QuestionCardProps) {
  const { words } = useApp();
  const { cast } = useChat();
  const { asked, to } = question;
  const { tool, agent, kind, text } = asked;
  const isApproval = kind === "approval" && tool !== undefined;
  const title = isApproval ? words.question.wants(nameOf(cast, agent), tool) : text;
  const isOpen = to === undefined;
  const Icon = isApproval ? ShieldQuestion : CircleHelp;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <section
      ref={card}
      className={["chat-question", isOpen ? "open" : "", colorClass(cast.colors, agent)].join(" ")}
      role="group"
      aria-label={title}
      data-question={asked.question}
    >
      <header>
        <Icon size={16} aria-hidden />
        <strong>{title}</strong>
      </header>
      <Arguments args={asked.args} />
      <Effect store={store} question={question} />
      {isOpen ? <Answering store={store} question={question} /> : <Answered question={question} />}
    </section>
  );
}

function Arguments({ args }: { readonly args: Json | undefined }) {
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

function Effect({ store, question: { asked } }: QuestionCardProps) {
  const { words } = useApp();
  const effect = asked.call === undefined ? undefined : store.story.call(asked.call)?.effect;
  if (effect === undefined) return null;
  return <p className={`question-effect ${effect}`}>{words.question.effects[effect]}</p>;
}

function Answered({ question: { answer, isClosed } }: Pick<QuestionCardProps, "question">) {
  const { words } = useApp();
  if (isClosed === true) return <p className="question-answered">{words.status.cancelled}</p>;
  const text = answer === undefined ? "" : wordOf(answer, words.question);
  return <p className="question-answered">{`${words.question.answered}: ${text}`}</p>;
}

function wordOf(value: Json, { allow, deny }: Readonly<{ allow: string; deny: string }>): string {
  if (value === "allow") return allow;
  if (value === "deny") return deny;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Answering({ store, question: { asked } }: QuestionCardProps) {
  const { client, words, me } = useApp();
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState("");
  if (asked.who === "operator" && me?.scopes.includes("admin") === false) {
    return <p className="question-effect">{words.question.operator}</p>;
  }
  const answer = (value: Json): void => {
    setSent(true);
    setProblem("");
    client.command(store.id, { type: "answer", question: asked.question, value }).catch((thrown: unknown) => {
      setSent(false);
      setProblem(errorText(thrown));
    });
  };
  const form = formOf(asked.schema);
  return (
    <>
      {form.kind === "choice" ? (
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
    return wordOf(value, words.question);
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
  readonly asked: QuestionSpan["asked"];
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
