/**
 * Track: the rows of the timeline with their bars and marks. It does not know of the playhead, so moving that draws
 * nothing here again.
 */
import { memo, useMemo } from "react";
import { type AgentColors, colorClass, initialOf } from "../graph/agent-color.ts";
import { useAgentName } from "../graph/agent-names.ts";
import { type PlacedBar, placeBars, barPlacement } from "./bars.ts";
import type { TimelineRow, RowMark } from "./rows.ts";
import type { Scale } from "./scale.ts";
import { describedBy } from "../ui/layers/tooltip.tsx";

/** A place on the axis, with words. */
export interface Notch {
  readonly seq: number;
  readonly text: string;
  readonly kind: "tick" | "cut" | "fork" | "difference";
  /** Instead of the place of the event. */
  readonly at?: number;
}

interface TrackProps {
  readonly rows: readonly TimelineRow[];
  readonly scale: Scale;
  readonly colors: AgentColors;
  readonly notches: readonly Notch[];
  readonly ticks: readonly Notch[];
  /** The position of the bar that is selected. */
  readonly selected?: string | undefined;
}

/** The marks under the playhead. */
export const Track = memo(function Track({ rows, scale, colors, notches, ticks, selected }: TrackProps) {
  return (
    <div className="timeline-track" aria-hidden>
      {rows.map((row) => (
        <TrackRow key={row.agent} row={row} scale={scale} colors={colors} selected={selected} />
      ))}
      <div className="timeline-notches">
        {notches.map(({ kind, seq, text }) => (
          <div
            key={`${kind} ${seq}`}
            className={`timeline-notch ${kind} ${barPlacement(scale, seq) > 0.88 ? "at-end" : ""}`}
            style={{ left: percent(barPlacement(scale, seq)) }}
          >
            <span>{text}</span>
          </div>
        ))}
      </div>
      <div className="timeline-ticks">
        {ticks.map(({ seq, at, text }, index) => (
          <span
            key={`${seq} ${at}`}
            className={classOfTick(index, ticks.length)}
            style={{ left: percent(at ?? barPlacement(scale, seq)) }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
});

function classOfTick(index: number, count: number): string {
  if (index === 0) return "at-start";
  return index === count - 1 ? "at-end" : "";
}

const percent = (part: number): string => `${part * 100}%`;

interface TrackRowProps extends Pick<TrackProps, "scale" | "colors" | "selected"> {
  readonly row: TimelineRow;
}

function TrackRow({ row: { agent, bars, marks }, scale, colors, selected }: TrackRowProps) {
  const name = useAgentName()(agent);
  const turns = useMemo(() => placeBars(bars.filter(isTurn), scale), [bars, scale]);
  const calls = useMemo(
    () =>
      placeBars(
        bars.filter((bar) => !isTurn(bar)),
        scale,
      ),
    [bars, scale],
  );
  return (
    <div className={`timeline-row ${colorClass(colors, agent)}`} data-agent={agent}>
      <span className="timeline-badge">{initialOf(name)}</span>
      <span className="timeline-name" {...describedBy(agent)}>
        {name}
      </span>
      <span className="timeline-line">
        {turns.map((bar) => (
          <PlacedBarView key={bar.of} bar={bar} isSelected={bar.of === selected} />
        ))}
        {calls.map((bar) => (
          <PlacedBarView key={bar.of} bar={bar} isSelected={bar.of === selected} />
        ))}
        {toShownMarks(marks).map((mark) => (
          <span
            key={`${mark.kind} ${mark.seq}`}
            className={`timeline-mark ${mark.kind}`}
            style={{ left: percent(barPlacement(scale, mark.seq)) }}
          >
            {SIGNS[mark.kind]}
          </span>
        ))}
      </span>
    </div>
  );
}

const SIGNS = { signal: "", question: "?", error: "!", limit: "!" } as const satisfies Record<RowMark["kind"], string>;
/** More signals than this are dust. */
const MOST_SIGNALS = 120;

/** Signals are left out if there are too many to tell apart; the rest never is. */
function toShownMarks(marks: readonly RowMark[]): readonly RowMark[] {
  const signals = marks.filter(({ kind }) => kind === "signal");
  return signals.length <= MOST_SIGNALS ? marks : marks.filter(({ kind }) => kind !== "signal");
}

function isTurn({ kind }: { readonly kind: PlacedBar["kind"] }): boolean {
  return kind === "turn";
}

function PlacedBarView({ bar, isSelected }: { readonly bar: PlacedBar; readonly isSelected: boolean }) {
  const { kind, start, end } = bar;
  const name = `timeline-bar ${kind}${isSelected ? " selected" : ""}`;
  return <i className={name} style={{ left: percent(start), width: percent(end - start) }} />;
}
