/**
 * Turn list: items of a run in their order; those of a group side by side, those of a team within their crew.
 */
import { CornerDownRight, TriangleAlert } from "lucide-react";
import { useApp } from "../app-context.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import { colorClass } from "../graph/agent-color.ts";
import { LazyQuestionCard } from "../questions/lazy-question-card.tsx";
import { Boundary } from "../ui/boundary.tsx";
import { planOf } from "./answer/answer-notes.ts";
import { PlanList } from "./answer/plan-list.tsx";
import { type CrewDisplay, nameOf } from "./crew-display.ts";
import { RunContext, useShownRun } from "./run-context.ts";
import { SentMessage } from "./sent-message.tsx";
import { type TurnItem, turnsOf } from "./turn-items.ts";
import { TurnView } from "./turn-view.tsx";
import "./turn-list.css";

/** Several items. */
export function TurnList({ items }: { readonly items: readonly TurnItem[] }) {
  return (
    <div className="turn-list">
      {items.map((item) => (
        <TurnItemView key={`${item.kind} ${item.seq}`} item={item} />
      ))}
    </div>
  );
}

/** One item. */
export function TurnItemView({ item }: { readonly item: TurnItem }) {
  const { store } = useShownRun();
  switch (item.kind) {
    case "user":
      return <SentMessage text={item.text} images={item.images} seq={item.seq} />;
    case "turn":
      return (
        <TurnView
          turn={item.turn}
          signals={item.signals}
          drawChild={(call) => <ChildLane items={item.children.get(call)} />}
        />
      );
    case "group":
      return <GroupView item={item} />;
    case "team":
      return (
        <section className="chat-team" role="group" aria-label={item.turn.crew ?? ""}>
          <h2>{item.turn.crew}</h2>
          <TurnList items={item.items} />
        </section>
      );
    case "handoff":
      return <HandoffLine item={item} />;
    case "question":
      return <LazyQuestionCard question={item.question} />;
    case "note":
      if (item.note.kind === "chart") {
        return (
          <Boundary of={`${store.id} ${item.seq}`}>
            <ChartCard chart={item.note.data} />
          </Boundary>
        );
      }
      return <PlanItem note={item.note} />;
    case "aside":
      return <AsideLine aside={item.aside} />;
  }
}

/** The work of an agent or crew that is a tool, folded. */
function ChildLane({ items }: { readonly items: readonly TurnItem[] | undefined }) {
  const { words } = useApp();
  const run = useShownRun();
  if (items === undefined || items.length === 0) return null;
  const turns = turnsOf(items);
  const isDone = turns.every(({ to }) => to !== undefined && to.seq <= run.seq);
  const names = [...new Set(turns.map(({ agent }) => nameOf(run.display, agent)))].join(", ");
  return (
    <details className="child-lane">
      <summary>
        {names}{" "}
        <small>{`${words.run.turns(turns.length)} · ${isDone ? words.status.done : words.status.running}`}</small>
      </summary>
      <RunContext value={{ ...run, hidesQuestions: true }}>
        <TurnList items={items} />
      </RunContext>
    </details>
  );
}

type ItemOf<Kind extends TurnItem["kind"]> = Extract<TurnItem, { kind: Kind }>;

function PlanItem({ note }: Pick<ItemOf<"note">, "note">) {
  const plan = planOf([note]);
  return plan === undefined ? null : <PlanList plan={plan} />;
}

function GroupView({ item: { members, group } }: { readonly item: ItemOf<"group"> }) {
  const { words } = useApp();
  const { display } = useShownRun();
  const hidden = (group.items ?? 0) - members.length;
  return (
    <section className="chat-group" role="group" aria-label={group.group}>
      <h2>
        {group.group}
        <small>{words.run.atOnce(group.items ?? members.length)}</small>
      </h2>
      <div className="group-members">
        {members.map(({ agent, lane, index, items }) => (
          <div key={lane} className={`group-member ${colorClass(display.colors, agent)}`}>
            {index !== undefined && <span className="group-number">{words.runPage.item(index)}</span>}
            {items.length === 0 && <strong className="turn-agent">{nameOf(display, agent)}</strong>}
            <TurnList items={items} />
          </div>
        ))}
      </div>
      {hidden > 0 && <p className="turn-aside">{words.runPage.moreItems(hidden)}</p>}
    </section>
  );
}

/** Whom a handoff goes to: an agent, a team, or all of a group. */
function targetOf({ crew, names }: CrewDisplay, to: string): string {
  const group = crew?.groups.find(({ id }) => id === to);
  if (group === undefined) return names.get(to) ?? to;
  return group.agents.map((agent) => names.get(agent) ?? agent).join(", ");
}

function HandoffLine({ item: { handoff, atOnce } }: { readonly item: ItemOf<"handoff"> }) {
  const { words } = useApp();
  const { display } = useShownRun();
  const ways: Readonly<Record<string, string>> = words.runPage.via;
  const how = [ways[handoff.via] ?? handoff.via, ...(atOnce > 1 ? [words.run.atOnce(atOnce)] : [])];
  return (
    <p className={`chat-handoff ${colorClass(display.colors, handoff.to)}`}>
      <CornerDownRight size={14} aria-hidden />
      <span {...describedByIds(handoff.from, handoff.to)}>{words.chat.passes(targetOf(display, handoff.to))}</span>
      <small>{how.join(", ")}</small>
    </p>
  );
}

function describedByIds(from: string, to: string): object {
  return { "data-tip": `${from} → ${to}` };
}

/** A line between turns; a conversation shows only warnings. */
function AsideLine({ aside }: Pick<ItemOf<"aside">, "aside">) {
  const { words, format } = useApp();
  const { store, display, select } = useShownRun();
  const { happened } = words.runPage;
  // The end of the run says it, too.
  if (aside.kind === "warning" && aside.text === store.story.ended?.error?.message) return null;
  if (aside.kind !== "warning" && select === undefined) return null;
  const isAlarm = aside.kind === "warning" || aside.kind === "limit";
  const text = (): string => {
    switch (aside.kind) {
      case "warning":
        return `${nameOf(display, aside.agent)}: ${aside.text}`;
      case "limit":
        return happened.limit(aside.limit);
      case "waits":
        return happened.waits(nameOf(display, aside.agent), aside.limit, format.duration(aside.delayMs));
      case "command":
        return happened.command(aside.command.type);
      case "trimmed":
        return happened.trimmed(nameOf(display, aside.agent));
    }
  };
  return (
    <p className={`turn-aside ${aside.kind}`}>
      {isAlarm && <TriangleAlert size={14} aria-hidden />}
      <span>{text()}</span>
    </p>
  );
}
