/**
 * Use scroll memory: going back shows a long list where it was left. Positions are kept with the entry of the browser's
 * history, so that they survive a reload.
 *
 * What is to be remembered has an attribute `data-scroll` with a name that is unique on its page.
 */
import { useEffect } from "react";
import { writeHistoryEntry, readHistoryEntry } from "./history-state.ts";

/** Told before another page is gone to. */
export const LEAVING = "baton:leaving";

const SCROLL = "scroll";
const REST_MS = 150;
/** A list that is not long enough by then has become shorter. */
const WAIT_MS = 4_000;
/** Content that loads above may still move the position. */
const SETTLE_MS = 600;
const TOUCHED = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

type Tops = Readonly<Record<string, number>>;

/** Remembers where parts of the page were scrolled to, and scrolls them there when the reader comes back. */
export function useScrollMemory(): void {
  useEffect(() => {
    const memory = new ScrollMemory();
    memory.start();
    return () => memory.stop();
  }, []);
}

class ScrollMemory {
  #tops: Record<string, number> = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #endRestoring = (): void => {};
  #isRestoring = false;

  start(): void {
    document.addEventListener("scroll", this.#note, { capture: true, passive: true });
    window.addEventListener(LEAVING, this.#leave);
    window.addEventListener("popstate", this.#restore);
    window.addEventListener("pagehide", this.#write);
    this.#restore();
  }

  stop(): void {
    document.removeEventListener("scroll", this.#note, { capture: true });
    window.removeEventListener(LEAVING, this.#leave);
    window.removeEventListener("popstate", this.#restore);
    window.removeEventListener("pagehide", this.#write);
    clearTimeout(this.#timer);
    this.#endRestoring();
  }

  readonly #note = ({ target }: Event): void => {
    if (this.#isRestoring || !(target instanceof HTMLElement)) return;
    const name = target.dataset["scroll"];
    if (name === undefined) return;
    this.#tops[name] = target.scrollTop;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#write, REST_MS);
  };

  readonly #write = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isRestoring) writeHistoryEntry(SCROLL, { ...this.#tops });
  };

  /** The positions belong to the entry that is left; the next starts without any. */
  readonly #leave = (): void => {
    if (this.#timer !== undefined) this.#write();
    this.#endRestoring();
    this.#tops = {};
  };

  readonly #restore = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#endRestoring();
    const wanted = topsOf(readHistoryEntry(SCROLL));
    this.#tops = { ...wanted };
    if (Object.values(wanted).some((top) => top > 0)) this.#scrollTo(wanted);
  };

  #scrollTo(wanted: Tops): void {
    const beganAt = performance.now();
    let foundAt: number | undefined;
    let frame = 0;
    const end = (): void => {
      this.#isRestoring = false;
      cancelAnimationFrame(frame);
      for (const type of TOUCHED) window.removeEventListener(type, end, { capture: true });
    };
    const look = (): void => {
      const now = performance.now();
      if (Object.entries(wanted).every(scrolled)) foundAt ??= now;
      if (now - beganAt > WAIT_MS || (foundAt !== undefined && now - foundAt > SETTLE_MS)) return end();
      frame = requestAnimationFrame(look);
      return undefined;
    };
    for (const type of TOUCHED) window.addEventListener(type, end, { capture: true, passive: true });
    this.#isRestoring = true;
    this.#endRestoring = end;
    frame = requestAnimationFrame(look);
  }
}

/** Scrolls a part to its place; says whether it is there. */
function scrolled([name, top]: readonly [string, number]): boolean {
  const part = document.querySelector<HTMLElement>(`[data-scroll="${CSS.escape(name)}"]`);
  if (part === null) return false;
  const isLongEnough = part.scrollHeight - part.clientHeight >= top - 1;
  if (isLongEnough && Math.abs(part.scrollTop - top) > 1) part.scrollTo({ top, behavior: "instant" });
  return isLongEnough;
}

function topsOf(kept: unknown): Tops {
  if (typeof kept !== "object" || kept === null) return {};
  const pairs = Object.entries(kept).flatMap(([name, top]: readonly [string, unknown]) =>
    typeof top === "number" ? [[name, top] as const] : [],
  );
  return Object.fromEntries(pairs);
}
