/**
 * Use play: moves the playhead once a frame while it plays.
 */
import { useEffect, useRef, useState } from "react";
import { advancePlay, isOver, type Playing, type Speed, seqOf, startPlay } from "./play.ts";
import type { Scale } from "./scale.ts";

interface PlayOptions {
  readonly seq: number;
  readonly speed: Speed;
  readonly scaleOf: (speed: Speed) => Scale;
  readonly onSeek: (seq: number) => void;
}

/** The state of playing, and the action that changes it. */
export interface Play {
  readonly isPlaying: boolean;
  readonly toggle: () => void;
  readonly stop: () => void;
}

/** Plays a run. After a jump or a change of speed it continues from there. */
export function usePlay({ seq, speed, scaleOf, onSeek }: PlayOptions): Play {
  const [isPlaying, setPlaying] = useState(false);
  const now = useRef({ seq, scaleOf, onSeek });
  now.current = { seq, scaleOf, onSeek };
  useEffect(() => {
    if (!isPlaying) return undefined;
    let playing: Playing = startPlay(now.current.scaleOf(speed), speed, now.current.seq);
    let before: number | undefined;
    let frame = requestAnimationFrame(function draw(at) {
      playing = advancePlay(playing, before === undefined ? 0 : at - before);
      before = at;
      now.current.onSeek(seqOf(playing));
      if (isOver(playing)) setPlaying(false);
      else frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed]);
  return { isPlaying, toggle: () => setPlaying((was) => !was), stop: () => setPlaying(false) };
}
