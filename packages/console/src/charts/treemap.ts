/**
 * Treemap: rectangles as large as their weights, that fill an area without overlapping, as square as they can be.
 */

/** A rectangle for one weight. */
export interface TreemapTile {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Weight = Readonly<{ index: number; area: number }>;

/** A smaller part of the whole could not be seen. */
const LEAST = 1e-5;

/** One tile a weight that can be seen, the largest first. */
export function layOutTiles(weights: readonly number[], width: number, height: number): readonly TreemapTile[] {
  const all = weights.reduce((total, weight) => total + Math.max(0, weight), 0);
  const seen = weights.flatMap((weight, index) => (weight > all * LEAST ? [{ index, weight }] : []));
  const sum = seen.reduce((total, { weight }) => total + weight, 0);
  if (sum <= 0 || width <= 0 || height <= 0) return [];
  const sorted = seen
    .map(({ weight, index }) => ({ index, area: (weight / sum) * width * height }))
    .toSorted((one, other) => other.area - one.area);
  const tiles: TreemapTile[] = [];
  let free: Area = { x: 0, y: 0, width, height };
  let from = 0;
  while (from < sorted.length) {
    const row = takeRow(sorted.slice(from), Math.min(free.width, free.height));
    free = placeRow(row, free, tiles);
    from += row.length;
  }
  return tiles;
}

/** As many weights as make the worst tile of the row no worse. */
function takeRow(weights: readonly Weight[], side: number): readonly Weight[] {
  let count = 1;
  while (
    count < weights.length &&
    worstOf(weights.slice(0, count + 1), side) <= worstOf(weights.slice(0, count), side)
  ) {
    count++;
  }
  return weights.slice(0, count);
}

/** The worst ratio of sides in a row of tiles. */
function worstOf(row: readonly Weight[], side: number): number {
  const sum = row.reduce((total, { area }) => total + area, 0);
  const depth = sum / side;
  return Math.max(...row.map(({ area }) => Math.max(depth ** 2 / area, area / depth ** 2)));
}

/** Lays a row along the shorter side; gives what is left. */
function placeRow(row: readonly Weight[], free: Area, tiles: TreemapTile[]): Area {
  const sum = row.reduce((total, { area }) => total + area, 0);
  const isTall = free.width >= free.height;
  const depth = isTall ? sum / free.height : sum / free.width;
  let at = 0;
  for (const { index, area } of row) {
    const length = area / depth;
    tiles.push(
      isTall
        ? { index, x: free.x, y: free.y + at, width: depth, height: length }
        : { index, x: free.x + at, y: free.y, width: length, height: depth },
    );
    at += length;
  }
  if (isTall) return { ...free, x: free.x + depth, width: Math.max(0, free.width - depth) };
  return { ...free, y: free.y + depth, height: Math.max(0, free.height - depth) };
}
