/**
 * Tool line: one call: how it is doing, its name and main argument, where its data comes from; opened, all of it.
 */
import { Check, CirclePause, CircleSlash, LoaderCircle, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { codeOf } from "../code/code-lines.ts";
import { CodeView } from "../code/code-view.tsx";
import { type WorkEnding, fateOf } from "../store/receipt-lines.ts";
import { type CallSpan, isSpanOpen, type Story } from "../store/story.ts";
import { type CallTimes, callTimes } from "../store/call-times.ts";
import { JsonTree } from "../ui/json-tree.tsx";
import { useShownRun } from "./run-context.ts";
import { mainArgument, provenanceOf } from "./text/provenance.ts";
import "./tool-line.css";

/** The state of a call. */
export type CallState = "running" | "waiting" | "done" | "failed" | WorkEnding;

const ICONS = {
  running: LoaderCircle,
  waiting: CirclePause,
  done: Check,
  failed: X,
  stopped: CircleSlash,
  denied: CircleSlash,
  finished: Check,
  abandoned: X,
} as const satisfies Record<CallState, unknown>;

/** Returns the state of a call at an event. */
function callState(story: Story, span: CallSpan, seq: number): CallState {
  const { call, ended, to } = span;
  if (to !== undefined && to.seq <= seq) {
    const fate = fateOf(story, call, span);
    if (fate !== undefined || ended === undefined) return fate ?? "stopped";
    return ended.error === undefined ? "done" : "failed";
  }
  const isAsked = story.questions.some((question) => question.asked.call === call && isSpanOpen(question, seq));
  return isAsked ? "waiting" : "running";
}

/** One call. On the page of the run a press selects it, too. */
export function ToolLine({ call }: { readonly call: CallSpan }) {
  const { words } = useApp();
  const { store, seq, shownCall, select } = useShownRun();
  const line = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isAsked = shownCall?.call === call.call;
  useEffect(() => {
    if (!isAsked) return;
    setOpen(true);
    line.current?.scrollIntoView({ block: "center" });
    line.current?.querySelector("summary")?.focus();
  }, [isAsked, shownCall]);
  const state = callState(store.story, call, seq);
  const Icon = ICONS[state];
  const argument = mainArgument(call.args);
  return (
    <details
      ref={line}
      id={`call-${call.call}`}
      className={["tool-line", `call-${state}`, isAsked ? "asked" : ""].join(" ")}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary onClick={() => select?.(call.call)}>
        <Icon
          size={14}
          strokeWidth={2.25}
          {...(state === "done"
            ? { role: "img", "aria-label": words.chat.callStates[state] }
            : { "aria-hidden": true })}
        />
        <code>{call.tool}</code>
        {argument !== "" && <span className="tool-line-argument">{argument}</span>}
        <Facts call={call} state={state} times={callTimes(call, store.story.questions)} />
      </summary>
      {isOpen && <Opened call={call} isOver={(call.to?.seq ?? Infinity) <= seq} />}
    </details>
  );
}

interface FactsProps {
  readonly call: CallSpan;
  readonly state: CallState;
  readonly times: CallTimes;
}

function Facts({ call, state, times: { ownMs, decidedMs } }: FactsProps) {
  const { words, format } = useApp();
  const provenance = provenanceOf(call.ended?.output);
  const kinds: Readonly<Record<string, string>> = words.chat.kinds;
  const parts = [
    ...(provenance === undefined
      ? []
      : [kinds[provenance.kind] ?? provenance.kind, words.chat.asOf(format.day(provenance.asOf))]),
    ...(state === "done" ? [] : [words.chat.callStates[state]]),
    ...(ownMs === undefined || state === "stopped" ? [] : [format.duration(ownMs)]),
    ...(decidedMs === undefined ? [] : [words.chat.decided(format.duration(decidedMs))]),
  ];
  return <span className="tool-line-facts">{parts.join(" · ")}</span>;
}

function Opened({ call, isOver }: { readonly call: CallSpan; readonly isOver: boolean }) {
  const { words } = useApp();
  const { store, seq, shownCall } = useShownRun();
  const ended = isOver ? call.ended : undefined;
  const path = shownCall?.call === call.call ? shownCall.path : undefined;
  return (
    <div className="tool-line-opened">
      <CodeView store={store} call={call} seq={seq} />
      {codeOf(call) === undefined && <JsonTree title={words.chat.arguments} value={call.args} />}
      {ended?.output !== undefined && <JsonTree title={words.chat.result} value={ended.output} path={path} />}
      {ended?.error !== undefined && <p className="tool-line-error">{ended.error.message}</p>}
    </div>
  );
}
