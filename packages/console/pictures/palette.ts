/**
 * Palette: at most 256 colours that stand for all colours of some pictures: the frequent ones as they are, rare ones by
 * the nearest of them.
 */
import type { IndexedPicture, Picture } from "./png.ts";

const MOST = 256;
/** The distances allowed between a colour and the one that stands for it, from none on: squared distance in RGB. */
const FAR = [0, 3, 12, 27, 48, 108, 192, 432, 768, 1_728, 4_000, 200_000];

/** Colours of pictures, three bytes each, and the pictures as numbers of them. */
export interface Reduced {
  readonly palette: Uint8Array;
  readonly pictures: readonly IndexedPicture[];
}

/** Reduces pictures to one palette. */
export function reduce(pictures: readonly Picture[]): Reduced {
  const counts = new Map<number, number>();
  for (const { pixels } of pictures) {
    for (let at = 0; at < pixels.length; at += 3) {
      const color = colorAt(pixels, at);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  }
  const colors = [...counts].toSorted(([, a], [, b]) => b - a).map(([color]) => color);
  const chosen = choose(colors);
  const nearest = new Map(colors.map((color) => [color, nearestOf(chosen, color).index]));
  return {
    palette: Uint8Array.from(chosen.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255])),
    pictures: pictures.map(({ width, height, pixels }) => {
      const indexes = new Uint8Array(width * height);
      for (let pixel = 0; pixel < indexes.length; pixel++) {
        indexes[pixel] = nearest.get(colorAt(pixels, pixel * 3)) ?? 0;
      }
      return { width, height, indexes };
    }),
  };
}

function colorAt(pixels: Uint8Array, at: number): number {
  return ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
}

/** The fewest steps away at which the colours fit into a palette; frequent colours come first. */
function choose(colors: readonly number[]): readonly number[] {
  for (const far of FAR) {
    const chosen = cover(colors, far);
    if (chosen !== undefined) return chosen;
  }
  return colors.slice(0, MOST);
}

/** Colours such that each is at most so far from one of them; undefined if they are too many. */
function cover(colors: readonly number[], far: number): readonly number[] | undefined {
  if (far === 0) return colors.length <= MOST ? colors : undefined;
  const chosen: number[] = [];
  for (const color of colors) {
    if (chosen.length > 0 && nearestOf(chosen, color).distance <= far) continue;
    if (chosen.length === MOST) return undefined;
    chosen.push(color);
  }
  return chosen;
}

function nearestOf(colors: readonly number[], wanted: number): Readonly<{ index: number; distance: number }> {
  let best = { index: 0, distance: Number.POSITIVE_INFINITY };
  for (const [index, color] of colors.entries()) {
    const red = (color >> 16) - (wanted >> 16);
    const green = ((color >> 8) & 255) - ((wanted >> 8) & 255);
    const blue = (color & 255) - (wanted & 255);
    const distance = red * red + green * green + blue * blue;
    if (distance < best.distance) best = { index, distance };
    if (distance === 0) break;
  }
  return best;
}
