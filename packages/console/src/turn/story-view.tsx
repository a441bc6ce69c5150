/**
 * Story view: a run cut at the playhead: as it was then, with a cursor where an agent was writing.
 */
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import { RunContext, type ShownRun, useShownRun } from "./run-context.ts";
import { buildTurnItems, countHidden, type TurnItem, turnsOf } from "./turn-items.ts";
import { TurnItemView } from "./turn-list.tsx";
import "./story-view.css";

/** So many items are drawn at first, fewer if they are long; older ones on demand. */
const SHOWN = { items: 12, characters: 4_000 };

/** The story of the shown run; `version` is the store's. */
export function StoryView({ version }: { readonly version: number }) {
  const { words } = useApp();
  const run = useShownRun();
  const { store, seq, selected } = run;
  const [more, setMore] = useState(0);
  const items = useMemo(() => buildTurnItems(store.story, store.events, seq), [store, version, seq]);
  const hidden = Math.max(0, countHidden(items, SHOWN) - more);
  const list = useRef<HTMLDivElement>(null);
  useNewestInSight(list, seq, seq >= store.last ? "live" : "past");
  useEffect(() => {
    if (selected === undefined) return;
    list.current?.querySelector('[data-selected="true"]')?.scrollIntoView({ block: "nearest" });
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
            key={`${item.kind} ${item.seq}`}
            item={item}
            run={run}
            seq={cut}
            version={cut === Infinity ? version : 0}
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
function cutSeq(item: TurnItem, seq: number): number {
  if (item.kind === "turn" || item.kind === "team") return Math.min(seq, item.turn.to?.seq ?? seq);
  if (item.kind === "group") return Math.min(seq, item.group.to?.seq ?? seq);
  if (item.kind === "question") return Math.min(seq, item.question.to?.seq ?? seq);
  return item.seq;
}

interface ItemProps {
  readonly item: TurnItem;
  readonly run: ShownRun;
  readonly seq: number;
  /** Of the run, for an item that goes on. */
  readonly version: number;
}

const Item = memo(
  function Item({ item, run, seq }: ItemProps) {
    return (
      <RunContext value={{ ...run, seq }}>
        <TurnItemView item={item} />
      </RunContext>
    );
  },
  (a, b) =>
    a.seq === b.seq &&
    a.version === b.version &&
    a.run.selected === b.run.selected &&
    a.run.shownCall === b.run.shownCall &&
    a.run.store === b.run.store &&
    a.run.display === b.run.display &&
    a.item.seq === b.item.seq &&
    turnsOf([a.item]).length === turnsOf([b.item]).length,
);
