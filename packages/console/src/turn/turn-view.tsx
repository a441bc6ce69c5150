/**
 * Turn view: one agent's stay with the baton as far as it had come: who and which model, what it wrote, its calls, what
 * was asked about them, and its signals.
 */
import { Fragment, type ReactNode } from "react";
import { useApp } from "../app-context.ts";
import { colorClass, initialOf } from "../graph/agent-color.ts";
import { LazyQuestionCard } from "../questions/lazy-question-card.tsx";
import { shortPosition } from "../run/selection.ts";
import { waitedBetween } from "../store/gaps.ts";
import { fateOf } from "../store/receipt-lines.ts";
import { hasBegun, type StepSpan, type TurnSpan } from "../store/story.ts";
import { JsonTree } from "../ui/json-tree.tsx";
import { describedBy } from "../ui/layers/tooltip.tsx";
import { nameOf } from "./crew-display.ts";
import { useShownRun } from "./run-context.ts";
import { isShownCall } from "./text/provenance.ts";
import { StepText } from "./text/step-text.tsx";
import { ToolLine } from "./tool-line.tsx";
import { questionsOfCall } from "./turn-items.ts";
import "./turn-view.css";

interface TurnViewProps {
  readonly turn: TurnSpan;
  readonly signals: readonly string[];
  /** Draws what agents and crews that are tools did. */
  readonly drawChild: (call: string) => ReactNode;
}

/** One turn. */
export function TurnView({ turn, signals, drawChild }: TurnViewProps) {
  const { store, display, seq, selected } = useShownRun();
  const steps = turn.steps.filter((step) => hasBegun(step, seq));
  const isDone = turn.to !== undefined && turn.to.seq <= seq;
  const isSelected = selected !== undefined && (selected === turn.turn || selected.startsWith(`${turn.turn}.`));
  const error = isDone ? turn.ended?.error : undefined;
  const isSaid =
    error?.message === store.story.ended?.error?.message || fateOf(store.story, turn.turn, turn) !== undefined;
  return (
    <section
      className={`chat-turn ${colorClass(display.colors, turn.agent)}`}
      role="group"
      aria-label={nameOf(display, turn.agent)}
      data-selected={isSelected}
      data-turn={turn.turn}
    >
      <Head turn={turn} model={steps.at(-1)?.model} isDone={isDone} />
      <div className="turn-body">
        {steps.map((step) => (
          <StepView key={step.step} step={step} signals={signals} audience={turn.audience} drawChild={drawChild} />
        ))}
        {error !== undefined && !isSaid && <p className="turn-error">{error.message}</p>}
        {isDone && signals.length > 0 && (
          <p className="turn-signals">
            {signals.map((signal) => (
              <code key={signal} className="signal-chip">
                {signal}
              </code>
            ))}
          </p>
        )}
      </div>
    </section>
  );
}

interface HeadProps {
  readonly turn: TurnSpan;
  readonly model: string | undefined;
  readonly isDone: boolean;
}

/** The agent, and what is known of the turn; on the page of the run a button that selects it. */
function Head({ turn, model, isDone }: HeadProps) {
  const { words, format } = useApp();
  const { store, display, select } = useShownRun();
  const name = nameOf(display, turn.agent);
  const role = display.crew?.agents.find(({ id }) => id === turn.agent)?.role ?? "";
  const fate = isDone ? fateOf(store.story, turn.turn, turn) : undefined;
  const { from, to } = turn;
  const took = to === undefined ? 0 : to.at - from.at - waitedBetween(store.story, from.at, to.at);
  const facts = [
    words.runPage.turnNumber(shortPosition(turn.turn)),
    ...(fate === undefined ? [] : [words.runPage.fates[fate]]),
    ...(isDone ? [format.duration(took)] : []),
  ];
  const inner = (
    <>
      <span className="turn-badge" aria-hidden>
        {initialOf(name)}
      </span>
      <strong className="turn-agent" {...describedBy(turn.agent)}>
        {name}
      </strong>
      {role !== "" && <span className="turn-role">{role}</span>}
      {select !== undefined && <span className="turn-facts">{facts.join(" · ")}</span>}
      {model !== undefined && <code className="turn-model">{model}</code>}
    </>
  );
  if (select === undefined) return <header className="turn-head">{inner}</header>;
  return (
    <button type="button" className="turn-head" onClick={() => select(turn.turn)}>
      {inner}
    </button>
  );
}

interface ForCrewProps {
  readonly audience: TurnSpan["audience"];
  readonly step: StepSpan;
  readonly children: ReactNode;
}

/** Folds words that are not for the user, but on the page of the run. */
function ForCrew({ audience, step, children }: ForCrewProps) {
  const { words } = useApp();
  const { select } = useShownRun();
  if (audience === "user" || select !== undefined || step.ended?.text === "") return children;
  return (
    <details className="turn-reasoning">
      <summary>{words.chat.forCrew}</summary>
      {children}
    </details>
  );
}

interface StepViewProps {
  readonly step: StepSpan;
  readonly signals: readonly string[];
  readonly audience: TurnSpan["audience"];
  readonly drawChild: (call: string) => ReactNode;
}

/** The words and calls of one model call. */
function StepView({ step, signals, audience, drawChild }: StepViewProps) {
  const { words } = useApp();
  const { seq, select } = useShownRun();
  const calls = step.calls.filter(
    (call) => hasBegun(call, seq) && (select !== undefined || isShownCall(call, step.model)),
  );
  const reasoning = step.attempts.at(-1)?.reasoning.at(seq) ?? "";
  const output = (step.to?.seq ?? Infinity) <= seq ? step.ended?.output : undefined;
  return (
    <>
      {reasoning !== "" && (
        <details className="turn-reasoning">
          <summary>{words.chat.reasoning}</summary>
          <p>{reasoning}</p>
        </details>
      )}
      {step.isOutput ? (
        output !== undefined && <JsonTree title={words.chat.structured} value={output} />
      ) : (
        <ForCrew audience={audience} step={step}>
          <StepText step={step} signals={signals} />
        </ForCrew>
      )}
      {calls.length > 0 && (
        <div className="turn-calls">
          {calls.map((call) => (
            <Fragment key={call.call}>
              <ToolLine call={call} />
              <CallQuestions call={call.call} />
              {drawChild(call.call)}
            </Fragment>
          ))}
        </div>
      )}
    </>
  );
}

/** The questions about a call, where they were asked. */
export function CallQuestions({ call }: { readonly call: string }) {
  const { store, seq, hidesQuestions } = useShownRun();
  if (hidesQuestions === true) return null;
  return questionsOfCall(store.story, call)
    .filter((question) => hasBegun(question, seq))
    .map((question) => <LazyQuestionCard key={question.asked.question} question={question} />);
}
