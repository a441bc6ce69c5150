/**
 * Crew view: every turn of a run in its order; those of a group side by side, those of a team within their crew.
 */
import { CornerDownRight } from "lucide-react";
import { useApp } from "../../app-context.ts";
import { colorClass } from "../../graph/agent-color.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { HandoffMark } from "../../store/story.ts";
import { type CrewDisplay, nameOf, useChat } from "../chat-context.ts";
import type { ExchangeItem } from "../conversation/exchange-items.ts";
import { LazyQuestionCard } from "../../questions/lazy-question-card.tsx";
import { ChatTurn } from "./chat-turn.tsx";
import { SentMessage } from "../conversation/sent-message.tsx";
import "./crew-view.css";

interface CrewViewProps {
  readonly store: RunStore;
  readonly items: readonly ExchangeItem[];
}

/** The items of a run. */
export function CrewView({ store, items }: CrewViewProps) {
  return (
    <div className="crew-view">
      {items.map((item) => (
        <ItemView key={`${item.kind} ${item.seq}`} store={store} item={item} />
      ))}
    </div>
  );
}

interface ItemViewProps {
  readonly store: RunStore;
  readonly item: ExchangeItem;
}

function ItemView({ store, item }: ItemViewProps) {
  const { display } = useChat();
  switch (item.kind) {
    case "user":
      return <SentMessage text={item.text} images={item.images} />;
    case "turn":
      return <ChatTurn store={store} turn={item.turn} signals={item.signals} />;
    case "group":
      return <GroupView store={store} item={item} />;
    case "team":
      return (
        <section className="chat-team" role="group" aria-label={item.turn.crew ?? ""}>
          <h2>{item.turn.crew}</h2>
          <CrewView store={store} items={item.items} />
        </section>
      );
    case "handoff":
      return <HandoffLine handoff={item.handoff} />;
    case "question":
      return <LazyQuestionCard store={store} question={item.question} />;
    case "warning":
      // The end of the run says it, too.
      if (item.text === store.story.ended?.error?.message) return null;
      return (
        <p className="crew-warning">
          {nameOf(display, item.agent)}: {item.text}
        </p>
      );
  }
}

function GroupView({
  store,
  item,
}: {
  readonly store: RunStore;
  readonly item: Extract<ExchangeItem, { kind: "group" }>;
}) {
  const { words } = useApp();
  const { members, group } = item;
  return (
    <section className="chat-group" role="group" aria-label={group.group}>
      <h2>
        {group.group}
        <small>{words.run.atOnce(members.length)}</small>
      </h2>
      <div className="group-members">
        {members.map((member) => (
          <CrewView key={member.agent} store={store} items={member.items} />
        ))}
      </div>
    </section>
  );
}

/** Whom a handoff goes to: an agent, a team, or all of a group. */
function targetOf({ crew, names }: CrewDisplay, to: string): string {
  const group = crew?.groups.find(({ id }) => id === to);
  if (group === undefined) return names.get(to) ?? to;
  return group.agents.map((agent) => names.get(agent) ?? agent).join(", ");
}

function HandoffLine({ handoff }: { readonly handoff: HandoffMark }) {
  const { words } = useApp();
  const { display } = useChat();
  const ways: Readonly<Record<string, string>> = words.runPage.via;
  return (
    <p className={`chat-handoff ${colorClass(display.colors, handoff.to)}`}>
      <CornerDownRight size={14} aria-hidden />
      <span>{words.chat.passes(targetOf(display, handoff.to))}</span>
      <small>{ways[handoff.via] ?? handoff.via}</small>
    </p>
  );
}
