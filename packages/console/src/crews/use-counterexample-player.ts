/**
 * Use counterexample player: plays a counterexample on the graph, stop by stop, and leaves its end standing.
 */
import { useEffect, useState } from "react";
import type { GraphMoment } from "../graph/graph-moment.ts";
import { momentOf } from "./counterexample.ts";

/** The conversation that is played, and the actions that start and end it. */
export interface CounterexamplePlayer {
  /** The finding whose conversation it is. */
  readonly of: number | undefined;
  readonly moment: GraphMoment | undefined;
  readonly show: (of: number, stops: readonly string[]) => void;
  readonly end: () => void;
}

interface Shown {
  readonly of: number;
  readonly stops: readonly string[];
  readonly count: number;
}

const STOP_MS = 800;

/** Shows one conversation at a time. */
export function useCounterexamplePlayer(): CounterexamplePlayer {
  const [shown, setShown] = useState<Shown>();
  const isOver = shown === undefined || shown.count >= shown.stops.length;
  useEffect(() => {
    if (isOver) return undefined;
    const next = (): void => setShown((was) => (was === undefined ? was : { ...was, count: was.count + 1 }));
    const timer = setInterval(next, STOP_MS);
    return () => clearInterval(timer);
  }, [isOver, shown?.of]);
  return {
    of: shown?.of,
    moment: shown === undefined ? undefined : momentOf(shown.stops, shown.count),
    show: (of, stops) => setShown({ of, stops, count: 1 }),
    end: () => setShown(undefined),
  };
}
