/**
 * Output tab: what a step gave: its text, reasoning and calls, why it finished, what it used, and how often it was tried.
 */
import type { ReactNode } from "react";
import { useApp } from "../../app-context.ts";
import { codeOf } from "../../code/code-lines.ts";
import { CodeView } from "../../code/code-view.tsx";
import { LazyMarkdown } from "../../markdown/lazy-markdown.tsx";
import { fateOf, isCancelFailure } from "../../store/receipt-lines.ts";
import type { RunStore } from "../../store/run-store.ts";
import { type CallSpan, hasBegun, type StepSpan } from "../../store/story.ts";
import { useChanges } from "../../store/use-run.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { Words } from "../../words/words.ts";
import { indentedJson } from "./indented-json.ts";
import "./output-tab.css";

interface OutputTabProps {
  readonly store: RunStore;
  readonly step: StepSpan;
  readonly call: CallSpan | undefined;
  readonly seq: number;
}

/** The output of a step at an event. */
export function OutputTab({ store, step, call, seq }: OutputTabProps) {
  const { words } = useApp();
  const { output: say } = words.runPage;
  useChanges(store, `step:${step.step}`);
  const attempt = step.attempts.findLast(({ from }) => from.seq <= seq) ?? step.attempts[0];
  const isDone = step.to !== undefined && step.to.seq <= seq;
  const ended = isDone ? step.ended : undefined;
  const text = attempt?.text.at(seq) ?? "";
  const reasoning = ended?.reasoning ?? attempt?.reasoning.at(seq) ?? "";
  const calls = call === undefined ? step.calls.filter((one) => hasBegun(one, seq)) : [call];
  return (
    <div className="output">
      <Facts step={step} isDone={isDone} />
      {reasoning !== "" && (
        <details className="output-part">
          <summary>{say.reasoning}</summary>
          <p className="output-reasoning">{reasoning}</p>
        </details>
      )}
      {calls.map((one) => (
        <Call key={one.call} call={one} seq={seq} store={store} />
      ))}
      <Part title={say.text}>
        {text === "" ? <p className="output-none">{say.none}</p> : <LazyMarkdown text={text} />}
      </Part>
      {ended?.error !== undefined && !isCancelFailure(ended.error) && (
        <Part title={say.error}>
          <p className="output-error">{ended.error.message}</p>
        </Part>
      )}
    </div>
  );
}

/** Returns the row of tokens that a provider's cache held or took, if there were any. */
function toCached(
  say: Words["runPage"]["output"],
  { cachedTokens = 0, cacheWriteTokens = 0 }: NonNullable<StepSpan["ended"]>["usage"],
  number: (value: number) => string,
): readonly (readonly [string, string])[] {
  const isCached = cachedTokens + cacheWriteTokens > 0;
  return isCached ? [[say.cached, say.cachedOf(number(cachedTokens), number(cacheWriteTokens))]] : [];
}

function Facts({ step, isDone }: { readonly step: StepSpan; readonly isDone: boolean }) {
  const { words, format } = useApp();
  const { output: say } = words.runPage;
  const { number, money, duration } = format;
  const { ended, model, attempts, from, to } = step;
  const isStopped = ended === undefined || isCancelFailure(ended.error);
  const finish = isStopped ? words.runPage.fates.stopped : ended.finish;
  const rows: readonly (readonly [string, string])[] = [
    [say.model, ended?.model ?? model],
    [say.finish, isDone ? finish : say.running],
    ...(isDone && ended !== undefined
      ? ([
          [say.usage, say.usageOf(number(ended.usage.inputTokens), number(ended.usage.outputTokens))],
          ...toCached(say, ended.usage, number),
          [say.cost, money(ended.costUsd ?? 0)],
          [say.time, duration((to?.at ?? from.at) - from.at)],
        ] as const)
      : []),
    ...(attempts.length > 1 ? ([[say.retries, retriesOf(step)]] as const) : []),
  ];
  return (
    <dl className="output-facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function retriesOf({ attempts }: StepSpan): string {
  const errors = attempts.flatMap(({ error }) => (error === undefined ? [] : [error.message]));
  return `${attempts.length - 1}: ${errors.join("; ")}`;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="output-part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Call({ call, seq, store }: Readonly<{ call: CallSpan; seq: number; store: RunStore }>) {
  const { words } = useApp();
  const { output: say, crew } = words.runPage;
  const isDone = call.to !== undefined && call.to.seq <= seq;
  const result = isDone ? call.ended?.output : undefined;
  const fate = isDone ? fateOf(store.story, call.call, call) : undefined;
  const error = isDone && (fate === undefined || fate === "denied") ? call.ended?.error : undefined;
  return (
    <section className="output-part">
      <h3>
        <code>{call.tool}</code> <small>{`${call.call} · ${crew.effects[call.effect]}`}</small>
      </h3>
      <CodeView store={store} call={call} seq={seq} />
      {codeOf(call) === undefined && <Value title={say.arguments} value={call.args} />}
      {result !== undefined && <Value title={say.result} value={result} />}
      {error !== undefined && <p className={fate === "denied" ? "output-none" : "output-error"}>{error.message}</p>}
      {fate !== undefined && fate !== "denied" && <p className="output-none">{words.receipt[fate]}</p>}
      {!isDone && <p className="output-none">{say.running}</p>}
    </section>
  );
}

function Value({ title, value }: { readonly title: string; readonly value: unknown }) {
  const { words } = useApp();
  const text = indentedJson(value);
  return (
    <div className="output-value">
      <div className="output-value-head">
        <span>{title}</span>
        <CopyButton text={text} label={words.copy.json} />
      </div>
      <pre tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </div>
  );
}
