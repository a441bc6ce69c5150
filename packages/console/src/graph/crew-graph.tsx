/**
 * Crew graph: a crew's boxes and arrows as the server laid them out, and what of them is alive in a run.
 */
import type { CrewDrawing, DrawnArrow, DrawnBox } from "@baton/client";
import { useEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { toPath } from "./arrow-path.ts";
import { type AgentColors, colorClass } from "./agent-color.ts";
import { type GraphMoment, wayOf } from "./graph-moment.ts";
import "./crew-graph.css";

interface CrewGraphProps {
  readonly drawing: CrewDrawing;
  readonly colors: AgentColors;
  /** Names of agents, for people. */
  readonly names: ReadonlyMap<string, string>;
  /** What is alive; without it the crew is drawn at rest. */
  readonly moment?: GraphMoment;
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
  /** Called with a way that the baton went. */
  readonly onSelectWay?: (from: string, to: string) => void;
  readonly label: string;
}

const MARGIN = 24;
const HEAD = 40;
const MEMBER_HEIGHT = 26;
const LABEL_HEIGHT = 16;
const MAX_LABELS = 6;
/** About the width of a character of a label. */
const CHARACTER = 6.7;
/** A drawing is not made larger than this, nor so small that it cannot be read. */
const MAX_SCALE = 1;
const MIN_SCALE = 0.78;

/** Draws a crew. */
export function CrewGraph(props: CrewGraphProps) {
  const { drawing, label } = props;
  const { boxes, arrows, width, height } = drawing;
  const size = { width: width + 2 * MARGIN, height: height + HEAD + MARGIN };
  const viewBox = `${-MARGIN} ${-HEAD} ${size.width} ${size.height}`;
  const style = {
    maxWidth: size.width * MAX_SCALE,
    maxHeight: size.height * MAX_SCALE,
    minWidth: Math.round(size.width * MIN_SCALE),
  };
  return (
    <svg className="crew-graph" viewBox={viewBox} role="group" aria-label={label} style={style}>
      <defs>
        <marker id="tip" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">
          <path d="M0 0 L8 4 L0 8 z" className="tip" />
        </marker>
        <marker
          id="tip-taken"
          markerUnits="userSpaceOnUse"
          markerWidth="8"
          markerHeight="8"
          refX="7"
          refY="4"
          orient="auto"
        >
          <path d="M0 0 L8 4 L0 8 z" className="tip taken" />
        </marker>
      </defs>
      {arrows.map((arrow) => (
        <Arrow key={`${arrow.from} ${arrow.to}`} arrow={arrow} {...props} />
      ))}
      {boxes.map((box) => (
        <Box key={`${box.kind} ${box.id}`} box={box} {...props} />
      ))}
      {arrows.map((arrow) => (
        <ArrowLabel key={`${arrow.from} ${arrow.to}`} arrow={arrow} {...props} />
      ))}
      <Baton {...props} />
    </svg>
  );
}

type ArrowProps = Pick<CrewGraphProps, "drawing" | "moment" | "onSelectWay"> & { readonly arrow: DrawnArrow };

/** How often the baton went this way; undefined if no run is shown. */
function countOf(props: ArrowProps): number | undefined {
  const { from, to } = waysOf(props);
  return props.moment === undefined ? undefined : (props.moment.counts.get(wayOf(from, to)) ?? 0);
}

/** What an arrow goes from and to; the end has no name. */
function waysOf({ arrow, drawing }: ArrowProps): Readonly<Record<"from" | "to", string>> {
  const from = drawing.boxes[arrow.from]?.id ?? "";
  const to = drawing.boxes[arrow.to];
  return { from, to: to === undefined || to.kind === "end" ? "" : to.id };
}

function Arrow(props: ArrowProps) {
  const { arrow } = props;
  const count = countOf(props);
  const isTaken = count !== undefined && count > 0;
  const classes = ["arrow", arrow.is_rule && "rule", isTaken && "taken", count === 0 && "still"].filter(Boolean);
  const path = toPath(arrow.points);
  const { from, to } = waysOf(props);
  const { onSelectWay } = props;
  return (
    <>
      <path className={classes.join(" ")} d={path} markerEnd={isTaken ? "url(#tip-taken)" : "url(#tip)"} />
      {isTaken && onSelectWay !== undefined && (
        <path className="arrow-hit" d={path} onClick={() => onSelectWay(from, to)} />
      )}
    </>
  );
}

function ArrowLabel(props: ArrowProps) {
  const { words } = useApp();
  const { arrow } = props;
  const { label, labels } = arrow;
  const count = countOf(props);
  const shown = labels.slice(0, MAX_LABELS);
  const lines = labels.length > shown.length ? [...shown, `+${labels.length - shown.length}`] : shown;
  const top = label.y - ((lines.length - 1) * LABEL_HEIGHT) / 2;
  const isTaken = count !== undefined && count > 0;
  const classes = ["arrow-label", arrow.is_rule && "rule", isTaken && "taken", count === 0 && "still"].filter(Boolean);
  const { from, to } = waysOf(props);
  return (
    <g className={classes.join(" ")} data-from={from} data-to={to} data-count={count} {...toWayButton(props)}>
      <title>{`${lines.join(", ")}: ${words.runPage.happened.handoff(from, to)} (${count ?? 0})`}</title>
      {lines.map((line, index) => (
        <text key={line} x={label.x} y={top + index * LABEL_HEIGHT} textAnchor="middle" dominantBaseline="central">
          {line}
        </text>
      ))}
      {isTaken && <Count count={count} x={label.x + widthOf(lines)} y={top + (lines.length - 1) * LABEL_HEIGHT} />}
    </g>
  );
}

/** A way that the baton went can be pressed. */
function toWayButton(props: ArrowProps) {
  const { onSelectWay } = props;
  const { from, to } = waysOf(props);
  return onSelectWay === undefined || (countOf(props) ?? 0) === 0 ? {} : toButton(() => onSelectWay(from, to));
}

/** What makes a part of the drawing a button. */
function toButton(press: () => void) {
  return {
    role: "button",
    tabIndex: 0,
    onClick: press,
    onKeyDown: (event: { key: string; preventDefault: () => void }) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press();
    },
  };
}

