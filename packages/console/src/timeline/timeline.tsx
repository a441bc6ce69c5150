/**
 * Timeline: one row an agent, and the playhead over them. It is the scrubber: click, drag and arrow keys move through
 * the run; hovering shows the event.
 */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { AgentColors } from "../graph/agent-color.ts";
import { barPlacement, seqAtPlace } from "./bars.ts";
import type { TimelineRow } from "./rows.ts";
import type { Scale } from "./scale.ts";
import { type Notch, Track } from "./track.tsx";
import "./timeline.css";

/** The moves of the keys. */
export type TimelineKey = "next" | "previous" | "nextTurn" | "previousTurn" | "first" | "last";

interface TimelineProps {
  readonly label: string;
  readonly scale: Scale;
  readonly rows: readonly TimelineRow[];
  readonly colors: AgentColors;
  readonly seq: number;
  readonly notches: readonly Notch[];
  readonly ticks: readonly Notch[];
  /** The position of the bar that is selected. */
  readonly selected: string | undefined;
  /** The event in words, for readers who cannot see the page. */
  readonly say: (seq: number) => string;
  /** The event at the playhead. */
  readonly short: (seq: number) => string;
  readonly onSeek: (seq: number, agent?: string) => void;
  readonly onKey: (key: TimelineKey) => void;
}

const KEYS: ReadonlyMap<string, TimelineKey> = new Map([
  ["ArrowRight", "next"],
  ["ArrowUp", "next"],
  ["ArrowLeft", "previous"],
  ["ArrowDown", "previous"],
  ["Home", "first"],
  ["End", "last"],
]);

/** Reads a key of the timeline; with shift arrows go by turns. */
function keyOf({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): TimelineKey | undefined {
  const found = KEYS.get(key);
  if (!shiftKey) return found;
  if (found === "next") return "nextTurn";
  return found === "previous" ? "previousTurn" : found;
}

/** The scrubber. */
export function Timeline(props: TimelineProps) {
  const { label, scale, rows, colors, seq, notches, ticks, selected, say, short, onSeek, onKey } = props;
  const rail = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number>();
  const placeAt = (event: PointerEvent): number => {
    const box = rail.current?.getBoundingClientRect();
    return box === undefined || box.width === 0 ? 0 : (event.clientX - box.left) / box.width;
  };
  const rowAt = (event: PointerEvent): string | undefined => {
    const row = event.target instanceof Element ? event.target.closest("[data-agent]") : null;
    return row?.getAttribute("data-agent") ?? undefined;
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    const agent = rowAt(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    onSeek(seqAtPlace(scale, placeAt(event)), agent);
  };
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    const at = seqAtPlace(scale, placeAt(event));
    setHovered(at);
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onSeek(at);
  };
  const type = (event: KeyboardEvent): void => {
    const key = keyOf(event);
    if (key === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onKey(key);
  };
  return (
    <div
      className="timeline"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={scale.first}
      aria-valuemax={scale.last}
      aria-valuenow={seq}
      aria-valuetext={say(seq)}
      onPointerDown={press}
      onPointerMove={move}
      onPointerLeave={() => setHovered(undefined)}
      onKeyDown={type}
    >
      <Track rows={rows} scale={scale} colors={colors} notches={notches} ticks={ticks} selected={selected} />
      <div className="timeline-over">
        <div className="timeline-rail" ref={rail}>
          <Future at={barPlacement(scale, seq)} />
          {hovered !== undefined && hovered !== seq && <Hover at={barPlacement(scale, hovered)} text={say(hovered)} />}
          <Playhead at={barPlacement(scale, seq)} text={short(seq)} widest={short(scale.last).length} />
        </div>
      </div>
    </div>
  );
}

const toPercent = (part: number): string => `${part * 100}%`;

/** The part that has not happened yet is pale. */
function Future({ at }: { readonly at: number }) {
  return <div className="timeline-future" style={{ left: toPercent(at) }} />;
}

interface PlayheadProps {
  readonly at: number;
  readonly text: string;
  /** The length of the newest event's label: the label is as wide at every event. */
  readonly widest: number;
}

function Playhead({ at, text, widest }: PlayheadProps) {
  const room = useRef(0);
  room.current = Math.max(room.current, widest);
  return (
    <div className={at > 0.82 ? "timeline-head left" : "timeline-head"} style={{ left: toPercent(at) }}>
      <span className="timeline-head-label">
        <span style={{ minWidth: `${room.current}ch` }}>{text}</span>
      </span>
    </div>
  );
}

function Hover({ at, text }: { readonly at: number; readonly text: string }) {
  return (
    <div className={at > 0.6 ? "timeline-hover left" : "timeline-hover"} style={{ left: toPercent(at) }} aria-hidden>
      <span>{text}</span>
    </div>
  );
}
