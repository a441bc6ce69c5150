/**
 * Crew graph: a crew's boxes and arrows as the server laid them out, and what of them is alive in a run.
 *
 * It has the scale of its frame. Without a frame it is as wide as its column if it can still be read at that size, and
 * never larger than it was laid out. From far, at a scale at which labels cannot be read, it has larger names instead.
 */
import type { CrewDrawing, DrawnBox } from "@baton/client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type AgentColors, colorClass } from "./agent-color.ts";
import type { AgentNames } from "./agent-names.ts";
import { arrowPath } from "./arrow-path.ts";
import { toFitText } from "./fit-text.ts";
import { GraphArrow, GraphArrowLabel } from "./graph-arrow.tsx";
import { BETWEEN_MEMBERS, GraphBox, NAME_SIZE } from "./graph-box.tsx";
import { type GraphMoment, wayOf } from "./graph-moment.ts";
import { HEAD, LARGEST_NAME, MARGIN, MIN_SCALE, READ_SIZE, sizeOf } from "./graph-size.ts";
import "./crew-graph.css";

interface CrewGraphProps {
  readonly drawing: CrewDrawing;
  readonly colors: AgentColors;
  /** Names of agents, for people. */
  readonly names: AgentNames;
  /** The moment of a run; without it the crew is drawn at rest. */
  readonly moment?: GraphMoment;
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
  /** Called with a way that the baton went. */
  readonly onSelectWay?: (from: string, to: string) => void;
  readonly label: string;
  /** The scale to draw it at. */
  readonly scale?: number | undefined;
}

/** The least size of names from far. */
const FAR_NAME = 14;
/** The head of an arrow, near and from far. */
const TIP = 8;
const FAR_TIP = 16;
/** As the style sheet has it. */
const FAMILY = '"Geist Variable", "Geist fallback", system-ui, sans-serif';

/** Draws a crew. */
export function CrewGraph(props: CrewGraphProps) {
  const { drawing, label, colors, names, moment, selected, scale } = props;
  const isFar = scale !== undefined && scale < MIN_SCALE;
  const nameSize = isFar ? toFarSize(scale) : NAME_SIZE;
  const { boxes, arrows } = drawing;
  const fit = useMemo(() => toFitText(FAMILY), []);
  const { select, selectWay } = useLatest(props);
  return (
    <svg
      className={isFar ? "crew-graph far" : "crew-graph"}
      role="group"
      aria-label={label}
      {...toFrame(drawing, scale)}
    >
      <defs>
        <Tip id="tip" className="tip" size={isFar ? FAR_TIP : TIP} />
        <Tip id="tip-taken" className="tip taken" size={isFar ? FAR_TIP : TIP} />
      </defs>
      {arrows.map((arrow) => (
        <GraphArrow key={`${arrow.from} ${arrow.to}`} arrow={arrow} onSelectWay={selectWay} {...toWay(arrow, props)} />
      ))}
      {boxes.map((box) => (
        <GraphBox
          key={`${box.kind} ${box.id}`}
          box={box}
          className={classOf(box, props)}
          colors={colors}
          names={names}
          fit={fit}
          nameSize={nameSize}
          working={workingIn(box, moment)}
          isSelected={selected === box.id}
          onSelect={select}
        />
      ))}
      {arrows.map((arrow) => (
        <GraphArrowLabel
          key={`${arrow.from} ${arrow.to}`}
          arrow={arrow}
          names={names}
          nameSize={nameSize}
          onSelectWay={selectWay}
          {...toWay(arrow, props)}
        />
      ))}
      <Baton {...props} />
    </svg>
  );
}

/** The size of a name from far, so that it can be read as far as its box has room. */
function toFarSize(scale: number): number {
  return Math.min(LARGEST_NAME, Math.max(FAR_NAME, READ_SIZE / scale));
}