/** How often, beside the last line of a label. */
function Count({ count, x, y }: Readonly<{ count: number; x: number; y: number }>) {
  const width = 12 + String(count).length * 6;
  return (
    <g className="count" transform={`translate(${x + 6} ${y})`}>
      <rect x="0" y="-8" width={width} height="16" rx="8" />
      <text x={width / 2} y="0.5" textAnchor="middle" dominantBaseline="central">
        {count}
      </text>
    </g>
  );
}

/** Half of what the last line of a label takes. */
function widthOf(lines: readonly string[]): number {
  return ((lines.at(-1)?.length ?? 0) * CHARACTER) / 2;
}

/** The baton travels along the arrow of a handoff that has just been made. */
function Baton({ drawing, moment }: Pick<CrewGraphProps, "drawing" | "moment">) {
  const latest = moment?.latest;
  const before = useRef(latest?.count ?? 0);
  const isNew = latest !== undefined && latest.count > before.current;
  useEffect(() => {
    before.current = latest?.count ?? 0;
  }, [latest?.count]);
  const [shown, setShown] = useState<Readonly<{ key: number; path: string }>>();
  useEffect(() => {
    if (!isNew) return;
    const arrow = drawing.arrows.find(
      ({ from, to }) => drawing.boxes[from]?.id === latest.from && drawing.boxes[to]?.id === latest.to,
    );
    setShown(arrow === undefined ? undefined : { key: latest.count, path: toPath(arrow.points) });
  }, [latest?.count]);
  if (shown === undefined) return null;
  return <circle key={shown.key} className="baton" r="5" style={{ offsetPath: `path("${shown.path}")` }} />;
}

