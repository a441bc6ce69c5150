/**
 * Chat page: asks a crew and shows what it says, with the conversations at the left and the crew's stage at the right.
 */
import type { CrewDetail, StartedRun } from "@baton/client";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { type Chat, ChatContext, toCast } from "./chat-context.ts";
import { ChatComposer } from "./chat-composer.tsx";
import { ChatLayout } from "./chat-layout.tsx";
import type { ComposerHandle } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { chooseExamples, examplesOf } from "./examples.ts";
import { FirstScreen } from "./first-screen.tsx";
import type { ChosenImage } from "./images.ts";
import type { RunStore } from "../store/run-store.ts";
import { phaseOf } from "./run-phase.ts";
import { ChatStatus } from "./chat-status.tsx";
import { CrewStage, RunStage } from "./stage.tsx";
import type { ShownExchange } from "./use-exchange.ts";
import { type FreshRun, useConversation } from "./use-conversation.ts";
import { type CrewBook, useAllCrews, useCrewBook } from "./use-crew-book.ts";
import { useKeys } from "./use-keys.ts";
import { useMedia } from "./use-media.ts";
import { type Sender, useSender } from "./use-sender.ts";
import { useSessions } from "./use-sessions.ts";
import "./chat-page.css";

interface ChatPageProps {
  readonly session?: string;
  readonly run?: string;
  readonly crew?: string;
}

/** The page. */
export function ChatPage({ session, run, crew }: ChatPageProps) {
  const { words } = useApp();
  const book = useCrewBook();
  const composer = useRef<ComposerHandle>(null);
  const [chosen, setChosen] = useState(crew);
  const [looked, setLooked] = useState<string>();
  const [active, setActive] = useState<ShownExchange>();
  const isFirst = session === undefined;
  const { fresh, pacing, sender, sendTo } = useAsking(session, composer);
  const list = useSessions(`${session ?? ""} ${fresh.length}`);
  const conversation = useConversation(session ?? "", fresh);
  const last = isFirst ? undefined : conversation.runs.at(-1);
  const asked = useAskedCrew(book, { chosen, last: last?.crew });
  const current = last !== undefined && active?.run === last.id ? active : undefined;
  const focus = useFocus(composer, session);
  const ask: Ask = (text, images = []) => sendTo(asked, text, images);
  const writing = (
    <ChatComposer
      handle={composer}
      book={book}
      crew={asked}
      canChoose={isFirst}
      sender={sender}
      current={current}
      onChoose={setChosen}
      onAsk={ask}
    />
  );
  return (
    <ChatLayout
      sessions={list.sessions}
      session={session}
      onDelete={useRemove(session, list.reload)}
      stage={toStage(book.details.get((isFirst ? looked : undefined) ?? asked ?? ""), current)}
      status={<ChatStatus current={current} sender={sender} onPhase={list.reload} />}
      composer={isFirst ? undefined : writing}
      note={book.details.get(asked ?? "")?.kind === "assistant" ? words.disclaimer : ""}
      store={current?.store}
      onSlash={focus}
    >
      {isFirst ? (
        <First {...{ book, asked, chosen }} composer={writing} onLook={setLooked} onAsk={sendTo} />
      ) : (
        <Exchanges
          key={session}
          conversation={conversation}
          crew={book.details.get(asked ?? "")}
          isReady={asked === undefined || book.details.has(asked) || book.missing.has(asked)}
          fresh={fresh}
          pacing={pacing}
          target={run}
          active={current}
          onAsk={ask}
          onShown={setActive}
        />
      )}
    </ChatLayout>
  );
}

/** Whether runs may be shown at reading speed. The address loses it with the first navigation; the page stays. */
function usePacing(): "on" | "off" {
  const [isOff] = useState(() => new URLSearchParams(window.location.search).get("pace") === "off");
  return isOff ? "off" : "on";
}

/** Puts the cursor into the composer of every conversation that is opened; gives how to do so again. */
function useFocus(composer: RefObject<ComposerHandle | null>, session: string | undefined): () => void {
  const focus = (): void => composer.current?.focus();
  useEffect(focus, [session]);
  return focus;
}

type Ask = (text: string, images?: readonly ChosenImage[]) => void;
type SendTo = (crew: string | undefined, text: string, images: readonly ChosenImage[]) => void;

interface Asking {
  /** The runs that this tab has started. */
  readonly fresh: readonly FreshRun[];
  /** Whether they may be shown at reading speed. */
  readonly pacing: "on" | "off";
  readonly sender: Sender;
  readonly sendTo: SendTo;
}

