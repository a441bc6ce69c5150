/**
 * Story turn: what an agent wrote and which tools it used in one turn, as far as it had come at an event.
 */
import { CircleCheck, CirclePause, CircleSlash, CircleX, LoaderCircle } from "lucide-react";
import { useApp } from "../../app-context.ts";
import { type AgentColors, colorClass, initialOf } from "../../graph/agent-color.ts";
import { useAgentName } from "../../graph/agent-names.ts";
import { LazyMarkdown } from "../../markdown/lazy-markdown.tsx";
import { waitedBetween } from "../../store/gaps.ts";
import { fateOf } from "../../store/receipt-lines.ts";
import type { RunStore } from "../../store/run-store.ts";
import { type CallSpan, hasBegun, isSpanOpen, type StepSpan, type TurnSpan } from "../../store/story.ts";
import { useChanges } from "../../store/use-run.ts";
import { oneLineJson } from "./one-line-json.ts";
import { shortPosition } from "../selection.ts";
import { callTimes } from "../../store/call-times.ts";
import { describedBy } from "../../ui/layers/tooltip.tsx";

interface TurnViewProps {
  readonly turn: TurnSpan;
  readonly store: RunStore;
  readonly seq: number;
  readonly depth: number;
  /** In a column beside others. */
  readonly isNarrow: boolean;
  readonly colors: AgentColors;
  readonly selected: string | undefined;
  readonly onSelect: (position: string) => void;
}

/** One turn. */
export function StoryTurn(props: TurnViewProps) {
  const { turn, store, seq, depth, isNarrow, colors, selected, onSelect } = props;
  const { words, format } = useApp();
  const name = useAgentName()(turn.agent);
  const { duration } = format;
  const steps = turn.steps.filter((step) => hasBegun(step, seq));
  const isDone = turn.to !== undefined && turn.to.seq <= seq;
  const model = steps.at(-1)?.model;
  const fate = isDone ? fateOf(store.story, turn.turn, turn) : undefined;
  const facts = [
    model,
    words.runPage.turnNumber(shortPosition(turn.turn)),
    fate !== undefined && words.runPage.fates[fate],
    isDone && duration(tookMs(store, turn)),
  ].filter(Boolean);
  const isSelected = selected !== undefined && (selected === turn.turn || selected.startsWith(`${turn.turn}.`));
  return (
    <section
      className={`story-turn ${colorClass(colors, turn.agent)} ${isNarrow ? "narrow" : ""}`}
      data-selected={isSelected}
      data-depth={depth}
      data-turn={turn.turn}
    >
      {!isNarrow && (
        <span className="story-badge" aria-hidden>
          {initialOf(name)}
        </span>
      )}
      <button type="button" className="story-who" aria-pressed={isSelected} onClick={() => onSelect(turn.turn)}>
        <strong className="story-agent" {...describedBy(turn.agent)}>
          {name}
        </strong>
        {!isNarrow && <span className="story-facts">{facts.join(" · ")}</span>}
      </button>
      <div className="story-steps">
        {steps.map((step) => (
          <StepView key={step.step} step={step} store={store} seq={seq} onSelect={onSelect} />
        ))}
        {turn.ended?.error !== undefined && isDone && fate === undefined && (
          <p className="story-error">{turn.ended.error.message}</p>
        )}
      </div>
    </section>
  );
}

/** Returns the duration of a turn, without the waits in it. */
function tookMs({ story }: RunStore, { from, to }: TurnSpan): number {
  return to === undefined ? 0 : to.at - from.at - waitedBetween(story, from.at, to.at);
}

interface StepViewProps {
  readonly step: StepSpan;
  readonly store: RunStore;
  readonly seq: number;
  readonly onSelect: (position: string) => void;
}

function StepView({ step, store, seq, onSelect }: StepViewProps) {
  useChanges(store, `step:${step.step}`);
  const attempt = step.attempts.findLast(({ from }) => from.seq <= seq);
  const text = attempt?.text.at(seq) ?? "";
  const isWriting = isSpanOpen(step, seq);
  const calls = step.calls.filter((call) => hasBegun(call, seq));
  const { body, signal } = isWriting ? { body: text, signal: "" } : splitSignal(text);
  return (
    <>
      {(text !== "" || isWriting) && (
        <div className={isWriting ? "story-text writing" : "story-text"}>
          {body === "" && isWriting ? <span className="story-cursor" aria-hidden /> : <LazyMarkdown text={body} />}
          {signal !== "" && <code className="story-signal">{signal}</code>}
        </div>
      )}
      {calls.map((call) => (
        <CallLine key={call.call} call={call} store={store} seq={seq} onSelect={onSelect} />
      ))}
    </>
  );
}

/** A signal at the end of a text that is written stands apart. */
function splitSignal(text: string): Readonly<Record<"body" | "signal", string>> {
  const trimmed = text.trimEnd();
  const start = trimmed.lastIndexOf("[");
  const inner = trimmed.slice(start + 1, -1);
  const isSignal = start !== -1 && trimmed.endsWith("]") && inner !== "" && inner === inner.toUpperCase();
  if (!isSignal || inner.includes("\n") || inner.includes(" ")) return { body: text, signal: "" };
  return { body: trimmed.slice(0, start).trimEnd(), signal: trimmed.slice(start) };
}

const CALL_ICONS = {
  failed: CircleX,
  done: CircleCheck,
  finished: CircleCheck,
  stopped: CircleSlash,
  denied: CircleSlash,
  abandoned: CircleX,
  waiting: CirclePause,
  running: LoaderCircle,
} as const;

/** Returns the state of a call at an event. */
function stateOf({ story }: RunStore, call: CallSpan, seq: number): keyof typeof CALL_ICONS {
  const { to, ended } = call;
  if (to !== undefined && to.seq <= seq) {
    return fateOf(story, call.call, call) ?? (ended?.error === undefined ? "done" : "failed");
  }
  return story.questions.some((one) => one.asked.call === call.call && isSpanOpen(one, seq)) ? "waiting" : "running";
}

function CallLine({
  call,
  store,
  seq,
  onSelect,
}: Pick<StepViewProps, "store" | "seq" | "onSelect"> & { readonly call: CallSpan }) {
  const { words, format } = useApp();
  const { duration } = format;
  const { tool, args } = call;
  const state = stateOf(store, call, seq);
  const Icon = CALL_ICONS[state];
  const { ownMs = 0, waitedMs = 0 } = callTimes(call, store.story.questions);
  const asked = waitedMs > 0 ? ` · ${words.runPage.askedFor(duration(waitedMs))}` : "";
  const time = `${duration(ownMs)}${asked}`;
  const said = state === "done" ? [time] : [words.runPage.callStates[state], ...(isOver(state) ? [time] : [])];
  return (
    <button type="button" className={`story-call story-${state}`} onClick={() => onSelect(call.call)}>
      <Icon size={14} aria-hidden />
      <strong>{tool}</strong>
      <span className="story-args">{oneLineJson(args)}</span>
      <span className="story-time">{said.join(" · ")}</span>
    </button>
  );
}

function isOver(state: keyof typeof CALL_ICONS): boolean {
  return state !== "waiting" && state !== "running";
}
