/**
 * Drawing: a crew as boxes and arrows with their places, for pages that draw it themselves.
 *
 * Sizes fit cards with a name, a line below it and rows of members; text is measured by counting, generously.
 */
import type { Crew } from "@baton/core";
import { membersOf as toMembers } from "../check/graph.ts";
import { type Arrow, type Box, toDiagram } from "./diagram.ts";
import type { Size } from "./layer-order.ts";
import { layOut, type LayoutPoint } from "./layout.ts";
import { widthOf } from "./svg-text.ts";

/** A box, by its upper left corner. */
export interface DrawnBox extends Pick<Box, "kind" | "subtitle" | "marks">, Size, LayoutPoint {
  readonly id: string;
  /** Of a group. */
  readonly members: readonly string[];
  /** Signals by which it keeps the baton. */
  readonly again: readonly string[];
}

/** An arrow between two boxes, by their positions in the list. */
export interface DrawnArrow extends Arrow {
  readonly points: readonly LayoutPoint[];
  /** The middle of its labels. */
  readonly label: LayoutPoint;
}

/** A crew as it is drawn. */
export interface Drawing extends Size {
  readonly boxes: readonly DrawnBox[];
  readonly arrows: readonly DrawnArrow[];
  /** A sentence about the parts that are not drawn because there are too many; empty if everything is drawn. */
  readonly leftOut: string;
}

const MIN_WIDTH = 132;
const MAX_WIDTH = 220;
const PADDING = 36;
const HEIGHT = 56;
const CHIP_HEIGHT = 22;
const MEMBER_HEIGHT = 26;
const END: Size = { width: 64, height: 32 };
const LABEL_HEIGHT = 16;
const LABEL_PADDING = 12;
const MAX_LABELS = 6;
const MAX_LABEL_WIDTH = 240;

/** Lays a crew out. */
export function toDrawing(crew: Crew): Drawing {
  const { boxes, arrows, leftOut } = toDiagram(crew);
  const sizes = boxes.map((box) => toSize(box, crew));
  const between = arrows.filter(({ from, to }) => from !== to);
  const links = between.map(({ from, to, labels }) => ({ from, to, label: toLabelSize(labels) }));
  const { boxes: centres, routes, width, height } = layOut(sizes, links);
  return {
    width,
    height,
    boxes: boxes.map((box, index) => {
      const size = sizes[index] ?? END;
      const { x, y } = centres[index] ?? { x: 0, y: 0 };
      const again = arrows.filter(({ from, to }) => from === index && to === index).flatMap(({ labels }) => labels);
      const { kind, title: id, subtitle, marks } = box;
      const members = membersOf(box, crew);
      return { id, kind, subtitle, marks, members, again, x: x - size.width / 2, y: y - size.height / 2, ...size };
    }),
    arrows: between.flatMap((arrow, index) => {
      const route = routes[index];
      return route === undefined ? [] : [{ ...arrow, points: route.points, label: route.label }];
    }),
    leftOut,
  };
}

function membersOf({ kind, title }: Box, { groups }: Crew): readonly string[] {
  const group = kind === "group" ? groups.get(title) : undefined;
  return group === undefined ? [] : toMembers(group);
}

function toSize(box: Box, crew: Crew): Size {
  if (box.kind === "end") return END;
  const members = membersOf(box, crew);
  const widest = Math.max(
    widthOf(box.title, 13.5),
    widthOf(nameOf(box.title, crew), 13.5),
    box.kind === "group" ? 0 : widthOf(box.subtitle, 11.5),
    ...members.flatMap((member) => [widthOf(member, 12.5), widthOf(nameOf(member, crew), 12.5)]),
  );
  const hasChip = box.marks.includes("pause") || box.marks.includes("unreachable");
  return {
    width: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, widest + PADDING))),
    height: HEIGHT + (hasChip ? CHIP_HEIGHT : 0) + members.length * MEMBER_HEIGHT,
  };
}

/** The agent's name, which pages show instead of its id. */
function nameOf(id: string, { agents }: Crew): string {
  return agents.get(id)?.name ?? id;
}

function toLabelSize(labels: readonly string[]): Size {
  const shown = labels.slice(0, MAX_LABELS);
  const widest = shown.reduce((most, label) => Math.max(most, widthOf(label, 11)), 0);
  const lines = shown.length + (labels.length > shown.length ? 1 : 0);
  return { width: Math.min(MAX_LABEL_WIDTH, widest) + LABEL_PADDING, height: lines * LABEL_HEIGHT };
}
