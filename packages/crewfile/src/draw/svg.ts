/**
 * SVG: a crew as a picture, drawn without a browser.
 *
 * Text is measured by counting, generously, since there is no font to ask; every text is escaped.
 */
import type { Crew } from "@baton/core";
import { toDiagram, type Diagram } from "./diagram.ts";
import { layOut, type LayoutPoint } from "./layout.ts";
import { drawArrow, drawCard, drawLabel, createCard, toLabelSize, type Card } from "./svg-shape.ts";
import { cut, escapeXml, roundCoordinate, widthOf } from "./svg-text.ts";

const MARGIN = 32;
/** Above the boxes: the name, and the dot where a run starts. */
const HEAD_HEIGHT = 84;
const FOOT_HEIGHT = 44;

const STYLE = `
text { font-family: ui-sans-serif, system-ui, "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; fill: #1e293b; }
.crew { font-size: 17px; font-weight: 600; }
.title { font-size: 14px; font-weight: 600; text-anchor: middle; }
.small { font-size: 11.5px; fill: #64748b; text-anchor: middle; }
.mark { font-size: 11.5px; font-weight: 600; text-anchor: middle; }
.label { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 11px; text-anchor: middle; }
.label.rule { font-style: italic; fill: #64748b; }
.legend { font-size: 11.5px; fill: #475569; }
.ground { fill: #f8fafc; }
.box { fill: #ffffff; stroke: #64748b; stroke-width: 1.4; }
.box.group { fill: #f5f3ff; stroke: #6d28d9; }
.box.program { fill: #eff6ff; stroke: #1d4ed8; }
.box.pause { fill: #fffbeb; stroke: #b45309; }
.box.crew { fill: #ecfdf5; stroke: #047857; }
.box.end { fill: #f1f5f9; }
.box.entry { stroke: #0f766e; stroke-width: 2.6; }
.box.unreachable { stroke-dasharray: 5 4; fill: #f8fafc; }
.bar { fill: none; stroke: #047857; stroke-width: 1.4; }
.ring { fill: none; stroke: #64748b; stroke-width: 1.2; }
.arrow { fill: none; stroke: #475569; stroke-width: 1.4; }
.arrow.rule { stroke-dasharray: 5 4; }
.arrow.cycle { stroke: #c2410c; }
.start { fill: #0f766e; }`;

const TIP = `markerWidth="9" markerHeight="9" refX="8" refY="4.5" orient="auto" markerUnits="userSpaceOnUse"`;
const MARKERS = `<defs><marker id="tip" ${TIP}><path d="M0 0 L9 4.5 L0 9 z" fill="#475569"/></marker>
<marker id="cycle" ${TIP}><path d="M0 0 L9 4.5 L0 9 z" fill="#c2410c"/></marker></defs>`;

/** Draws a crew as an SVG document. */
export function toSvg(crew: Crew): string {
  const diagram = toDiagram(crew);
  const cards = diagram.boxes.map((box, index) => createCard(box, findAgain(diagram, index)));
  const arrows = diagram.arrows.filter(({ from, to }) => from !== to);
  const links = arrows.map((arrow) => ({ from: arrow.from, to: arrow.to, label: toLabelSize(arrow) }));
  const sizes = cards.map(({ size }) => size);
  const { boxes, routes, ...inner } = layOut(sizes, links);
  const name = cut(diagram.name, 60);
  const legend = toLegend(diagram);
  const width = roundCoordinate(Math.max(inner.width, widthOf(name, 17), widthOf(legend, 11.5, 0.52)) + 2 * MARGIN);
  const height = roundCoordinate(HEAD_HEIGHT + inner.height + FOOT_HEIGHT);
  const left = roundCoordinate((width - inner.width) / 2);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(name)}</title>`,
    `<style>${STYLE}</style>`,
    MARKERS,
    `<rect width="${width}" height="${height}" rx="12" fill="#f8fafc"/>`,
    `<text class="crew" x="${MARGIN}" y="40">${escapeXml(name)}</text>`,
    `<g transform="translate(${left} ${HEAD_HEIGHT})">`,
    ...each(arrows, routes, drawArrow),
    ...each(cards, boxes, drawStart),
    ...each(cards, boxes, drawCard),
    ...each(arrows, routes, drawLabel),
    `</g>`,
    `<text class="legend" x="${MARGIN}" y="${height - 18}">${escapeXml(legend)}</text>`,
    `</svg>`,
    ``,
  ].join("\n");
}

/** The signals by which a box hands the baton to itself. */
function findAgain({ arrows }: Diagram, index: number): readonly string[] {
  return arrows.filter(({ from, to }) => from === index && to === index).flatMap(({ labels }) => labels);
}

function each<T, P>(things: readonly T[], places: readonly P[], draw: (thing: T, place: P) => string): string[] {
  return things.flatMap((thing, index) => {
    const place = places[index];
    return place === undefined ? [] : [draw(thing, place)];
  });
}

/** The dot where a run starts, above its entry. */
function drawStart({ box, size }: Card, { x, y }: LayoutPoint): string {
  if (!box.marks.includes("entry")) return "";
  const top = y - size.height / 2;
  const line = `M ${roundCoordinate(x)} ${roundCoordinate(top - 24)} L ${roundCoordinate(x)} ${roundCoordinate(top)}`;
  return `<circle class="start" cx="${roundCoordinate(x)}" cy="${roundCoordinate(top - 28)}" r="6"/><path class="arrow" d="${line}" marker-end="url(#tip)"/>`;
}

const LEGENDS = [
  ["group", "violet: a parallel group"],
  ["program", "blue, slanted: a program"],
  ["crew", "green, barred: a sub-crew"],
] as const;

function toLegend({ boxes, arrows, leftOut }: Diagram): string {
  const parts = [
    "● start",
    ...LEGENDS.filter(([kind]) => boxes.some((box) => box.kind === kind)).map(([, text]) => text),
    ...(arrows.some(({ isRule }) => isRule) ? ["dashed: without a signal, or on failure"] : []),
    ...(arrows.some(({ isCycle, from, to }) => isCycle && from !== to) ? ["orange: part of a cycle"] : []),
    ...(leftOut === "" ? [] : [leftOut]),
  ];
  return parts.join("   ·   ");
}
