/**
 * Chat layout: conversations, the chat itself and the stage side by side; on small screens the outer ones are sheets.
 */
import type { CrewDetail } from "@baton/client";
import { Menu, Network, PanelRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useApp } from "../app-context.ts";
import type { RunStore } from "../store/run-store.ts";
import { useChanges } from "../store/use-run.ts";
import { Button } from "../ui/button.tsx";
import { nameOf, crewDisplayOf } from "../turn/crew-display.ts";
import { phaseOf } from "./run-phase.ts";
import { Sheet } from "./sheet.tsx";
import { usePageKeys } from "../keyboard/use-page-keys.ts";
import { useMedia } from "../ui/use-media.ts";

interface ChatLayoutProps {
  /** The conversations at the left. */
  readonly list: ReactNode;
  readonly stage: ReactNode;
  readonly status: ReactNode;
  readonly composer: ReactNode;
  /** The crew of the conversation and its last run, for the strip that opens the stage. */
  readonly crew: CrewDetail | undefined;
  readonly store: RunStore | undefined;
  readonly onSlash: () => void;
  readonly children: ReactNode;
}

/** The three columns. */
export function ChatLayout(props: ChatLayoutProps) {
  const { list, stage, status, composer, crew, store, onSlash, children } = props;
  const { words, navigate } = useApp();
  const isWide = useMedia("(width >= 1200px)");
  const [hasStage, setStage] = useState(true);
  const [sheet, setSheet] = useState<"sessions" | "stage">();
  const toggleStage = (): void => {
    if (isWide) setStage(!hasStage);
    else setSheet(sheet === "stage" ? undefined : "stage");
  };
  usePageKeys({ s: toggleStage, n: () => navigate({ page: "chat" }), "/": onSlash });
  const isStaged = isWide && hasStage;
  return (
    <div className={isStaged ? "chat staged" : "chat"}>
      {isWide && (
        <aside className="chat-sessions" aria-label={words.chat.conversations}>
          {list}
        </aside>
      )}
      <section className="chat-main">
        {!isWide && <Bar onOpen={setSheet} />}
        {isWide && !hasStage && <StageToggle isOn={false} onToggle={toggleStage} />}
        {status}
        {children}
        {composer !== undefined && (
          <div className="chat-composer">
            {!isWide && store !== undefined && <Strip crew={crew} store={store} onOpen={() => setSheet("stage")} />}
            {composer}
            {crew?.kind === "assistant" && <p className="chat-note">{words.disclaimer}</p>}
          </div>
        )}
      </section>
      {isStaged && (
        <aside className="chat-stage" aria-label={words.chat.stage}>
          {stage}
          <StageToggle isOn onToggle={toggleStage} />
        </aside>
      )}
      {sheet !== undefined && !isWide && (
        <Sheet
          label={sheet === "stage" ? words.chat.stage : words.chat.conversations}
          side={sheet === "stage" ? "right" : "left"}
          onClose={() => setSheet(undefined)}
        >
          {sheet === "stage" ? stage : list}
        </Sheet>
      )}
    </div>
  );
}

function Bar({ onOpen }: { readonly onOpen: (sheet: "sessions" | "stage") => void }) {
  const { words } = useApp();
  return (
    <header className="chat-bar">
      <Button kind="quiet" label={words.chat.conversations} onPress={() => onOpen("sessions")}>
        <Menu size={18} aria-hidden />
      </Button>
      <Button kind="quiet" label={words.chat.showStage} onPress={() => onOpen("stage")}>
        <Network size={18} aria-hidden />
      </Button>
    </header>
  );
}

function StageToggle({ isOn, onToggle }: { readonly isOn: boolean; readonly onToggle: () => void }) {
  const { words } = useApp();
  const label = isOn ? words.chat.hideStage : words.chat.showStage;
  return (
    <div className="chat-toggle">
      <Button kind="quiet" label={label} isPressed={isOn} onPress={onToggle}>
        <PanelRight size={16} aria-hidden />
      </Button>
    </div>
  );
}

interface StripProps {
  readonly crew: CrewDetail | undefined;
  readonly store: RunStore;
  readonly onOpen: () => void;
}

/** The running agents, in one line that opens the stage. */
function Strip({ crew, store, onOpen }: StripProps) {
  useChanges(store);
  const { words } = useApp();
  const phase = phaseOf(store.story);
  if (phase.kind === "ended") return null;
  const display = crewDisplayOf(crew);
  const writing = (agent: string): string => words.run.writing(nameOf(display, agent));
  const text = phase.kind === "working" ? phase.agents.map(writing).join(" · ") : words.run.waiting;
  return (
    <button type="button" className={`chat-strip ${phase.kind}`} onClick={onOpen}>
      <i aria-hidden />
      {text === "" ? words.run.thinking : text}
    </button>
  );
}
