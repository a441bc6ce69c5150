/**
 * Run context: the run that the parts of a turn show, up to which event, and what may be pressed.
 */
import { createContext, useContext } from "react";
import type { RunStore } from "../store/run-store.ts";
import type { CrewDisplay } from "./crew-display.ts";

/** A call that is shown on demand, and the value in its result. */
export interface OpenedCall {
  readonly call: string;
  readonly path?: string;
}

/** A run as a page shows it. */
export interface ShownRun {
  readonly store: RunStore;
  readonly display: CrewDisplay;
  /** The last event that is shown; `Infinity`: as the run is now. */
  readonly seq: number;
  /** Within a folded part: questions stand outside of it. */
  readonly hidesQuestions?: boolean;
  /** The call that was asked for last. */
  readonly shownCall?: OpenedCall | undefined;
  readonly showCall: (shown: OpenedCall) => void;
  /** On the page of the run: a turn, step or call by its position. */
  readonly select?: (position: string) => void;
  readonly selected?: string | undefined;
}

/** Where a page gives the run. */
export const RunContext = createContext<ShownRun | undefined>(undefined);

/** The run that a part is of. */
export function useShownRun(): ShownRun {
  const run = useContext(RunContext);
  if (run === undefined) throw new Error("a part of a turn is used outside of a run");
  return run;
}
