/**
 * Open questions: the open questions of a run, and what can be said to it while it runs.
 */
import type { Command, OpenQuestion } from "@baton/client";
import { type FormEvent, useState } from "react";
import { useApp } from "../app-context.ts";
import { AnswerPanel, CallArguments } from "./answer-panel.tsx";
import { AskedLine } from "../code/code-view.tsx";
import { useAgentName } from "../graph/agent-names.ts";
import type { RunStore } from "../store/run-store.ts";
import { sayTo } from "../store/say-to.ts";
import "./open-questions.css";

/** Questions with their answers, or a field for a message. */
export function OpenQuestions({ store }: { readonly store: RunStore }) {
  const { client, words } = useApp();
  const [error, setError] = useState<string>();
  const nameOf = useAgentName();
  const view = store.viewAt("live");
  if (view.status === "ended") return null;
  const watch = (sent: Promise<unknown>): Promise<boolean> => {
    setError(undefined);
    return sent.then(
      () => true,
      (thrown: unknown) => {
        setError(thrown instanceof Error ? thrown.message : String(thrown));
        return false;
      },
    );
  };
  const send = (command: Command): Promise<boolean> => watch(client.command(store.id, command));
  const questions = [...view.questions.values()];
  const isPaused = view.status === "paused";
  const say = (text: string): Promise<boolean> =>
    isPaused ? send({ type: "resume", input: text }) : watch(sayTo(client, store, text));
  const hint = isPaused ? words.runPage.waits.answer(nameOf(view.holder)) : words.runPage.waits.say;
  return (
    <div className="asks">
      {questions.map((question) => (
        <Question key={question.question} store={store} question={question} />
      ))}
      {questions.length === 0 && <Field hint={hint} send={words.runPage.waits.send} onSend={say} />}
      {error !== undefined && <p role="alert">{error}</p>}
    </div>
  );
}

interface QuestionProps {
  readonly store: RunStore;
  readonly question: OpenQuestion;
}

function Question({ store, question }: QuestionProps) {
  const { words } = useApp();
  const agent = useAgentName()(question.agent);
  const { tool, kind, args, text } = question;
  const isApproval = kind === "approval" && tool !== undefined;
  const title = isApproval ? words.question.wants(agent, tool) : text;
  return (
    <section className="asks-question" aria-label={title}>
      <p>
        <strong>{title}</strong>
      </p>
      <AskedLine store={store} asked={question} />
      <CallArguments args={args} />
      <AnswerPanel run={store.id} asked={question} />
    </section>
  );
}

interface FieldProps {
  readonly hint: string;
  readonly send: string;
  /** Says whether it was taken; what was refused stays in the field. */
  readonly onSend: (text: string) => Promise<boolean>;
}

function Field({ hint, send, onSend }: FieldProps) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    onSend(text).then(
      (isTaken) => isTaken && setText((now) => (now === text ? "" : now)),
      () => undefined,
    );
  };
  return (
    <form className="asks-field" onSubmit={submit}>
      <input value={text} aria-label={hint} placeholder={hint} onChange={(event) => setText(event.target.value)} />
      <button type="submit" className="button plain">
        {send}
      </button>
    </form>
  );
}
