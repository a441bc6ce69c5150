/**
 * Waiting item: one run that waits for a person, with what it asks, to be answered in place.
 */
import { type Command, ClientError, type RunInfo } from "@baton/client";
import { CircleHelp, CirclePause, ShieldQuestion } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useApp } from "../app-context.ts";
import { AnswerPanel, CallArguments } from "../questions/answer-panel.tsx";
import { PageLink } from "../navigation/page-link.tsx";
import { useRequest } from "../loading/use-request.ts";

type Question = NonNullable<RunInfo["result"]>["questions"][number];

/** One run that waits. */
export function WaitingItem({ run }: { readonly run: RunInfo }) {
  const { client, words } = useApp();
  const [problem, setProblem] = useState("");
  const loaded = useRequest(`${run.id} ${run.updated_at}`, () => client.run(run.id));
  const questions = loaded.state === "ready" ? (loaded.value.result?.questions ?? []) : undefined;
  const crew = useRequest(run.id, () => client.runCrew(run.id));
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
      <PageLink to={{ page: "run", id: run.id }} className="waiting-run">
        <strong>{run.crew}</strong>
        <span>{run.input}</span>
      </PageLink>
      <div className="waiting-asks">
        {questions?.map((question) => (
          <Asked key={question.question} run={run.id} question={question} nameOf={nameOf} />
        ))}
        {questions?.length === 0 && (
          <div className="waiting-question">
            <p>
              <CirclePause size={15} aria-hidden />
              <span>{words.lists.runs.waitsFor(nameOf(run.agent))}</span>
            </p>
            <Field onSend={(input) => send({ type: "resume", input })} />
          </div>
        )}
        {problem !== "" && <p role="alert">{problem}</p>}
      </div>
    </li>
  );
}

/** Returns the name of an agent. */
type NameOf = (agent: string) => string;

interface AskedProps {
  readonly run: string;
  readonly question: Question;
  readonly nameOf: NameOf;
}

function Asked({ run, question, nameOf }: AskedProps) {
  const { words } = useApp();
  const { kind, tool, agent, text, args } = question;
  const isApproval = kind === "approval" && tool !== undefined;
  const Icon = isApproval ? ShieldQuestion : CircleHelp;
  const title = isApproval ? words.question.wants(nameOf(agent), tool) : text;
  return (
    <div className="waiting-question" role="group" aria-label={title}>
      <div>
        <p>
          <Icon size={15} aria-hidden />
          <span>{title}</span>
        </p>
        <CallArguments args={args} />
      </div>
      <div className="waiting-answer">
        <AnswerPanel run={run} asked={question} />
      </div>
    </div>
  );
}

function Field({ onSend }: { readonly onSend: (text: string) => void }) {
  const { words } = useApp();
  const [text, setText] = useState("");
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    onSend(text);
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
