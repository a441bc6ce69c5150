/**
 * Scrubber: the timeline of a run with its controls, the keys that move the playhead, and the replay check.
 */
import type { CrewDetail, Replayed, RunInfo } from "@baton/client";
import { useCallback, useMemo, useState } from "react";
import { useApp } from "../app-context.ts";
import type { AgentColors } from "../graph/agent-color.ts";
import { useAgentName } from "../graph/agent-names.ts";
import type { RunStore } from "../store/run-store.ts";
import { barAt } from "../timeline/bars.ts";
import { Controls } from "../timeline/controls.tsx";
import { nextSpeed, type Speed } from "../timeline/play.ts";
import { type TimelineRow, buildTimelineRows } from "../timeline/rows.ts";
import { Timeline, type TimelineKey } from "../timeline/timeline.tsx";
import type { Notch } from "../timeline/track.tsx";
import { type Play, usePlay } from "../timeline/use-play.ts";
import { eventAt, eventLabel } from "./inspector/event-label.ts";
import { seekByKey } from "./seek-by-key.ts";
import { ReplayCheck } from "./compare/replay-check.tsx";
import type { Axis } from "./use-axis.ts";
import type { Moment } from "./use-moment.ts";
import { useRunKeys } from "../keyboard/use-run-keys.ts";

interface ScrubberProps {
  readonly info: RunInfo;
  readonly store: RunStore;
  readonly version: number;
  readonly crew: CrewDetail | undefined;
  readonly colors: AgentColors;
  readonly axis: Axis;
  readonly moment: Moment;
  readonly replayed: Replayed | undefined;
  readonly onReplayed: (replayed: Replayed | undefined) => void;
  readonly onFork: () => void;
}

/** A small crew that is watched has all its rows from the start, so that the page does not move with each new agent. */
const MOST_EXPECTED = 6;

/** Timeline and controls. */
export function Scrubber(props: ScrubberProps) {
  const { info, store, colors, axis, moment, replayed, onReplayed, onFork } = props;
  const { words } = useApp();
  const { seq, seek } = moment;
  const [speed, setSpeed] = useState<Speed>("reading");
  const rows = useRows(props);
  const notches = useNotches(axis, replayed);
  const { say, short } = useSaying(store, axis);
  const play = usePlay({ seq, speed, scaleOf: axis.scaleOf, onSeek: seek });
  const press = (key: TimelineKey): void => {
    play.stop();
    seek(key === "last" ? "live" : seekByKey(store, seq, key));
  };
  const jump = (to: number, agent?: string): void => {
    play.stop();
    seek(to);
    const bar = barAt(rows.find((row) => row.agent === agent)?.bars ?? [], to);
    if (bar !== undefined) moment.select(bar.of);
    else if (agent !== undefined) moment.select(undefined);
  };
  useKeys({ play, press, axis, moment, onFork, setSpeed });
  return (
    <section className="run-timeline" aria-label={words.runPage.timeline}>
      <Timeline
        label={words.runPage.timeline}
        scale={axis.scale}
        rows={rows}
        colors={colors}
        seq={seq}
        notches={notches}
        ticks={axis.ticks}
        selected={moment.selected}
        say={say}
        short={short}
        onSeek={jump}
        onKey={press}
      />
      <Controls
        isPlaying={play.isPlaying}
        onToggle={play.toggle}
        onKey={press}
        speed={speed}
        onSpeed={setSpeed}
        axis={axis.kind}
        onAxis={axis.setKind}
      >
        <Live store={store} isLive={moment.playhead === "live"} onPress={() => press("last")} />
        <ReplayCheck info={info} story={store.story} replayed={replayed} onReplayed={onReplayed} onSeek={seek} />
      </Controls>
    </section>
  );
}

/** The rows of the timeline. */
function useRows({ store, version, crew }: Pick<ScrubberProps, "store" | "version" | "crew">): readonly TimelineRow[] {
  const [isWatched] = useState(store.story.ended === undefined);
  return useMemo(() => {
    const agents = crew?.agents.map(({ id }) => id) ?? [];
    return buildTimelineRows(store.story, agents, isWatched && agents.length <= MOST_EXPECTED ? agents : []);
  }, [store, version, crew, isWatched]);
}

interface LiveProps {
  readonly store: RunStore;
  readonly isLive: boolean;
  readonly onPress: () => void;
}

/** Leads to the newest event of a run that is running; its place stays when the run has ended. */
function Live({ store: { story }, isLive, onPress }: LiveProps) {
  const { words } = useApp();
  const { live } = words.runPage.play;
  const isRunning = story.ended === undefined;
  const [isWatched] = useState(isRunning);
  if (isRunning) {
    return (
      <button type="button" className="run-live" aria-pressed={isLive} onClick={onPress}>
        {live}
      </button>
    );
  }
  return isWatched ? (
    <span className="run-live run-left" aria-hidden>
      {live}
    </span>
  ) : null;
}

interface KeysOptions {
  readonly play: Play;
  readonly press: (key: TimelineKey) => void;
  readonly axis: Axis;
  readonly moment: Moment;
  readonly onFork: () => void;
  readonly setSpeed: (change: (was: Speed) => Speed) => void;
}

function useKeys({ play, press, axis, moment, onFork, setSpeed }: KeysOptions): void {
  useRunKeys({
    " ": play.toggle,
    ArrowRight: () => press("next"),
    ArrowLeft: () => press("previous"),
    "Shift ArrowRight": () => press("nextTurn"),
    "Shift ArrowLeft": () => press("previousTurn"),
    Home: () => press("first"),
    End: () => press("last"),
    l: () => press("last"),
    f: onFork,
    x: () => moment.setTab("xray"),
    o: () => moment.setTab("output"),
    e: () => moment.setTab("events"),
    ",": () => setSpeed((was) => nextSpeed(was, -1)),
    ".": () => setSpeed((was) => nextSpeed(was, 1)),
    t: () => axis.setKind(axis.kind === "clock" ? "even" : "clock"),
  });
}

function useNotches({ clock, kind }: Axis, replayed: Replayed | undefined): readonly Notch[] {
  const { words, format } = useApp();
  return useMemo(() => {
    const cuts = kind === "clock" ? clock.cuts : [];
    const difference = replayed?.difference;
    return [
      ...cuts.map(({ seq, ms }) => ({ kind: "cut" as const, seq, text: format.duration(ms) })),
      ...(difference === undefined
        ? []
        : [
            {
              kind: "difference" as const,
              seq: difference.seq,
              text: words.runPage.replay.differs(difference.seq),
            },
          ]),
    ];
  }, [clock, kind, replayed, format, words]);
}

/** Returns the label of an event: whole for screen readers, and short at the playhead. */
function useSaying(store: RunStore, axis: Axis): Readonly<Record<"say" | "short", (seq: number) => string>> {
  const { words, format } = useApp();
  const nameOf = useAgentName();
  const { duration, spoken } = format;
  const say = useCallback(
    (seq: number): string => {
      const event = eventAt(store.events, seq);
      const what =
        event === undefined ? "" : eventLabel(event, { say: words.runPage.happened, story: store.story, nameOf });
      return words.runPage.moment(seq, spoken(axis.clock.worked.valueOf(seq)), what);
    },
    [store, axis, words, spoken, nameOf],
  );
  return { say, short: (seq) => `#${seq} · ${duration(axis.clock.worked.valueOf(seq))}` };
}
