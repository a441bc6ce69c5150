/**
 * Chat status: the bar of a lost connection, and what is said to readers who cannot see the page.
 */
import type { CrewDetail } from "@baton/client";
import { useEffect } from "react";
import { useApp } from "../app-context.ts";
import { runTimes } from "../store/gaps.ts";
import type { RunStore } from "../store/run-store.ts";
import { useChanges } from "../store/use-run.ts";
import { OfflineBar } from "../ui/offline-bar.tsx";
import { statusMarkOf } from "../ui/status-mark.tsx";
import { nameOf, crewDisplayOf } from "../turn/crew-display.ts";
import { phaseOf } from "./run-phase.ts";
import type { ShownExchange } from "./conversation/use-exchange.ts";
import type { Sender } from "./composer/use-sender.ts";

interface ChatStatusProps {
  /** The crew of the conversation, for the names of its agents. */
  readonly crew: CrewDetail | undefined;
  /** The last run of the conversation. */
  readonly current: ShownExchange | undefined;
  readonly sender: Sender;
  /** Called when the run starts to work, waits or ends. */
  readonly onPhase: () => void;
}

/** Bar and words. */
export function ChatStatus({ crew, current, sender, onPhase }: ChatStatusProps) {
  const { connection, store } = current ?? {};
  const { sending, tryNow } = sender;
  const lost = sending.state === "kept" ? sending : connection?.state === "lost" ? connection : undefined;
  const tryAll = (): void => {
    current?.tryNow();
    if (sending.state === "kept") tryNow();
  };
  return (
    <>
      {lost !== undefined && <OfflineBar nextAt={lost.nextAt} isStopping={lost.isStopping} onTry={tryAll} />}
      {store === undefined ? <Title /> : <Saying crew={crew} store={store} onPhase={onPhase} />}
    </>
  );
}

function Title() {
  const { words } = useApp();
  useEffect(() => {
    document.title = `${words.pages.chat} · Baton`;
  }, [words]);
  return null;
}

/** Says each change once. */
function Saying({ crew, store, onPhase }: { readonly store: RunStore } & Pick<ChatStatusProps, "crew" | "onPhase">) {
  useChanges(store);
  const { words, format, announce } = useApp();
  const view = store.viewAt("live");
  const phase = phaseOf(store.story);
  const took = format.spoken(runTimes(store).activeMs);
  const mark = statusMarkOf(view);
  const text =
    phase.kind === "working"
      ? phase.agents.map((agent) => words.run.writing(nameOf(crewDisplayOf(crew), agent))).join(", ")
      : phase.kind === "ended"
        ? mark === "done"
          ? words.chat.doneIn(took)
          : words.status[mark]
        : words.run.waiting;
  useEffect(onPhase, [phase.kind]);
  useEffect(() => {
    if (text !== "") announce(text);
  }, [text]);
  useEffect(() => {
    if (view.crew !== "") document.title = `${words.status[mark]} · ${view.crew} · Baton`;
  }, [words, mark, view.crew]);
  return null;
}