type BoxProps = Pick<CrewGraphProps, "colors" | "names" | "moment" | "selected" | "onSelect"> & {
  readonly box: DrawnBox;
};

function Box(props: BoxProps) {
  const { box, onSelect, selected } = props;
  const { id, kind, x, y, width, height, marks } = box;
  const isButton = onSelect !== undefined && kind !== "end";
  const pressed = { ...toButton(() => onSelect?.(id)), "aria-pressed": selected === id };
  return (
    <g className={classOf(props)} data-box={id} transform={`translate(${x} ${y})`} {...(isButton ? pressed : {})}>
      {marks.includes("entry") && <Start width={width} />}
      <rect className="ground" width={width} height={height} rx={kind === "end" ? height / 2 : 10} />
      {marks.includes("terminal") && <path className="terminal" d={`M 12 ${height + 4} H ${width - 12}`} />}
      <BoxText {...props} />
    </g>
  );
}

function classOf({ box: { id, kind, marks }, colors, moment, selected }: BoxProps): string {
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
    selected === id && "selected",
    ...marks,
  ];
  return classes.filter(Boolean).join(" ");
}

function BoxText({ box, colors, names, moment }: BoxProps) {
  const { words } = useApp();
  const { id, kind, width, height, marks, members } = box;
  const subtitle = kind === "group" ? words.run.atOnce(members.length) : box.subtitle;
  const name = names.get(id) ?? id;
  if (kind === "end") {
    return (
      <text className="end-text" x={width / 2} y={height / 2} textAnchor="middle" dominantBaseline="central">
        {name}
      </text>
    );
  }
  return (
    <>
      {kind !== "group" && <rect className="bar" x="0" y="10" width="3" height={height - 20} />}
      <text className="name" x="16" y={subtitle === "" ? height / 2 + 4.5 : 24}>
        {cut(name, width - 28, 7.6)}
      </text>
      <text className="subtitle" x="16" y="42">
        {cut(subtitle, width - 28, 6.4)}
      </text>
      {marks.includes("pause") && (
        <text className="mark" x="16" y="62">
          {words.runPage.waitsForYou}
        </text>
      )}
      {members.map((member, index) => (
        <Member
          key={member}
          id={member}
          name={names.get(member) ?? member}
          width={width}
          y={height - (members.length - index) * MEMBER_HEIGHT}
          colors={colors}
          isActive={moment?.members.has(wayOf(id, member)) === true}
        />
      ))}
    </>
  );
}

interface MemberProps {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly y: number;
  readonly colors: AgentColors;
  readonly isActive: boolean;
}

function Member({ id, name, width, y, colors, isActive }: MemberProps) {
  const { words } = useApp();
  return (
    <g
      className={["member", colorClass(colors, id), isActive ? "active" : ""].join(" ")}
      data-member={id}
      transform={`translate(8 ${y})`}
    >
      <rect className="ground" width={width - 16} height={MEMBER_HEIGHT - 4} rx="6" />
      <rect className="bar" x="0" y="4" width="3" height={MEMBER_HEIGHT - 12} />
      <text className="name" x="12" y="15">
        {cut(name, isActive ? width - 92 : width - 36, 7)}
      </text>
      {isActive && (
        <text className="doing" x={width - 24} y="15" textAnchor="end">
          {words.runPage.writing}
        </text>
      )}
    </g>
  );
}

/** The dot where a run starts. */
function Start({ width }: { readonly width: number }) {
  return (
    <>
      <circle className="start" cx={width / 2} cy="-30" r="5" />
      <path className="arrow taken" d={`M ${width / 2} -25 V -2`} markerEnd="url(#tip-taken)" />
    </>
  );
}

/** As much of a text as fits, by counting. */
function cut(text: string, width: number, each: number): string {
  const most = Math.max(3, Math.floor(width / each));
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
