/**
 * Code view: code of a model with line numbers; lines that made calls say how these are doing.
 */
import type { EventBodyOf } from "@baton/client";
import { useApp } from "../app-context.ts";
import type { RunStore } from "../store/run-store.ts";
import type { CallSpan } from "../store/story.ts";
import type { Words } from "../words/words.ts";
import { askedLine, codeOf, type LineCalls, lineCallsAt } from "./code-lines.ts";
import "./code-view.css";

interface CodeViewProps {
  readonly store: RunStore;
  readonly call: CallSpan;
  /** The event at which it is shown; its newest if undefined. */
  readonly seq?: number;
}

/** The code of a call of `run_code`; nothing for other calls. */
export function CodeView({ store, call, seq = Infinity }: CodeViewProps) {
  const { words } = useApp();
  const code = codeOf(call);
  if (code === undefined) return null;
  const lines = lineCallsAt(call, store.story, seq);
  return (
    <ol className="code-view" tabIndex={0} aria-label={words.code.title}>
      {code.split("\n").map((text, at) => (
        <CodeLine key={at} text={text} calls={lines.get(at + 1)} />
      ))}
    </ol>
  );
}

function CodeLine({ text, calls }: { readonly text: string; readonly calls: LineCalls | undefined }) {
  const { words } = useApp();
  const isOpen = calls !== undefined && calls.waiting + calls.running > 0;
  return (
    <li data-calls={calls === undefined ? undefined : isOpen ? "open" : "done"}>
      <code>{text === "" ? " " : text}</code>
      {calls !== undefined && <small>{countsText(calls, words)}</small>}
    </li>
  );
}

/** `3 wait for you, 41 done` */
function countsText(calls: LineCalls, { code }: Words): string {
  const parts = (["waiting", "running", "done", "failed"] as const).filter((state) => calls[state] > 0);
  return parts.map((state) => code[state](calls[state])).join(", ");
}

interface AskedLineProps {
  readonly store: RunStore;
  readonly asked: Pick<EventBodyOf<"question.opened">, "within" | "line">;
}

/** The line of code that makes the call that is asked about. */
export function AskedLine({ store, asked }: AskedLineProps) {
  const { words } = useApp();
  const found = askedLine(asked, (position) => store.story.call(position));
  if (found === undefined) return null;
  return (
    <p className="code-asked">
      <small>{words.code.line(found.line)}</small>
      <code>{found.text}</code>
    </p>
  );
}
