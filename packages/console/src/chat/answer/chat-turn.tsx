/**
 * Chat turn: one agent's stay with the baton: who and which model, what it wrote, its calls and its signals.
 */
import type { ReactNode } from "react";
import { useApp } from "../../app-context.ts";
import { colorClass, initialOf } from "../../graph/agent-color.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { StepSpan, TurnSpan } from "../../store/story.ts";
import { nameOf, useChat } from "../chat-context.ts";
import { JsonTree } from "../../ui/json-tree.tsx";
import { isShownCall } from "./provenance.ts";
import { StepText } from "./step-text.tsx";
import { ToolLine } from "./tool-line.tsx";
import "./chat-turn.css";

interface TurnViewProps {
  readonly store: RunStore;
  readonly turn: TurnSpan;
  readonly signals: readonly string[];
}

/** One turn. */
export function ChatTurn({ store, turn, signals }: TurnViewProps) {
  const { display } = useChat();
  const role = display.crew?.agents.find(({ id }) => id === turn.agent)?.role ?? "";
  const model = turn.steps.at(-1)?.model;
  const name = nameOf(display, turn.agent);
  const error = turn.ended?.error;
  return (
    <section className={`chat-turn ${colorClass(display.colors, turn.agent)}`} role="group" aria-label={name}>
      <header className="turn-head">
        <span className="turn-badge" aria-hidden>
          {initialOf(name)}
        </span>
        <strong>{name}</strong>
        {role !== "" && <span className="turn-role">{role}</span>}
        {model !== undefined && <code className="turn-model">{model}</code>}
      </header>
      <div className="turn-body">
        {turn.steps.map((step) => (
          <StepView key={step.step} store={store} step={step} signals={signals} audience={turn.audience} />
        ))}
        {error !== undefined && error.message !== store.story.ended?.error?.message && (
          <p className="turn-error">{error.message}</p>
        )}
        {signals.length > 0 && (
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

interface ForCrewProps {
  readonly audience: TurnSpan["audience"];
  readonly step: StepSpan;
  readonly children: ReactNode;
}

/** Folds words that are not for the user. */
function ForCrew({ audience, step, children }: ForCrewProps) {
  const { words } = useApp();
  if (audience === "user" || step.ended?.text === "") return children;
  return (
    <details className="turn-reasoning">
      <summary>{words.chat.forCrew}</summary>
      {children}
    </details>
  );
}

interface StepViewProps {
  readonly store: RunStore;
  readonly step: StepSpan;
  readonly signals: readonly string[];
  readonly audience: TurnSpan["audience"];
}

/** The words and calls of one model call. */
function StepView({ store, step, signals, audience }: StepViewProps) {
  const { words } = useApp();
  const calls = step.calls.filter((call) => isShownCall(call, step.model));
  const reasoning = step.attempts.at(-1)?.reasoning.text ?? "";
  const output = step.ended?.output;
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
          <StepText store={store} step={step} signals={signals} />
        </ForCrew>
      )}
      {calls.length > 0 && (
        <div className="turn-calls">
          {calls.map((call) => (
            <ToolLine key={call.call} store={store} call={call} />
          ))}
        </div>
      )}
    </>
  );
}
