/**
 * Graph box: one agent, group, sub-crew or end of a crew's graph. It is drawn again only if something in it changed.
 */
import type { DrawnBox } from "@baton/client";
import { memo } from "react";
import { useApp } from "../app-context.ts";
import { type AgentColors, colorClass } from "./agent-color.ts";
import type { AgentNames } from "./agent-names.ts";
import type { FitText } from "./fit-text.ts";

interface GraphBoxProps {
  readonly box: DrawnBox;
  readonly className: string;
  readonly colors: AgentColors;
  readonly names: AgentNames;
  readonly fit: FitText;
  /** Members that are working, in one text. */
  readonly working: string;
  readonly isSelected: boolean;
  /** Called when it is pressed; without it, it cannot be. */
  readonly onSelect: ((id: string) => void) | undefined;
}

const MEMBER_HEIGHT = 26;
const PADDING = 16;
/** Fonts as the style sheet has them. */
const FONTS = { name: "600 13.5px", subtitle: "400 11.5px", member: "550 12.5px" } as const;

/** What separates the members in `working`. */
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
      <rect className="ground" width={width} height={height} rx={kind === "end" ? height / 2 : 10} />
      {marks.includes("terminal") && <path className="terminal" d={`M 12 ${height + 4} H ${width - 12}`} />}
      <BoxText {...props} />
    </g>
  );
});

/** What makes a part of the drawing a button. */
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
  const { box, names, fit } = props;
  const { id, kind, width, height, marks, members } = box;
  const subtitle = kind === "group" ? words.run.atOnce(members.length) : box.subtitle;
  const name = names.get(id) ?? id;
  const room = width - PADDING - 10;
  if (kind === "end") {
    return (
      <text className="end-text" x={width / 2} y={height / 2} textAnchor="middle" dominantBaseline="central">
        {words.runPage.crew.end}
      </text>
    );
  }
  return (
    <>
      {kind !== "group" && <rect className="bar" x="0" y="10" width="3" height={height - 20} />}
      <text className="name" x={PADDING} y={subtitle === "" ? height / 2 + 4.5 : 24}>
        {fit(name, room, FONTS.name)}
      </text>
      <text className="subtitle" x={PADDING} y="42">
        {fit(subtitle, room, FONTS.subtitle)}
      </text>
      {marks.includes("pause") && (
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
function Member({ id, y, box: { width }, colors, names, fit, working }: MemberProps) {
  const { words } = useApp();
  const isActive = working.split(BETWEEN_MEMBERS).includes(id);
  const name = names.get(id) ?? id;
  const room = width - 36;
  const shown = fit(name, room, FONTS.member);
  const both = fit(`${name}  ${words.runPage.writing}`, room, FONTS.member);
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
      <text className="name" x="12" y="15">
        {shown}
      </text>
      {isActive && hasRoom && (
        <text className="doing" x={width - 24} y="15" textAnchor="end">
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