/** The size of the drawing, and between which sizes it is shown. */
function toFrame(drawing: CrewDrawing, scale: number | undefined) {
  const size = sizeOf(drawing);
  const least = Math.round(size.width * MIN_SCALE);
  const ratio = size.width / size.height;
  return {
    viewBox: `${-MARGIN} ${-HEAD} ${size.width} ${size.height}`,
    style: {
      width:
        scale === undefined
          ? `max(${least}px, min(${Math.round(size.width)}px, 100%, 100cqh * ${ratio}))`
          : `${Math.floor(size.width * scale)}px`,
      aspectRatio: `${size.width} / ${size.height}`,
    },
  };
}

interface Latest {
  readonly select: ((id: string) => void) | undefined;
  readonly selectWay: ((from: string, to: string) => void) | undefined;
}

/** Returns a function that stays the same, so that boxes and arrows are not drawn again for it. */
function useLatest({ onSelect, onSelectWay }: CrewGraphProps): Latest {
  const latest = useRef({ onSelect, onSelectWay });
  useEffect(() => {
    latest.current = { onSelect, onSelectWay };
  });
  const select = useCallback((id: string) => latest.current.onSelect?.(id), []);
  const selectWay = useCallback((from: string, to: string) => latest.current.onSelectWay?.(from, to), []);
  return {
    select: onSelect === undefined ? undefined : select,
    selectWay: onSelectWay === undefined ? undefined : selectWay,
  };
}

/** The ends of an arrow, and the number of handoffs along it. */
function toWay(arrow: CrewDrawing["arrows"][number], { drawing, moment }: CrewGraphProps) {
  const from = drawing.boxes[arrow.from]?.id ?? "";
  const target = drawing.boxes[arrow.to];
  const to = target === undefined || target.kind === "end" ? "" : target.id;
  return { from, to, count: moment === undefined ? undefined : (moment.counts.get(wayOf(from, to)) ?? 0) };
}

function workingIn({ id, members }: DrawnBox, moment: GraphMoment | undefined): string {
  if (moment === undefined) return "";
  return members.filter((member) => moment.members.has(wayOf(id, member))).join(BETWEEN_MEMBERS);
}

function classOf({ id, kind, marks }: DrawnBox, { colors, moment, selected }: CrewGraphProps): string {
  const isActive = moment?.active.has(id) === true;
  const isStill = moment !== undefined && !isActive && !moment.visited.has(id) && kind !== "end";
  const isAgent = kind !== "group" && kind !== "end";
  const classes = [
    "box",
    `box-${kind}`,
    isAgent && colorClass(colors, id),
    isActive && "active",
    isStill && "still",
    moment?.waiting.has(id) === true && "box-waiting",
    moment?.latest?.to === id && "last",
    selected === id && "selected",
    ...marks,
  ];
  return classes.filter(Boolean).join(" ");
}

/** The head of an arrow. */
function Tip({ id, className, size }: Readonly<{ id: string; className: string; size: number }>) {
  const marker = { markerWidth: size, markerHeight: size, viewBox: "0 0 8 8", refX: 7, refY: 4, orient: "auto" };
  return (
    <marker id={id} markerUnits="userSpaceOnUse" {...marker}>
      <path d="M0 0 L8 4 L0 8 z" className={className} />
    </marker>
  );
}

/** The baton travels along the arrow of a handoff that has just been made; a jump over several moves nothing. */
function Baton({ drawing, moment }: Pick<CrewGraphProps, "drawing" | "moment">) {
  const latest = moment?.latest;
  const before = useRef(latest?.count ?? 0);
  const isNew = latest !== undefined && latest.count === before.current + 1;
  useEffect(() => {
    before.current = latest?.count ?? 0;
  }, [latest?.count]);
  const [shown, setShown] = useState<Readonly<{ key: number; path: string }>>();
  useEffect(() => {
    if (!isNew) return;
    const arrow = drawing.arrows.find(
      ({ from, to }) => drawing.boxes[from]?.id === latest.from && drawing.boxes[to]?.id === latest.to,
    );
    setShown(arrow === undefined ? undefined : { key: latest.count, path: arrowPath(arrow.points) });
  }, [latest?.count]);
  if (shown === undefined) return null;
  return <circle key={shown.key} className="baton" r="5" style={{ offsetPath: `path("${shown.path}")` }} />;
}
