/**
 * Tool line: one call: how it is doing, its name and main argument, where its data comes from; opened, all of it.
 */
import type { Json } from "@baton/client";
import { Check, CirclePause, CircleSlash, LoaderCircle, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApp } from "../../app-context.ts";
import { codeOf } from "../../code/code-lines.ts";
import { CodeView } from "../../code/code-view.tsx";
import { type WorkEnding, fateOf } from "../../store/receipt-lines.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { CallSpan } from "../../store/story.ts";
import { type CallTimes, callTimes } from "../../store/call-times.ts";
import { useChat } from "../chat-context.ts";
import { JsonTree } from "../../ui/json-tree.tsx";
import { mainArgument, provenanceOf } from "./provenance.ts";
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

/** Returns the state of a call, by the log. */
function callState(store: RunStore, span: CallSpan): CallState {
  const { call, ended, to } = span;
  const fate = fateOf(store.story, call, span);
  if (fate !== undefined) return fate;
  if (ended !== undefined) return ended.error === undefined ? "done" : "failed";
  if (to !== undefined) return "stopped";
  const asked = store.story.questions.some(
    ({ asked: question, to: answered }) => question.call === call && answered === undefined,
  );
  return asked ? "waiting" : "running";
}

interface ToolLineProps {
  readonly store: RunStore;
  readonly call: CallSpan;
}

/** One call. */
export function ToolLine({ store, call }: ToolLineProps) {
  const { words } = useApp();
  const { shownCall } = useChat();
  const line = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isAsked = shownCall === call.call;
  useEffect(() => {
    if (!isAsked) return;
    setOpen(true);
    line.current?.scrollIntoView({ block: "center" });
    line.current?.querySelector("summary")?.focus();
  }, [isAsked]);
  const state = callState(store, call);
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
      <summary>
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
      {isOpen && <Opened store={store} call={call} />}
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

function Opened({ store, call }: ToolLineProps) {
  const { words } = useApp();
  const { ended } = call;
  const value: Json | undefined = ended?.output;
  return (
    <div className="tool-line-opened">
      <CodeView store={store} call={call} />
      {codeOf(call) === undefined && <JsonTree title={words.chat.arguments} value={call.args} />}
      {value !== undefined && <JsonTree title={words.chat.result} value={value} />}
      {ended?.error !== undefined && <p className="tool-line-error">{ended.error.message}</p>}
    </div>
  );
}