/** Sends messages, and goes to the conversation that they are in. */
function useAsking(session: string | undefined, composer: RefObject<ComposerHandle | null>): Asking {
  const { navigate } = useApp();
  const sender = useSender();
  const [fresh, setFresh] = useState<readonly FreshRun[]>([]);
  const sendTo: SendTo = (crew, text, images) => {
    if (crew === undefined) return;
    const onStarted = ({ id, session_id: made }: StartedRun): void => {
      composer.current?.clear();
      if (made === undefined) return;
      setFresh((now) => [...now, { id, crew, input: text, session: made }]);
      navigate({ page: "chat", session: made });
    };
    sender.send({ crew, text, images, onStarted, ...(session === undefined ? {} : { session }) });
  };
  return { fresh, pacing: usePacing(), sender, sendTo };
}

/** Removes a conversation; one that is shown is left. */
function useRemove(session: string | undefined, reload: () => void): (id: string) => void {
  const { client, navigate } = useApp();
  return (id) => {
    client.deleteSession(id).then(
      () => (id === session ? navigate({ page: "chat" }) : reload()),
      () => reload(),
    );
  };
}

function isBusy({ story }: RunStore): boolean {
  return phaseOf(story).kind !== "ended";
}

function toStage(crew: CrewDetail | undefined, current: ShownExchange | undefined) {
  if (crew === undefined) return undefined;
  return current?.store === undefined ? <CrewStage crew={crew} /> : <RunStage crew={crew} store={current.store} />;
}

/** The crew that a message goes to: that of the conversation, the chosen one, or the first assistant. */
function useAskedCrew(
  { crews, want }: CrewBook,
  { chosen, last }: Readonly<{ chosen: string | undefined; last: string | undefined }>,
): string | undefined {
  const first = crews?.find(({ kind }) => kind === "assistant") ?? crews?.[0];
  const known = crews?.some(({ id }) => id === chosen) === true ? chosen : undefined;
  const asked = last ?? known ?? first?.id;
  useEffect(() => {
    if (asked !== undefined) want(asked);
  }, [asked]);
  return asked;
}

interface FirstProps {
  readonly book: CrewBook;
  readonly composer: ReactNode;
  readonly asked: string | undefined;
  /** The crew that the reader has chosen: its examples are shown. */
  readonly chosen: string | undefined;
  readonly onLook: (crew: string) => void;
  readonly onAsk: SendTo;
}

function First({ book, composer, asked, chosen, onLook, onAsk }: FirstProps) {
  const { words } = useApp();
  const { crews = [], details, missing } = book;
  useAllCrews(book);
  const isAll = crews.every(({ id, examples }) => examples.length === 0 || details.has(id) || missing.has(id));
  const known = crews.flatMap(({ id }) => details.get(id) ?? []);
  const own = chosen === asked ? details.get(chosen ?? "") : undefined;
  const examples = useMemo(() => {
    const ofOwn = own === undefined ? [] : examplesOf(own);
    if (ofOwn.length > 0) return ofOwn;
    return isAll ? chooseExamples(known) : [];
  }, [isAll, known.length, own]);
  const isAssistant = crews.find(({ id }) => id === asked)?.kind === "assistant";
  return (
    <FirstScreen
      composer={composer}
      examples={examples}
      onLook={onLook}
      onTry={({ crew, text }) => onAsk(crew, text, [])}
      note={isAssistant ? `${words.disclaimer} ${words.chat.demo}` : ""}
    />
  );
}

interface ExchangesProps {
  readonly conversation: ReturnType<typeof useConversation>;
  readonly crew: CrewDetail | undefined;
  /** Whether it is known how the crew is shown. */
  readonly isReady: boolean;
  readonly fresh: readonly FreshRun[];
  readonly pacing: "on" | "off";
  readonly target: string | undefined;
  readonly active: ShownExchange | undefined;
  readonly onAsk: (text: string) => void;
  readonly onShown: (shown: ShownExchange) => void;
}

function Exchanges({ conversation, crew, isReady, fresh, pacing, target, active, onAsk, onShown }: ExchangesProps) {
  const { settings } = useApp();
  const [isOther, setOther] = useState(false);
  const [shownCall, setShownCall] = useState<string>();
  const isStill = useMedia("(prefers-reduced-motion: reduce)");
  const own = useMemo(() => new Set(fresh.map(({ id }) => id)), [fresh]);
  const cast = useMemo(() => toCast(crew), [crew]);
  useKeys({ w: () => setOther((now) => !now) });
  const chat: Chat = { cast, ask: onAsk, showCall: setShownCall, shownCall };
  const isAssistant = crew?.kind === "assistant";
  if (!isReady) return <div className="conversation" />;
  return (
    <ChatContext value={chat}>
      <Conversation
        conversation={conversation}
        own={own}
        pace={settings.pacing && pacing === "on" && !isStill ? "reading" : "off"}
        show={isAssistant === isOther ? "work" : "answer"}
        isWorking={active?.store !== undefined && active.connection.state === "open" && isBusy(active.store)}
        target={target}
        onShown={onShown}
      />
    </ChatContext>
  );
}
