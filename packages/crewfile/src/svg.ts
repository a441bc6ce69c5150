/**
 * SVG: a crew as a picture, drawn without a browser.
 *
 * Text is measured by counting, generously, since there is no font to ask; every text is escaped.
 * Reads: diagram, layout, svg-shape, svg-text. Read by: cli.
 */
import type { Crew } from "@baton/core";
import { toDiagram, type Arrow, type Diagram } from "./diagram.ts";
import { layOut, type Point } from "./layout.ts";
import { drawArrow, drawCard, drawLabel, toCard, toLabelSize, type Card } from "./svg-shape.ts";
import { cut, escapeXml, round, widthOf } from "./svg-text.ts";

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
.box.pause { fill: #fffbeb; stroke: #b45309; }
.box.end { fill: #f1f5f9; }
.box.entry { stroke: #0f766e; stroke-width: 2.6; }
.box.unreachable { stroke-dasharray: 5 4; fill: #f8fafc; }
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
  const cards = diagram.boxes.map((box, index) => toCard(box, findAgain(diagram, index)));
  const arrows = diagram.arrows.filter(({ from, to }) => from !== to);
  const links = arrows.map((arrow) => ({ from: arrow.from, to: arrow.to, label: toLabelSize(arrow) }));
  const layout = layOut(
    cards.map(({ size }) => size),
    links,
  );
  const legend = toLegend(diagram);
  const name = cut(diagram.name, 60);
  const width = Math.max(layout.width, widthOf(name, 17), widthOf(legend, 11.5, 0.55)) + 2 * MARGIN;
  const height = HEAD_HEIGHT + layout.height + FOOT_HEIGHT + MARGIN;
  const centres = layout.boxes.map(({ x, y }) => ({ x: x + (width - layout.width) / 2, y: y + HEAD_HEIGHT }));
  const routes = layout.routes.map((route) => route);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}" role="img">`,
    `<title>${escapeXml(name)}</title>`,
    `<style>${STYLE}</style>`,
    MARKERS,
  ].join("\n");
}
