/**
 * Layer order: the layer of each box, and the place of each item in its layer.
 *
 * An arrow that would close a cycle is laid upside down, so that all others lead down. In a layer, items are ordered
 * by the middle of their neighbours, and then moved as near to them as the widths allow.
 */

/** A thing with a size. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A box, a label, or the place where an arrow passes a layer. */
export interface Item extends Size {
  readonly layer: number;
  /** Neighbours in the layer above, and in the one below. */
  readonly above: Item[];
  readonly below: Item[];
  x: number;
  y: number;
  /** The height of its layer. */
  room: number;
}

const GAP_X = 26;
const SWEEPS = 16;

/** The layer of each box: below all boxes that lead to it, except those that would close a cycle. */
export function toLayers(count: number, links: readonly { from: number; to: number }[]): readonly number[] {
  const targets = Array.from({ length: count }, (): number[] => []);
  for (const { from, to } of links) targets[from]?.push(to);
  const state = Array.from({ length: count }, (): "new" | "open" | "done" => "new");
  const order: { box: number; down: number[] }[] = [];
  for (let box = 0; box < count; box += 1) if (state[box] === "new") visit(box);

  const layers = Array.from({ length: count }, () => 0);
  for (const { box, down } of order.toReversed()) {
    for (const to of down) layers[to] = Math.max(layers[to] ?? 0, (layers[box] ?? 0) + 1);
  }
  return layers;

  function visit(box: number): void {
    state[box] = "open";
    const down = (targets[box] ?? []).filter((to) => {
      if (state[to] === "open") return false;
      if (state[to] === "new") visit(to);
      return true;
    });
    state[box] = "done";
    order.push({ box, down });
  }
}

/** Orders the items of each row and sets their `x`, so that arrows are short and cross little. */
export function arrange(rows: readonly Item[][]): void {
  for (const row of rows) pack(row);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const isOrdering = sweep < SWEEPS / 2;
    for (const row of isDown ? rows : rows.toReversed()) {
      const wanted = new Map(row.map((item) => [item, toMiddle(item, isDown ? item.above : item.below)]));
      if (isOrdering) row.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0));
      moveTo(row, wanted);
    }
  }
  for (const row of rows)
    moveTo(row, new Map(row.map((item) => [item, toMiddle(item, [...item.above, ...item.below])])));
}

/** Side by side, in their order. */
function pack(row: readonly Item[]): void {
  let right = 0;
  for (const item of row) {
    item.x = right + item.width / 2;
    right += item.width + GAP_X;
  }
}

function toMiddle(item: Item, neighbours: readonly Item[]): number {
  if (neighbours.length === 0) return item.x;
  return neighbours.reduce((sum, { x }) => sum + x, 0) / neighbours.length;
}

/**
 * Moves the items of a row as near as possible to where they are wanted, in their order and without overlap: without
 * their widths the positions must only not decrease, and items that would are moved together to their common middle.
 */
function moveTo(row: readonly Item[], wanted: ReadonlyMap<Item, number>): void {
  const blocks: { sum: number; items: { item: Item; offset: number }[] }[] = [];
  let offset = 0;
  let before = 0;
  for (const item of row) {
    offset += before === 0 ? 0 : before + GAP_X + item.width / 2;
    before = item.width / 2;
    blocks.push({ sum: (wanted.get(item) ?? 0) - offset, items: [{ item, offset }] });
    for (let last = blocks.at(-1), prior = blocks.at(-2); last !== undefined && prior !== undefined;) {
      if (prior.sum / prior.items.length <= last.sum / last.items.length) break;
      prior.sum += last.sum;
      prior.items.push(...last.items);
      blocks.pop();
      last = blocks.at(-1);
      prior = blocks.at(-2);
    }
  }
  for (const { sum, items } of blocks) for (const one of items) one.item.x = sum / items.length + one.offset;
}
