/**
 * Use conversation scroll: scrolls a conversation. A message that was sent glides to the top; then nothing moves, unless
 * the reader asks to follow what is written.
 */
import { type Dispatch, type RefObject, useEffect, useRef, useState } from "react";

/** The actions that the reader has. */
export interface ConversationScroll {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** The newest words are below what is seen. */
  readonly isBehind: boolean;
  readonly follow: () => void;
}

interface ReadingOptions {
  /** The last run. */
  readonly last: string | undefined;
  /** True if a message of this tab has just started it. */
  readonly isOwn: boolean;
  /** True while it writes. */
  readonly isWorking: boolean;
  /** A run to begin with. */
  readonly target: string | undefined;
}

/** Scrolls a conversation. */
export function useConversationScroll({ last, isOwn, isWorking, target }: ReadingOptions): ConversationScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const [isBehind, setBehind] = useState(false);
  const [isFollowing, setFollowing] = useState(false);
  const [isAway, setAway] = useState(false);
  const opened = useRef(false);
  useEffect(() => {
    if (last === undefined) return;
    const isFirst = !opened.current;
    opened.current = true;
    const wanted = isFirst && target !== undefined ? target : last;
    const element = document.getElementById(`run-${wanted}`);
    const isStill = isFirst || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isFirst || isOwn) element?.scrollIntoView({ block: "start", behavior: isStill ? "instant" : "smooth" });
    setFollowing(false);
  }, [last]);
  useEffect(() => {
    if (isWorking && !isOwn && target === undefined) setFollowing(true);
  }, [isWorking, isOwn]);
  useEffect(() => watchBelow(scroller.current, endOf(last), setBehind), [last]);
  useEffect(() => watchBelow(scroller.current, document.getElementById(`run-${last ?? ""}`), setAway), [last]);
  useEffect(
    () => (isFollowing ? followEnd(scroller.current, last, () => setFollowing(false)) : undefined),
    [isFollowing, last],
  );
  return { scroller, isBehind: isBehind && !isFollowing && (isWorking || isAway), follow: () => setFollowing(true) };
}

function endOf(last: string | undefined): Element | null {
  return document.querySelector(`#run-${CSS.escape(last ?? "")} > .exchange-end`);
}

/** Tells whether something is below what is seen. */
function watchBelow(
  root: HTMLElement | null,
  watched: Element | null,
  tell: Dispatch<boolean>,
): (() => void) | undefined {
  if (root === null || watched === null) return undefined;
  const watcher = new IntersectionObserver(
    ([entry]) => tell(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top > 0),
    { root },
  );
  watcher.observe(watched);
  return () => watcher.disconnect();
}

/** Keeps the end in sight until the reader scrolls up. */
function followEnd(root: HTMLElement | null, last: string | undefined, stop: () => void): (() => void) | undefined {
  const end = endOf(last);
  const exchange = end?.parentElement;
  if (root === null || end === null || exchange === null || exchange === undefined) return undefined;
  const show = (): void => end.scrollIntoView({ block: "end", behavior: "instant" });
  const grown = new ResizeObserver(show);
  for (const child of exchange.children) grown.observe(child);
  const added = new MutationObserver(() => {
    for (const child of exchange.children) grown.observe(child);
    show();
  });
  added.observe(exchange, { childList: true });
  const up = (event: WheelEvent): void => {
    if (event.deltaY < 0) stop();
  };
  const key = (event: KeyboardEvent): void => {
    if (["ArrowUp", "PageUp", "Home"].includes(event.key)) stop();
  };
  root.addEventListener("wheel", up, { passive: true });
  root.addEventListener("touchmove", stop, { passive: true });
  root.addEventListener("keydown", key);
  show();
  return () => {
    grown.disconnect();
    added.disconnect();
    root.removeEventListener("wheel", up);
    root.removeEventListener("touchmove", stop);
    root.removeEventListener("keydown", key);
  };
}
