/**
 * Graph box: one agent, group, sub-crew or end of a crew's graph. It is drawn again only if something in it changed.
 */
import type { DrawnBox } from "@baton/client";
import { memo } from "react";
import { useApp } from "../app-context.ts";
import { type AgentColors, colorClass } from "./agent-color.ts";
import type { AgentNames } from "./agent-names.ts";
import type { FitText } from "./fit-text.ts";
import { LARGEST_MEMBER } from "./graph-size.ts";

interface GraphBoxProps {
  readonly box: DrawnBox;
  readonly className: string;
  readonly colors: AgentColors;
  readonly names: AgentNames;
  readonly fit: FitText;
  /** The size of its name; a larger one leaves no room for anything else. */
  readonly nameSize: number;
  /** Members that are working, in one text. */
  readonly working: string;
  readonly isSelected: boolean;
  /** Called when it is pressed; without it, it cannot be. */
  readonly onSelect: ((id: string) => void) | undefined;
}

const MEMBER_HEIGHT = 26;
const PADDING = 16;
/** Fonts as the style sheet has them. */
const FONTS = { subtitle: "400 11.5px" } as const;
const MEMBER_SIZE = 12.5;
const END_SIZE = 11.5;
/** Where the members of a group begin. */
const GROUP_HEAD = 48;

/** The width of the glow. */
const GLOWS = [6, 3] as const;

/** The size of names that stand beside other texts. */
export const NAME_SIZE = 13.5;

/** Separates the members in `working`. */
export const BETWEEN_MEMBERS = "\n";

/** One box. */
export const GraphBox = memo(function GraphBox(props: GraphBoxProps) {
  const { box, className, names, isSelected, onSelect } = props;
  const { id, kind, x, y, width, height, marks } = box;
  const isButton = onSelect !== undefined && kind !== "end";
  const pressed = { ...toButton(() => onSelect?.(id)), "aria-pressed": isSelected };
  const name = names.get(id) ?? id;
  return (
    <g className={className} data-box={id} transform={`translate(${x} ${y})`} {...(isButton ? pressed : {})}>
      {name !== id && <title>{`${name} (${id})`}</title>}
      {marks.includes("entry") && <Start width={width} />}
      <Glow width={width} height={height} />
      <rect className="ground" width={width} height={height} rx={kind === "end" ? height / 2 : 10} />
      {marks.includes("terminal") && <path className="terminal" d={`M 12 ${height + 4} H ${width - 12}`} />}
      <BoxText {...props} />
    </g>
  );
});

/** Around what has the baton: two lines that get paler, because a blur costs more than all the rest of the graph. */
function Glow({ width, height }: Readonly<Record<"width" | "height", number>>) {
  return (
    <g className="glow">
      {GLOWS.map((by) => (
        <rect key={by} x={-by} y={-by} width={width + 2 * by} height={height + 2 * by} rx={10 + by} />
      ))}
    </g>
  );
}

/** Returns the properties that make a part of the drawing a button. */
export function toButton(press: () => void) {
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

function BoxText(props: GraphBoxProps) {
  const { words } = useApp();
  const { box, names, fit, nameSize } = props;
  const { id, kind, width, height, marks, members } = box;
  const isFar = nameSize > NAME_SIZE;
  const about = kind === "group" ? words.run.atOnce(members.length) : box.subtitle;
  const subtitle = isFar ? "" : about;
  const name = names.get(id) ?? id;
  const room = width - PADDING - 10;
  const size = nameSize;
  const middle = (kind === "group" ? Math.min(GROUP_HEAD, height) : height) / 2;
  if (kind === "end") {
    const { end } = words.runPage.crew;
    const endSize = isFar ? nameSize : END_SIZE;
    if (fit(end, width - 12, `400 ${endSize}px`) !== end) return null;
    return (
      <text
        className="end-text"
        x={width / 2}
        y={height / 2}
        fontSize={endSize}
        textAnchor="middle"
        dominantBaseline="central"
      >
        {end}
      </text>
    );
  }
  return (
    <>
      {kind !== "group" && <rect className="bar" x="0" y="10" width="3" height={height - 20} />}
      <text className="name" x={PADDING} y={subtitle === "" ? middle + size / 3 : 24} fontSize={size}>
        {fit(name, room, `600 ${size}px`)}
      </text>
      <text className="subtitle" x={PADDING} y="42">
        {fit(subtitle, room, FONTS.subtitle)}
      </text>
      {marks.includes("pause") && !isFar && (
        <text className="mark" x={PADDING} y="62">
          {words.runPage.waitsForYou}
        </text>
      )}
      {members.map((member, index) => (
        <Member key={member} id={member} y={height - (members.length - index) * MEMBER_HEIGHT} {...props} />
      ))}
    </>
  );
}

type MemberProps = GraphBoxProps & Readonly<{ id: string; y: number }>;

/** A member of a group; while it works that is written beside its name if there is room. */
function Member({ id, y, box: { width }, colors, names, fit, nameSize, working }: MemberProps) {
  const { words } = useApp();
  const isActive = working.split(BETWEEN_MEMBERS).includes(id);
  const name = names.get(id) ?? id;
  const room = width - 36;
  const size = nameSize > NAME_SIZE ? Math.min(nameSize, LARGEST_MEMBER) : MEMBER_SIZE;
  const shown = fit(name, room, `550 ${size}px`);
  const both = fit(`${name}  ${words.runPage.writing}`, room, `550 ${size}px`);
  const hasRoom = both === `${name}  ${words.runPage.writing}`;
  return (
    <g
      className={["member", colorClass(colors, id), isActive ? "active" : ""].join(" ")}
      data-member={id}
      transform={`translate(8 ${y})`}
    >
      {name !== id && <title>{`${name} (${id})`}</title>}
      <rect className="ground" width={width - 16} height={MEMBER_HEIGHT - 4} rx="6" />
      <rect className="bar" x="0" y="4" width="3" height={MEMBER_HEIGHT - 12} />
      {nameSize <= LARGEST_MEMBER && (
        <text className="name" x="12" y={11 + size / 3} fontSize={size}>
          {shown}
        </text>
      )}
      {isActive && hasRoom && nameSize === NAME_SIZE && (
        <text className="doing" x={width - 24} y={11 + size / 3} textAnchor="end">
          {words.runPage.writing}
        </text>
      )}
    </g>
  );
}

/** The dot that a run starts at. */
function Start({ width }: { readonly width: number }) {
  return (
    <>
      <circle className="start" cx={width / 2} cy="-30" r="5" />
      <path className="arrow taken" d={`M ${width / 2} -25 V -2`} markerEnd="url(#tip-taken)" />
    </>
  );
}
