/**
 * Layout: where the boxes and arrows of a diagram go, in layers from top to bottom.
 *
 * Boxes are in every other layer; the layers between hold the labels. A label, and each layer an arrow passes, is
 * an item with a width like a box, so nothing can overlap: in a layer, items are always side by side.
 */
import { arrange, toLayers, type Item, type Size } from "./layer-order.ts";

/** An arrow to lay out, with the size of its label; it leads to another box. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly label: Size;
}

/** A point of a picture. */
export interface LayoutPoint {
  readonly x: number;
  readonly y: number;
}

/** Where an arrow goes: through these points, with its label around one. */
export interface ArrowRoute {
  readonly points: readonly LayoutPoint[];
  readonly label: LayoutPoint;
}

/** Where everything goes; boxes by their centres. */
export interface Layout extends Size {
  readonly boxes: readonly LayoutPoint[];
  readonly routes: readonly ArrowRoute[];
}

const GAP_Y = 22;
/** Growth of a gap for each pixel that an arrow goes sideways in it; `MAX_GAP_Y` is its limit. */
const SLOPE = 0.12;
const MAX_GAP_Y = 70;
const PASS: Size = { width: 10, height: 16 };
/** The largest distance between two arrows at a box. */
const PORT_GAP = 26;

/** Lays out boxes and the arrows between them. */
export function layOut(boxes: readonly Size[], links: readonly Link[]): Layout {
  const layers = toLayers(boxes.length, links);
  const nodes = boxes.map((size, index) => toItem(size, 2 * (layers[index] ?? 0)));
  const chains = links.map((link) => toChain(link, nodes));
  const items = [...nodes, ...chains.flatMap(({ items: own }) => own)];
  const rows = toRows(items);
  arrange(rows);
  const height = stack(rows);
  const left = items.reduce((least, { x, width }) => Math.min(least, x - width / 2), Infinity);
  for (const item of items) item.x -= left;
  return {
    width: items.reduce((most, { x, width }) => Math.max(most, x + width / 2), 0),
    height,
    boxes: nodes.map(toPoint),
    routes: chains.map((chain) => toRoute(chain)),
  };
}

/** The items of one arrow, from the upper box to the lower one. */
interface Chain {
  readonly upper: Item;
  readonly lower: Item;
  readonly items: readonly Item[];
  readonly label: Item;
  readonly isUpward: boolean;
}

function toItem(size: Size, layer: number): Item {
  return { ...size, layer, above: [], below: [], x: 0, y: 0, room: 0 };
}

function toChain({ from, to, label }: Link, nodes: readonly Item[]): Chain {
  const source = nodes[from] ?? toItem(PASS, 0);
  const target = nodes[to] ?? source;
  const isUpward = source.layer > target.layer;
  const [upper, lower] = isUpward ? [target, source] : [source, target];
  // The label is next to the arrow's start, which shows whose signal it is.
  const labelled = toItem(label, isUpward ? lower.layer - 1 : upper.layer + 1);
  const items: Item[] = [];
  for (let layer = upper.layer + 1; layer < lower.layer; layer += 1) {
    items.push(layer === labelled.layer ? labelled : toItem(PASS, layer));
  }
  const all = [upper, ...items, lower];
  for (const [index, item] of all.entries()) {
    const below = all[index + 1];
    if (below === undefined) continue;
    item.below.push(below);
    below.above.push(item);
  }
  return { upper, lower, items, label: labelled, isUpward };
}

function toRows(items: readonly Item[]): Item[][] {
  const rows: Item[][] = [];
  for (const item of items) {
    const row = rows[item.layer];
    if (row === undefined) rows[item.layer] = [item];
    else row.push(item);
  }
  return Array.from(rows, (row) => row ?? []);
}

/** Stacks the rows; returns the height of all. */
function stack(rows: readonly (readonly Item[])[]): number {
  let top = 0;
  for (const row of rows) {
    top += toGap(row);
    const room = row.reduce((most, item) => Math.max(most, item.height), 0);
    for (const item of row) {
      item.room = room;
      item.y = top + room / 2;
    }
    top += room;
  }
  return top;
}

/** The gap above a row: the higher, the further its arrows come from the side. */
function toGap(row: readonly Item[]): number {
  const aside = row.flatMap(({ x, above }) => above.map((item) => Math.abs(item.x - x)));
  if (aside.length === 0) return 0;
  const furthest = aside.reduce((most, one) => Math.max(most, one));
  return Math.min(MAX_GAP_Y, GAP_Y + SLOPE * furthest);
}

function toRoute({ upper, lower, items, label, isUpward }: Chain): ArrowRoute {
  const first = items[0] ?? lower;
  const last = items.at(-1) ?? upper;
  const down = [
    { x: toPort(upper, upper.below, first), y: upper.y + upper.height / 2 },
    // Straight through the layer, so that an arrow turns only between layers and meets no box.
    ...items.flatMap(({ x, y, room }) => [
      { x, y: y - room / 2 },
      { x, y: y + room / 2 },
    ]),
    { x: toPort(lower, lower.above, last), y: lower.y - lower.height / 2 },
  ];
  return { points: isUpward ? down.toReversed() : down, label: toPoint(label) };
}

/** Where on a side of a box the arrow by way of `next` meets it: in the order of its neighbours. */
function toPort(box: Item, neighbours: readonly Item[], next: Item): number {
  const order = neighbours.toSorted((one, other) => one.x - other.x);
  const gap = Math.min(PORT_GAP, box.width / (order.length + 1));
  return box.x + (order.indexOf(next) - (order.length - 1) / 2) * gap;
}

function toPoint({ x, y }: Item): LayoutPoint {
  return { x, y };
}
