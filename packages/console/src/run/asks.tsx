/**
 * Asks: the open questions of a run, and what can be said to it while it runs.
 */
import type { Command, Json, OpenQuestion } from "@baton/client";
import { type FormEvent, useState } from "react";
import { useApp } from "../app-context.ts";
import { useAgentName } from "../graph/agent-names.ts";
import type { RunStore } from "../store/run-store.ts";
import { sayTo } from "../store/say.ts";
import { Button } from "../ui/button.tsx";
import { brief } from "./brief.ts";
import "./asks.css";

/** Questions with their answers, or a field for a message. */
export function Asks({ store }: { readonly store: RunStore }) {
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
        <Question
          key={question.question}
          question={question}
          onAnswer={(value) => send({ type: "answer", question: question.question, value })}
        />
      ))}
      {questions.length === 0 && <Field hint={hint} send={words.runPage.waits.send} onSend={say} />}
      {error !== undefined && <p role="alert">{error}</p>}
    </div>
  );
}

interface QuestionProps {
  readonly question: OpenQuestion;
  readonly onAnswer: (value: Json) => Promise<boolean>;
}

function Question({ question, onAnswer }: QuestionProps) {
  const { words, me } = useApp();
  const { tool, args, text, kind, schema, who } = question;
  const isForOperator = who === "operator";
  const mayAnswer = !isForOperator || me?.scopes.includes("admin") !== false;
  const agent = useAgentName()(question.agent);
  const choices = choicesOf(schema);
  const press = (choice: string): void => {
    onAnswer(choice).catch(() => undefined);
  };
  return (
    <section className="asks-question">
      <p>
        <strong>{tool === undefined ? agent : words.question.wants(agent, tool)}</strong>
        {args !== undefined && <code>{brief(args)}</code>}
      </p>
      {tool === undefined && <p>{text}</p>}
      {isForOperator && (
        <p className="asks-operator">{mayAnswer ? words.runPage.waits.operator : words.question.operator}</p>
      )}
      {!mayAnswer ? null : choices.length === 0 && kind !== "approval" ? (
        <Field hint={words.runPage.waits.answer(agent)} send={words.runPage.waits.send} onSend={onAnswer} />
      ) : (
        <div className="asks-choices">
          {choices.map((choice) => (
            <Button key={choice} kind={choice === "allow" ? "primary" : "plain"} onPress={() => press(choice)}>
              {sayChoice(choice, words.question)}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

function sayChoice(choice: string, { allow, deny }: Readonly<{ allow: string; deny: string }>): string {
  if (choice === "allow") return allow;
  return choice === "deny" ? deny : choice;
}

/** The answers that a schema allows, if it lists them. */
function choicesOf(schema: OpenQuestion["schema"]): readonly string[] {
  const listed = schema["enum"];
  return Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
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
