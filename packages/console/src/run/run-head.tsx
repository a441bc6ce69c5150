/**
 * Run head: which run it is, how it is doing, what it used, and what can be done with it.
 */
import type { RunInfo } from "@baton/client";
import { useEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { type PageRoute, toAddress } from "../navigation/route.ts";
import type { RunStore } from "../store/run-store.ts";
import { runFigures } from "../store/run-figures.ts";
import { errorText } from "../loading/error-text.ts";
import { sendOrKeep } from "../store/send-or-keep.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { sayTimes } from "../format/say-times.ts";
import { PageLink } from "../navigation/page-link.tsx";
import { statusMarkOf, StatusMark } from "../ui/status-mark.tsx";
import type { Axis } from "./use-axis.ts";
import { useRunKeys } from "../keyboard/use-run-keys.ts";
import { describedBy } from "../ui/layers/tooltip.tsx";

interface RunHeadProps {
  readonly info: RunInfo;
  readonly store: RunStore;
  readonly axis: Axis;
  readonly route: PageRoute;
  readonly onFork: () => void;
}

/** The first line of the page. */
export function RunHead({ info, store, axis, route, onFork }: RunHeadProps) {
  const { words } = useApp();
  const view = store.viewAt("live");
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), [info.id]);
  const isOpen = view.status !== "ended";
  // Figures that grow have room to grow, and a button that leaves keeps its place: nothing moves while a run is watched.
  const [isWatched] = useState(isOpen);
  const parent = parentOf(info);
  const { stop, problem } = useStop(info.id);
  return (
    <header className="run-head">
      <div className="run-what">
        <PageLink to={{ page: "runs" }} className="run-crumb">
          {words.pages.runs} <span aria-hidden>/</span>
        </PageLink>
        <h1 ref={title} tabIndex={-1}>
          <PageLink to={{ page: "crew", id: info.crew }}>{info.crew}</PageLink>
        </h1>
        <code>{info.short_id}</code>
        {info.session_id !== undefined && (
          <PageLink to={{ page: "chat", session: info.session_id, run: info.id }} className="run-crumb">
            {words.runPage.conversation}
          </PageLink>
        )}
        {parent === undefined ? (
          <Input text={info.input} />
        ) : (
          <span className="run-origin">
            <span className="run-parent">
              {words.runPage.forkedFrom} <PageLink to={parent.to}>{parent.name}</PageLink>
            </span>
            <Input text={info.input} />
          </span>
        )}
      </div>
      <Facts store={store} axis={axis} isWatched={isWatched} />
      <div className="run-actions">
        {isOpen && (
          <Button kind="danger" onPress={stop}>
            {words.runPage.stop}
          </Button>
        )}
        {!isOpen && isWatched && (
          <span className="button run-left" aria-hidden>
            {words.runPage.stop}
          </span>
        )}
        <Share route={route} />
        <Button kind="primary" onPress={onFork}>
          {words.runPage.fork}
        </Button>
      </div>
      {isOpen && problem !== undefined && (
        <p className="run-problem" role="alert">
          {problem}
        </p>
      )}
    </header>
  );
}

/** Stops the run; what keeps it from that is told. */
function useStop(run: string): Readonly<{ stop: () => void; problem: string | undefined }> {
  const { client, words } = useApp();
  const [problem, setProblem] = useState<string>();
  const stop = (): void => {
    const tell = (failure?: unknown): void => setProblem(failure === undefined ? undefined : errorText(failure));
    setProblem(undefined);
    sendOrKeep(() => client.command(run, { type: "cancel" }), tell).then(
      (how) => how === "kept" && setProblem(words.runPage.stopKept),
      tell,
    );
  };
  return { stop, problem };
}

interface FactsProps extends Pick<RunHeadProps, "store" | "axis"> {
  readonly isWatched: boolean;
}

/** The status of the run, and its usage. */
function Facts({ store, axis, isWatched }: FactsProps) {
  const { words, format } = useApp();
  const { number, money, duration } = format;
  const view = store.viewAt("live");
  const { turns, input, output, cached, costUsd } = runFigures(store);
  return (
    <div className={isWatched ? "run-facts watched" : "run-facts"}>
      <StatusMark mark={statusMarkOf({ status: view.status, outcome: view.outcome })} />
      <span>
        <strong className="run-turns">{number(turns)}</strong> {wordOf(words.run.turns(turns))}
      </span>
      <strong className="run-tokens" {...describedBy(cached > 0 ? words.run.cached(number(cached)) : undefined)}>
        {words.run.inOut(number(input), number(output))}
      </strong>
      <strong className="run-money">{money(costUsd)}</strong>
      {sayTimes(axis.times, words, duration).map((time, index) => (
        <strong key={index} className="run-time">
          {time}
        </strong>
      ))}
    </div>
  );
}

/** The input of the run. */
function Input({ text }: { readonly text: string }) {
  return (
    <span className="run-input" {...describedBy(text)}>
      “{text}”
    </span>
  );
}

function Share({ route }: { readonly route: PageRoute }) {
  const { words, announce } = useApp();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const share = (): void => {
    copyText(new URL(toAddress(route), window.location.href).href).then((isThere) => {
      setCopied(isThere);
      if (isThere) announce(words.copy.copied);
    }, ignore);
  };
  useRunKeys({ c: share });
  return <Button onPress={share}>{isCopied ? words.copy.copied : words.runPage.share}</Button>;
}

/** The run that this one was forked from. */
function parentOf({ forked_from: from }: RunInfo): Readonly<{ to: PageRoute; name: string }> | undefined {
  if (from === undefined) return undefined;
  return { to: { page: "run", id: from.run, at: from.seq }, name: `req-${from.run.slice(-12)} #${from.seq}` };
}

/** The noun of `23 turns`. */
function wordOf(counted: string): string {
  return counted.slice(counted.indexOf(" ") + 1);
}

function ignore(): void {}
