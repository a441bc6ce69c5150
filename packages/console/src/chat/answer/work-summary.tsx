/**
 * Work summary: the work before the answer, in one line; open while it happens, folded when it is over unless the reader
 * touched it.
 */
import { ChevronDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApp } from "../../app-context.ts";
import { waitedBetween } from "../../store/gaps.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { CallSpan, TurnSpan } from "../../store/story.ts";
import { nameOf, useChat } from "../chat-context.ts";
import { type ExchangeSegment, turnsOf } from "../conversation/exchange-items.ts";
import { shownText } from "./shown-text.ts";
import { ToolLine } from "./tool-line.tsx";

interface ThoughtProps {
  readonly store: RunStore;
  readonly segment: ExchangeSegment;
  readonly answer: TurnSpan | undefined;
  readonly calls: readonly CallSpan[];
}

/** The line, and what is in it. */
export function WorkSummary({ store, segment, answer, calls }: ThoughtProps) {
  const { words, format } = useApp();
  const { shownCall } = useChat();
  const turns = turnsOf(segment.items);
  const first = turns[0];
  const isWorking = store.story.ended === undefined && segment.to === Infinity && answer?.to === undefined;
  const [isOpen, setOpen] = useState(isWorking);
  const isTouched = useRef(false);
  useEffect(() => {
    if (!isTouched.current) setOpen(isWorking);
  }, [isWorking]);
  const isAsked = calls.some(({ call }) => call === shownCall);
  useEffect(() => {
    if (isAsked) setOpen(true);
  }, [isAsked, shownCall]);
  if (first === undefined) return null;
  const end = answer?.to ?? store.story.ended ?? turns.at(-1)?.to;
  const tookMs =
    end === undefined ? undefined : end.at - first.from.at - waitedBetween(store.story, first.from.at, end.at);
  const took = tookMs === undefined ? undefined : format.duration(tookMs);
  const tools = isAtOnce(calls) ? words.chat.toolsAtOnce(calls.length) : words.run.tools(calls.length);
  return (
    <details className={isWorking ? "chat-thought working" : "chat-thought"} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          isTouched.current = true;
          setOpen(!isOpen);
        }}
      >
        <ChevronDown size={16} aria-hidden />
        {isWorking || took === undefined ? words.run.thinking : words.run.thought(took)}
        <small>{[...(calls.length > 0 ? [tools] : []), words.run.turns(turns.length)].join(", ")}</small>
      </summary>
      {isOpen && <Body store={store} turns={turns} answer={answer} calls={calls} />}
    </details>
  );
}

type BodyProps = Pick<ThoughtProps, "store" | "answer" | "calls"> & { readonly turns: readonly TurnSpan[] };

function Body({ store, turns, answer, calls }: BodyProps) {
  const { display } = useChat();
  const shown = new Set(calls);
  return (
    <div className="thought-body">
      {turns.map((turn) => (
        <div key={turn.turn}>
          {turn.steps.map((step) => (
            <div key={step.step}>
              {step.calls
                .filter((call) => shown.has(call))
                .map((call) => (
                  <ToolLine key={call.call} store={store} call={call} />
                ))}
              {turn !== answer && !step.isOutput && step.ended !== undefined && step.ended.text !== "" && (
                <p className="thought-said">
                  {`${nameOf(display, turn.agent)}: ${shownText(step.ended.text, display.watches.get(turn.agent), "ended")}`}
                </p>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** True if all calls were made by one step. */
function isAtOnce(calls: readonly CallSpan[]): boolean {
  return calls.length > 1 && calls.every(({ step }) => step === calls[0]?.step);
}
