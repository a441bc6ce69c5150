/**
 * Chat page: asks a crew and shows what it says, with the conversations at the left and the crew's stage at the right.
 */
import type { CrewDetail } from "@baton/client";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import type { StartedByTab } from "../feed/started-runs.ts";
import { crewDisplayOf } from "../turn/crew-display.ts";
import { type Chat, ChatContext } from "./chat-context.ts";
import { ChatComposer } from "./composer/chat-composer.tsx";
import { ChatLayout } from "./chat-layout.tsx";
import type { ComposerHandle } from "./composer/composer.tsx";
import { ConversationView } from "./conversation/conversation-view.tsx";
import { FirstScreen } from "./examples/first-screen.tsx";
import type { ChosenImage } from "./composer/images.ts";
import type { RunStore } from "../store/run-store.ts";
import type { OpenedCall } from "../turn/run-context.ts";
import { phaseOf } from "./run-phase.ts";
import { ChatStatus } from "./chat-status.tsx";
import { CrewStage, RunStage } from "./stage/run-stage.tsx";
import type { ShownExchange } from "./conversation/use-exchange.ts";
import { type SendTo, useSendMessage } from "./composer/use-send-message.ts";
import { useConversation } from "./conversation/use-conversation.ts";
import { type CrewCatalog, useAskedCrew, useCrewCatalog } from "./use-crew-catalog.ts";
import { useExamples } from "./examples/use-examples.ts";
import { useJustStartedRuns } from "./conversation/use-just-started-runs.ts";
import { usePageKeys } from "../keyboard/use-page-keys.ts";
import { SessionList } from "./sessions/session-list.tsx";
import { useSessionActions } from "./sessions/use-session-actions.ts";
import { useSessions } from "./sessions/use-sessions.ts";
import "./chat-page.css";

interface ChatPageProps {
  readonly session?: string;
  readonly run?: string;
  readonly crew?: string;
}

/** The page. */
export function ChatPage({ session, run, crew }: ChatPageProps) {
  const book = useCrewCatalog();
  const composer = useRef<ComposerHandle>(null);
  const [chosen, setChosen] = useState(crew);
  const [looked, setLooked] = useState<string>();
  const [model, setModel] = useState<string>();
  const [active, setActive] = useState<ShownExchange>();
  const isFirst = session === undefined;
  const justStarted = useJustStartedRuns();
  const list = useSessions(`${session ?? ""} ${justStarted.length}`);
  const conversation = useConversation(session ?? "", justStarted);
  const last = isFirst ? undefined : conversation.runs.at(-1);
  const asked = useAskedCrew(book, { chosen, last: last?.crew });
  const detail = book.details.get(asked ?? "");
  const { sender, sendTo, outgoing } = useSendMessage(composer, { session, crew: asked, model });
  const current = last !== undefined && active?.run === last.id ? active : undefined;
  const focus = useFocus(composer, session);
  const ask: Ask = (text, images = []) => sendTo(asked, text, images);
  const choice = { book, crew: asked, canChoose: isFirst, model, onChoose: setChosen, onModel: setModel };
  const writing = <ChatComposer {...choice} handle={composer} sender={sender} current={current} onAsk={ask} />;
  return (
    <ChatLayout
      list={<SessionList current={session} {...useSessionActions(list, session)} />}
      stage={toStage(book.details.get((isFirst ? looked : undefined) ?? asked ?? ""), current, justStarted)}
      status={<ChatStatus crew={detail} current={current} sender={sender} onPhase={list.reload} />}
      composer={isFirst ? undefined : writing}
      crew={detail}
      store={current?.store}
      onSlash={focus}
    >
      {isFirst ? (
        <First {...{ book, asked, chosen, outgoing }} composer={writing} onLook={setLooked} onAsk={sendTo} />
      ) : (
        <Exchanges
          key={session}
          conversation={conversation}
          crew={detail}
          isReady={asked === undefined || book.details.has(asked) || book.missing.has(asked)}
          justStarted={justStarted}
          target={run}
          active={current}
          outgoing={outgoing}
          onAsk={ask}
          onShown={setActive}
        />
      )}
    </ChatLayout>
  );
}

/** Puts the cursor into the composer of every conversation that is opened; gives how to do so again. */
function useFocus(composer: RefObject<ComposerHandle | null>, session: string | undefined): () => void {
  const focus = (): void => composer.current?.focus();
  useEffect(focus, [session]);
  return focus;
}

type Ask = (text: string, images?: readonly ChosenImage[]) => void;

function isBusy({ story }: RunStore): boolean {
  return phaseOf(story).kind !== "ended";
}

function toStage(
  crew: CrewDetail | undefined,
  current: ShownExchange | undefined,
  justStarted: readonly StartedByTab[],
) {
  if (crew === undefined) return undefined;
  if (current?.store === undefined) return <CrewStage crew={crew} />;
  const isOwn = justStarted.some(({ id }) => id === current.run);
  return <RunStage key={current.run} crew={crew} store={current.store} isOwn={isOwn} />;
}

interface FirstProps {
  readonly book: CrewCatalog;
  readonly composer: ReactNode;
  readonly asked: string | undefined;
  /** The crew that the reader has chosen: its examples are shown. */
  readonly chosen: string | undefined;
  readonly outgoing: string | undefined;
  readonly onLook: (crew: string) => void;
  readonly onAsk: SendTo;
}

function First({ book, composer, asked, chosen, outgoing, onLook, onAsk }: FirstProps) {
  const { words } = useApp();
  const { crews = [] } = book;
  const examples = useExamples(book, chosen === asked ? chosen : undefined);
  const isAssistant = crews.find(({ id }) => id === asked)?.kind === "assistant";
  return (
    <FirstScreen
      composer={composer}
      outgoing={outgoing}
      examples={examples}
      onLook={onLook}
      onTry={({ crew, text }) => onAsk(crew, text, [])}
      note={isAssistant ? words.disclaimer : ""}
    />
  );
}

interface ExchangesProps {
  readonly conversation: ReturnType<typeof useConversation>;
  readonly crew: CrewDetail | undefined;
  /** True once the crew is loaded, or known to be missing. */
  readonly isReady: boolean;
  readonly justStarted: readonly StartedByTab[];
  readonly target: string | undefined;
  readonly active: ShownExchange | undefined;
  readonly outgoing: string | undefined;
  readonly onAsk: (text: string) => void;
  readonly onShown: (shown: ShownExchange) => void;
}

function Exchanges(props: ExchangesProps) {
  const { conversation, crew, isReady, justStarted, target, active, outgoing, onAsk, onShown } = props;
  const [isOther, setOther] = useState(false);
  const [shownCall, setShownCall] = useState<OpenedCall>();
  const own = useMemo(() => new Set(justStarted.map(({ id }) => id)), [justStarted]);
  const display = useMemo(() => crewDisplayOf(crew), [crew]);
  usePageKeys({ w: () => setOther((now) => !now) });
  const chat: Chat = { display, ask: onAsk, showCall: setShownCall, shownCall };
  const isAssistant = crew?.kind === "assistant";
  if (!isReady) return <div className="conversation" />;
  return (
    <ChatContext value={chat}>
      <ConversationView
        conversation={conversation}
        own={own}
        show={isAssistant === isOther ? "work" : "answer"}
        isWorking={active?.store !== undefined && active.connection.state === "open" && isBusy(active.store)}
        target={target}
        outgoing={outgoing}
        onShown={onShown}
      />
    </ChatContext>
  );
}
