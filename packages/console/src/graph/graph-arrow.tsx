/**
 * Graph arrow: a way of a crew's graph with its label, and how often the baton went there. Drawn again only if that
 * changed.
 */
import type { DrawnArrow } from "@baton/client";
import { memo } from "react";
import { useApp } from "../app-context.ts";
import type { AgentNames } from "./agent-names.ts";
import { arrowPath } from "./arrow-path.ts";
import { NAME_SIZE, toButton } from "./graph-box.tsx";
import { READ_SIZE } from "./graph-size.ts";
import { arrowLabelText } from "./arrow-label-text.ts";

interface ArrowProps {
  readonly arrow: DrawnArrow;
  /** The ends of the arrow; the end of the crew has no name. */
  readonly from: string;
  readonly to: string;
  /** The number of handoffs along it; undefined if no run is shown. */
  readonly count: number | undefined;
  /** Called with a way that the baton went. */
  readonly onSelectWay: ((from: string, to: string) => void) | undefined;
}

const LABEL_HEIGHT = 16;
const MAX_LABELS = 6;
/** About the width of a character of a label. */
const CHARACTER = 6.7;

/** The line of a way. */
export const GraphArrow = memo(function Arrow({ arrow, from, to, count, onSelectWay }: ArrowProps) {
  const isTaken = count !== undefined && count > 0;
  const path = arrowPath(arrow.points);
  return (
    <>
      <path className={classOf("arrow", arrow, count)} d={path} markerEnd={isTaken ? "url(#tip-taken)" : "url(#tip)"} />
      {isTaken && onSelectWay !== undefined && (
        <path className="arrow-hit" d={path} aria-hidden onClick={() => onSelectWay(from, to)} />
      )}
    </>
  );
});

interface LabelProps extends ArrowProps {
  readonly names: AgentNames;
  /** The size of names; beside large ones labels cannot be read, and only the count is shown. */
  readonly nameSize: number;
}

/** The label of an arrow: signals, conditions or a rule. */
export const GraphArrowLabel = memo(function ArrowLabel(props: LabelProps) {
  const { arrow, from, to, count, names, nameSize, onSelectWay } = props;
  const { words } = useApp();
  const { label } = arrow;
  const labels = arrow.labels.map((one) => arrowLabelText(words, one));
  const shown = labels.slice(0, MAX_LABELS);
  const lines = labels.length > shown.length ? [...shown, `+${labels.length - shown.length}`] : shown;
  const top = label.y - ((lines.length - 1) * LABEL_HEIGHT) / 2;
  const isTaken = count !== undefined && count > 0;
  const written = nameSize > NAME_SIZE ? [] : lines;
  const bottom = written.length === 0 ? label.y : top + (lines.length - 1) * LABEL_HEIGHT;
  const { happened, theEnd, times } = words.runPage;
  const way = happened.handoff(names.get(from) ?? from, to === "" ? theEnd : (names.get(to) ?? to));
  const button = isTaken && onSelectWay !== undefined ? toButton(() => onSelectWay(from, to)) : { role: "img" };
  return (
    <g className={classOf("arrow-label", arrow, count)} data-from={from} data-to={to} data-count={count} {...button}>
      <title>{`${lines.join(", ")}: ${way}${isTaken ? `, ${times(count)}` : ""}`}</title>
      {written.map((line, index) => (
        <text key={line} x={label.x} y={top + index * LABEL_HEIGHT} textAnchor="middle" dominantBaseline="central">
          {line}
        </text>
      ))}
      {isTaken && (
        <Count
          count={count}
          x={label.x + widthOf(written)}
          y={bottom}
          scale={nameSize > NAME_SIZE ? nameSize / READ_SIZE : 1}
        />
      )}
    </g>
  );
});

function classOf(name: string, { is_rule: isRule }: DrawnArrow, count: number | undefined): string {
  const isTaken = count !== undefined && count > 0;
  return [name, isRule && "rule", isTaken && "taken", count === 0 && "still"].filter(Boolean).join(" ");
}

/** The number of handoffs, beside the last line of a label. */
function Count({ count, x, y, scale }: Readonly<Record<"count" | "x" | "y" | "scale", number>>) {
  const width = 12 + String(count).length * 6;
  return (
    <g className="count" transform={`translate(${x + 6} ${y}) scale(${scale})`}>
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
