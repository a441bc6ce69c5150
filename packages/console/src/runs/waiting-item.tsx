/**
 * Waiting item: one run that waits for somebody, with what it asks, to be answered in place.
 */
import { type Command, ClientError, type Json, type RunInfo } from "@baton/client";
import { CircleHelp, CirclePause, ShieldQuestion } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useApp } from "../app-context.ts";
import { type AnswerForm, formOf, readAnswer } from "../chat/answer-form.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { useLoaded } from "../use-loaded.ts";

type Question = NonNullable<RunInfo["result"]>["questions"][number];

/** One run that waits. */
export function WaitingItem({ run }: { readonly run: RunInfo }) {
  const { client, words } = useApp();
  const [problem, setProblem] = useState("");
  const loaded = useLoaded(`${run.id} ${run.updated_at}`, () => client.run(run.id));
  const questions = loaded.state === "ready" ? (loaded.value.result?.questions ?? []) : undefined;
  const crew = useLoaded(run.id, () => client.runCrew(run.id));
  const nameOf: NameOf = (agent) =>
    (crew.state === "ready" ? crew.value.agents.find(({ id }) => id === agent)?.name : undefined) ?? agent;
  const send = (command: Command): void => {
    setProblem("");
    client.command(run.id, command).catch((thrown: unknown) => {
      setProblem(thrown instanceof ClientError ? thrown.message : String(thrown));
    });
  };
  return (
    <li className="waiting-item">
      <Link to={{ page: "run", id: run.id }} className="waiting-run">
        <strong>{run.crew}</strong>
        <span>{run.input}</span>
      </Link>
      <div className="waiting-asks">
        {questions?.map((question) => (
          <Asked
            key={question.question}
            question={question}
            nameOf={nameOf}
            onAnswer={(value) => send({ type: "answer", question: question.question, value })}
          />
        ))}
        {questions?.length === 0 && (
          <div className="waiting-question">
            <p>
              <CirclePause size={15} aria-hidden />
              <span>{words.lists.runs.waitsFor(nameOf(run.agent))}</span>
            </p>
            <Field
              form={{ kind: "text" }}
              onAnswer={(value) => send({ type: "resume", input: typeof value === "string" ? value : "" })}
            />
          </div>
        )}
        {problem !== "" && <p role="alert">{problem}</p>}
      </div>
    </li>
  );
}

/** What people call an agent. */
type NameOf = (agent: string) => string;

interface AskedProps {
  readonly question: Question;
  readonly nameOf: NameOf;
  readonly onAnswer: (value: Json) => void;
}

function Asked({ question, nameOf, onAnswer }: AskedProps) {
  const { words, me } = useApp();
  const { kind, tool, agent, text, args, schema, who } = question;
  const isApproval = kind === "approval" && tool !== undefined;
  const Icon = isApproval ? ShieldQuestion : CircleHelp;
  const mayAnswer = who !== "operator" || me?.scopes.includes("admin") !== false;
  return (
    <div className="waiting-question">
      <p>
        <Icon size={15} aria-hidden />
        <span>{isApproval ? words.question.wants(nameOf(agent), tool) : text}</span>
        {args !== undefined && <code title={JSON.stringify(args, undefined, 1)}>{JSON.stringify(args)}</code>}
      </p>
      {mayAnswer ? <Answer form={formOf(schema)} onAnswer={onAnswer} /> : <small>{words.question.operator}</small>}
    </div>
  );
}

interface AnswerProps {
  readonly form: AnswerForm;
  readonly onAnswer: (value: Json) => void;
}

function Answer({ form, onAnswer }: AnswerProps) {
  const { words } = useApp();
  const [isSent, setSent] = useState(false);
  if (form.kind !== "choice") return <Field form={form} onAnswer={onAnswer} />;
  const label = (value: Json): string => {
    if (value === "allow") return words.question.allow;
    if (value === "deny") return words.question.deny;
    if (typeof value === "boolean") return value ? words.chat.yes : words.chat.no;
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  return (
    <div className="waiting-choices">
      {form.values.map((value, index) => (
        <Button
          key={JSON.stringify(value)}
          kind={index === 0 ? "primary" : "plain"}
          disabled={isSent}
          onPress={() => {
            setSent(true);
            onAnswer(value);
          }}
        >
          {label(value)}
        </Button>
      ))}
    </div>
  );
}

function Field({ form, onAnswer }: AnswerProps) {
  const { words } = useApp();
  const [text, setText] = useState("");
  const value = readAnswer(form, text);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (value === undefined || text.trim() === "") return;
    onAnswer(value);
    setText("");
  };
  return (
    <form className="waiting-field" onSubmit={submit}>
      <input
        value={text}
        aria-label={words.lists.runs.answer}
        placeholder={words.lists.runs.answer}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="button plain" disabled={text.trim() === ""}>
        {words.lists.runs.send}
      </button>
    </form>
  );
}
