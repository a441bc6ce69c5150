/**
 * Use stage replay: a run that this tab started and that ended within a second is replayed once on the stage, at most
 * eight seconds long, so that its way can be seen. The answer beside it is whole at once.
 */
import { useEffect, useRef, useState } from "react";
import { runTimes } from "../../store/gaps.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { Scale } from "../../timeline/scale.ts";
import { useMedia } from "../../ui/use-media.ts";

/** A replay that goes on. */
export interface StageReplay {
  /** The event that it stands at. */
  readonly seq: number;
  /** The real duration of the run. */
  readonly tookMs: number;
  readonly skip: () => void;
}

const SHORT_MS = 1_000;
const MOST_MS = 8_000;

/** The replay of a run; undefined if there is none, or it is over. */
export function useStageReplay(store: RunStore, { isOwn }: Readonly<{ isOwn: boolean }>): StageReplay | undefined {
  const [seq, setSeq] = useState<number>();
  const frame = useRef(0);
  const isStill = useMedia("(prefers-reduced-motion: reduce)");
  const isEnded = store.story.ended !== undefined;
  const tookMs = isEnded ? runTimes(store).activeMs : Infinity;
  const isShort = isOwn && !isStill && tookMs < SHORT_MS;
  useEffect(() => {
    if (!isShort) return undefined;
    let isLeft = false;
    const play = (scale: Scale): void => {
      const factor = Math.max(1, scale.length / MOST_MS);
      let began: number | undefined;
      frame.current = requestAnimationFrame(function draw(at) {
        began ??= at;
        const value = (at - began) * factor;
        setSeq(value >= scale.length ? undefined : scale.seqAt(value));
        if (value < scale.length) frame.current = requestAnimationFrame(draw);
      });
    };
    // The page is there before the code that plays.
    import("../../timeline/axes.ts").then(
      ({ toReadingScale }) => !isLeft && play(toReadingScale(store)),
      () => undefined,
    );
    return () => {
      isLeft = true;
      cancelAnimationFrame(frame.current);
    };
  }, [store, isShort]);
  if (seq === undefined || !isShort) return undefined;
  const skip = (): void => {
    cancelAnimationFrame(frame.current);
    setSeq(undefined);
  };
  return { seq, tookMs, skip };
}
