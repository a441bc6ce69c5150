/**
 * Story view: the conversation of a run, cut at the playhead: as it was then, with a cursor where an agent was writing.
 */
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { ArrowRight, CircleHelp, TriangleAlert } from "lucide-react";
import { useApp } from "../../app-context.ts";
import { type AgentColors, colorClass } from "../../graph/agent-color.ts";
import { useAgentName } from "../../graph/agent-names.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { Aside, HandoffMark } from "../../store/story.ts";
import { Button } from "../../ui/button.tsx";
import { countHidden, type StoryItem, buildStoryItems } from "./story-items.ts";
import { StoryTurn } from "./story-turn.tsx";
import { describedBy } from "../../ui/layers/tooltip.tsx";
import "./story-view.css";

interface StoryViewProps {
  readonly store: RunStore;
  readonly version: number;
  readonly seq: number;
  readonly colors: AgentColors;
  readonly selected: string | undefined;
  readonly onSelect: (position: string) => void;
}

/** So many items are drawn at first, fewer if they are long; older ones on demand. */
const SHOWN = { items: 12, characters: 4_000 };

/** The story at an event. */
export function StoryView({ store, version, seq, colors, selected, onSelect }: StoryViewProps) {
  const { words } = useApp();
  const [more, setMore] = useState(0);
  const items = useMemo(() => buildStoryItems(store.story, seq), [store, version, seq]);
  const hidden = Math.max(0, countHidden(items, SHOWN) - more);
  const list = useRef<HTMLDivElement>(null);
  useNewestInSight(list, seq, seq >= store.last ? "live" : "past");
  useEffect(() => {
    if (selected === undefined) return;
    const chosen = list.current?.querySelector('[data-selected="true"]');
    chosen?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  if (items.length === 0) return <p className="story-empty">{words.runPage.notYet}</p>;
  return (
    <div className="story" ref={list}>
      {hidden > 0 && (
        <Button kind="quiet" onPress={() => setMore((was) => was + SHOWN.items)}>
          {words.runPage.earlier(Math.min(hidden, SHOWN.items))}
        </Button>
      )}
      {items.slice(hidden).map((item) => {
        const cut = cutSeq(item, seq >= store.last ? Infinity : seq);
        return (
          <Item
            key={item.key}
            item={item}
            store={store}
            seq={cut}
            version={cut === Infinity ? version : 0}
            colors={colors}
            selected={selected}
            onSelect={onSelect}
          />
        );
      })}
    </div>
  );
}

/**
 * Shows the end of the story after a jump. The column is scrolled from its end, so text that grows there stays in sight
 * without work, and a reader who has scrolled up in a live run is left alone.
 *
 * To write a scroll position makes the browser lay the page out at once, so it is written only after a scroll.
 */
function useNewestInSight(list: RefObject<HTMLElement | null>, seq: number, when: "live" | "past"): void {
  const place = when === "live" ? when : seq;
  const isAway = useRef(true);
  useEffect(() => {
    const box = list.current?.closest(".story-scroll");
    const note = (): void => {
      isAway.current = true;
    };
    box?.addEventListener("scroll", note, { passive: true });
    return () => box?.removeEventListener("scroll", note);
  }, []);
  useEffect(() => {
    const box = list.current?.closest(".story-scroll");
    if (box === null || box === undefined) return;
    const isFromEnd = getComputedStyle(box).flexDirection === "column-reverse";
    if (!isFromEnd) return list.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
    if (isAway.current) box.scrollTop = 0;
    isAway.current = false;
  }, [place]);
}

/**
 * An item that is over is the same at every later event, so it need not be drawn again. One that goes on has no end:
 * its text is drawn as it comes, and not only when the page is.
 */
function cutSeq(item: StoryItem, seq: number): number {
  if (item.kind === "turn") return Math.min(seq, item.turn.to?.seq ?? seq);
  if (item.kind === "group") return Math.min(seq, item.group.to?.seq ?? seq);
  if (item.kind === "question") return Math.min(seq, item.question.to?.seq ?? seq);
  return item.seq;
}

interface ItemProps {
  readonly item: StoryItem;
  readonly store: RunStore;
  readonly seq: number;
  /** Of the run, for an item that goes on. */
  readonly version: number;
  readonly colors: AgentColors;
  readonly selected: string | undefined;
  readonly onSelect: (position: string) => void;
}

const Item = memo(
  function Item({ item, store, seq, colors, selected, onSelect }: ItemProps) {
    const rest = { store, seq, colors, selected, onSelect };
    const { words } = useApp();
    const nameOf = useAgentName();
    switch (item.kind) {
      case "turn":
        return <StoryTurn turn={item.turn} depth={item.depth} isNarrow={false} {...rest} />;
      case "group":
        return (
          <div className="story-group">
            {item.columns.map(({ agent, lane, index, turns }) => (
              <div key={lane} className={`story-column ${colorClass(rest.colors, agent)}`}>
                {index !== undefined && <span className="story-item-number">{words.runPage.item(index)}</span>}
                {turns.length === 0 && (
                  <strong className="story-agent" {...describedBy(agent)}>
                    {nameOf(agent)}
                  </strong>
                )}
                {turns.map((turn) => (
                  <StoryTurn key={turn.turn} turn={turn} depth={0} isNarrow {...rest} />
                ))}
              </div>
            ))}
            {(item.group.items ?? 0) > item.columns.length && (
              <p className="story-aside">{words.runPage.moreItems((item.group.items ?? 0) - item.columns.length)}</p>
            )}
          </div>
        );
      case "handoff":
        return <Handoff handoff={item.handoff} atOnce={item.atOnce} />;
      case "question":
        return (
          <p className="story-aside question">
            <CircleHelp size={14} aria-hidden />
            <span>
              {item.question.asked.tool === undefined && <strong>{nameOf(item.question.asked.agent)} </strong>}
              {item.question.asked.text}
            </span>
          </p>
        );
      case "aside":
        return <AsideView aside={item.aside} />;
    }
  },
  (a, b) =>
    a.item.key === b.item.key &&
    a.seq === b.seq &&
    a.version === b.version &&
    a.selected === b.selected &&
    a.store === b.store &&
    a.colors === b.colors &&
    countOf(a.item) === countOf(b.item),
);

/** Counts the turns of a group's columns: they come one by one. */
function countOf(item: StoryItem): number {
  return item.kind === "group" ? item.columns.reduce((sum, { turns }) => sum + turns.length, 0) : 0;
}

function Handoff({ handoff: { from, to, via }, atOnce }: { readonly handoff: HandoffMark; readonly atOnce: number }) {
  const { words } = useApp();
  const nameOf = useAgentName();
  const ways = new Map(Object.entries(words.runPage.via));
  const how = [ways.get(via) ?? via, ...(atOnce > 1 ? [words.run.atOnce(atOnce)] : [])].join(", ");
  return (
    <p className="story-handoff">
      <span>
        <span {...describedBy(from)}>{nameOf(from)}</span>{" "}
        <ArrowRight size={13} role="img" aria-label={words.runPage.handsTo} />{" "}
        <strong {...describedBy(to)}>{nameOf(to)}</strong> {how}
      </span>
    </p>
  );
}

function AsideView({ aside }: { readonly aside: Aside }) {
  const { words, format } = useApp();
  const { duration } = format;
  const nameOf = useAgentName();
  const { happened } = words.runPage;
  switch (aside.kind) {
    case "user":
      return <p className="story-user">{aside.text}</p>;
    case "warning":
      return (
        <p className="story-aside warning">
          <TriangleAlert size={14} aria-hidden />
          <span>{aside.text}</span>
        </p>
      );
    case "limit":
      return (
        <p className="story-aside limit">
          <TriangleAlert size={14} aria-hidden />
          <span>{happened.limit(aside.limit)}</span>
        </p>
      );
    case "waits":
      return <p className="story-aside">{happened.waits(nameOf(aside.agent), aside.limit, duration(aside.delayMs))}</p>;
    case "command":
      return <p className="story-aside">{happened.command(aside.command.type)}</p>;
    case "trimmed":
      return <p className="story-aside">{happened.trimmed(nameOf(aside.agent))}</p>;
  }
}
