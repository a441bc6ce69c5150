/**
 * Exchange: one run of a conversation: what was asked, what was done, what was answered, and what it took.
 */
import type { RunFeedbackInfo } from "@baton/client";
import { useEffect, useMemo } from "react";
import { useApp } from "../../app-context.ts";
import type { RunStore } from "../../store/run-store.ts";
import { useChanges } from "../../store/use-run.ts";
import { PendingList } from "../../ui/pending-list.tsx";
import { AssistantView } from "../../turn/answer/assistant-view.tsx";
import { useChat } from "../chat-context.ts";
import { RunContext } from "../../turn/run-context.ts";
import { TurnList } from "../../turn/turn-list.tsx";
import { buildTurnItems, splitAtMessages } from "../../turn/turn-items.ts";
import { suggestionsOf } from "../../turn/answer/answer-notes.ts";
import { OutcomeCard } from "../../turn/outcome-card.tsx";
import { RunFooter } from "./run-footer.tsx";
import { phaseOf } from "../run-phase.ts";
import { type ShownExchange, useExchange } from "./use-exchange.ts";
import { SentMessage } from "../../turn/sent-message.tsx";
import "./exchange.css";

interface ExchangeProps {
  readonly run: string;
  /** The question, shown until the log has it. */
  readonly input: string;
  readonly feedback: RunFeedbackInfo | undefined;
  readonly isLast: boolean;
  /** Every turn, or the answer alone. */
  readonly show: "work" | "answer";
  /** Called with the last exchange, which the rest of the page uses. */
  readonly onShown: (shown: ShownExchange) => void;
}

/** One run. */
export function Exchange({ run, input, feedback, isLast, show, onShown }: ExchangeProps) {
  const shown = useExchange(run);
  const { store, connection } = shown;
  const { words } = useApp();
  useEffect(() => {
    if (isLast && store !== undefined) onShown(shown);
  }, [isLast, run, store, connection]);
  return (
    <article className={isLast ? "exchange last" : "exchange"} id={`run-${run}`} aria-label={input}>
      {store === undefined ? (
        <SentMessage text={input} images={0} seq={0} />
      ) : (
        <Story store={store} input={input} feedback={feedback} isLast={isLast} show={show} />
      )}
      {connection.state === "failed" && (
        <p className="exchange-problem" role="alert">
          {connection.error.code === "not_found" ? words.states.noRun(run) : connection.error.message}
        </p>
      )}
      <div className="exchange-end" aria-hidden />
    </article>
  );
}

interface StoryProps {
  readonly store: RunStore;
  readonly input: string;
  readonly feedback: RunFeedbackInfo | undefined;
  readonly isLast: boolean;
  readonly show: "work" | "answer";
}

function Story({ store, input, feedback, isLast, show }: StoryProps) {
  const version = useChanges(store);
  const items = useMemo(() => buildTurnItems(store.story, store.events), [store, version]);
  const { started, ended } = store.story;
  const { display, shownCall, showCall } = useChat();
  if (started === undefined) return <SentMessage text={input} images={0} seq={0} />;
  return (
    <RunContext value={{ store, display, seq: Infinity, shownCall, showCall }}>
      {show === "work" ? (
        <TurnList items={items} />
      ) : (
        splitAtMessages(items).map((segment) => (
          <div key={segment.from} className="segment">
            {segment.user !== undefined && <SentMessage {...segment.user} />}
            <AssistantView segment={segment} />
          </div>
        ))
      )}
      <PendingList pending={store.pending} />
      <OutcomeCard />
      {(ended !== undefined || phaseOf(store.story).kind === "message") && (
        <RunFooter store={store} feedback={feedback} />
      )}
      {ended !== undefined && isLast && <Suggestions store={store} />}
    </RunContext>
  );
}

function Suggestions({ store }: { readonly store: RunStore }) {
  const { words } = useApp();
  const { ask } = useChat();
  const items = suggestionsOf(store.story.notes);
  if (items.length === 0) return null;
  return (
    <ul className="suggestions" aria-label={words.chat.suggestions}>
      {items.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => ask(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
