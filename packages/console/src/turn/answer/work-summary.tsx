/**
 * Work summary: the work before the answer, in one line; open while it happens, folded when it is over unless the reader
 * touched it.
 */
import { ChevronDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApp } from "../../app-context.ts";
import { waitedBetween } from "../../store/gaps.ts";
import type { CallSpan, TurnSpan } from "../../store/story.ts";
import { nameOf } from "../crew-display.ts";
import { useShownRun } from "../run-context.ts";
import { type TurnSegment, turnsOf } from "../turn-items.ts";
import { shownText } from "../text/shown-text.ts";
import { ToolLine } from "../tool-line.tsx";

interface ThoughtProps {
  readonly segment: TurnSegment;
  readonly answer: TurnSpan | undefined;
  readonly calls: readonly CallSpan[];
}

/** The line, and what is in it. */
export function WorkSummary({ segment, answer, calls }: ThoughtProps) {
  const { words, format } = useApp();
  const { store, shownCall } = useShownRun();
  const turns = turnsOf(segment.items);
  const first = turns[0];
  const isWorking = store.story.ended === undefined && segment.to === Infinity && answer?.to === undefined;
  const [isOpen, setOpen] = useState(isWorking);
  const isTouched = useRef(false);
  useEffect(() => {
    if (!isTouched.current) setOpen(isWorking);
  }, [isWorking]);
  const isAsked = calls.some(({ call }) => call === shownCall?.call);
  useEffect(() => {
    if (isAsked) setOpen(true);
  }, [isAsked, shownCall]);
  if (first === undefined) return null;
  const end = answer?.to ?? store.story.ended ?? turns.at(-1)?.to;
  const tookMs =
    end === undefined ? undefined : end.at - first.from.at - waitedBetween(store.story, first.from.at, end.at);
  const took = tookMs === undefined ? undefined : format.duration(tookMs);
  const all = turns.reduce((sum, turn) => sum + turn.steps.reduce((count, step) => count + step.calls.length, 0), 0);
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
        <small>
          {[
            ...(calls.length > 0 ? [tools] : []),
            ...(all > calls.length ? [words.run.ownTools(all - calls.length)] : []),
            words.run.turns(turns.length),
          ].join(", ")}
        </small>
      </summary>
      {isOpen && <Body turns={turns} answer={answer} calls={calls} />}
    </details>
  );
}

type BodyProps = Pick<ThoughtProps, "answer" | "calls"> & { readonly turns: readonly TurnSpan[] };

function Body({ turns, answer, calls }: BodyProps) {
  const { display } = useShownRun();
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
                  <ToolLine key={call.call} call={call} />
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
