/**
 * APNG: an animation as a PNG file that every browser plays: each frame holds only the part that changed.
 */
import { type PngChunk, pngHeader, type IndexedPicture, packRows, toUint32, writeChunks } from "./png.ts";

/** A frame, and how long it is shown. */
export interface ApngFrame {
  readonly picture: IndexedPicture;
  readonly ms: number;
}

interface Part extends IndexedPicture {
  readonly x: number;
  readonly y: number;
  readonly ms: number;
}

/** Writes frames of one size and one palette; they repeat for ever. Throws without a frame. */
export function writeApng(frames: readonly ApngFrame[], palette: Uint8Array): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error("an animation has at least one frame");
  const parts = toParts(frames);
  const chunks: PngChunk[] = [
    ...pngHeader(first.picture, palette),
    { type: "acTL", data: Buffer.concat([toUint32(parts.length), toUint32(0)]) },
  ];
  let sequence = 0;
  for (const part of parts) {
    const isFirst = sequence === 0;
    chunks.push({ type: "fcTL", data: toControl(part, sequence++) });
    const rows = packRows(part);
    if (isFirst) chunks.push({ type: "IDAT", data: rows });
    else chunks.push({ type: "fdAT", data: Buffer.concat([toUint32(sequence++), rows]) });
  }
  return writeChunks([...chunks, { type: "IEND", data: new Uint8Array() }]);
}

/** The first frame whole, of the others what changed; a frame in which nothing changed makes the one before longer. */
function toParts(frames: readonly ApngFrame[]): readonly Part[] {
  const parts: Part[] = [];
  let before: IndexedPicture | undefined;
  for (const { picture, ms } of frames) {
    const part = before === undefined ? { ...picture, x: 0, y: 0 } : changeOf(before, picture);
    const last = parts.at(-1);
    if (part !== undefined) parts.push({ ...part, ms });
    else if (last !== undefined) parts.splice(-1, 1, { ...last, ms: last.ms + ms });
    before = picture;
  }
  return parts;
}

/** The smallest rectangle that holds all that differs. */
function changeOf(before: IndexedPicture, now: IndexedPicture): Omit<Part, "ms"> | undefined {
  const { width } = now;
  let [left, top, right, bottom] = [width, now.height, -1, -1];
  for (const [at, index] of now.indexes.entries()) {
    if (index === before.indexes[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (right === -1) return undefined;
  const size = { width: right - left + 1, height: bottom - top + 1 };
  const indexes = new Uint8Array(size.width * size.height);
  for (let row = 0; row < size.height; row++) {
    const from = (top + row) * width + left;
    indexes.set(now.indexes.subarray(from, from + size.width), row * size.width);
  }
  return { ...size, indexes, x: left, y: top };
}

/** Where a frame is drawn, for how long, over what was there before. */
function toControl({ width, height, x, y, ms }: Part, sequence: number): Buffer {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(ms, 0);
  delay.writeUInt16BE(1_000, 2);
  return Buffer.concat([...[sequence, width, height, x, y].map(toUint32), delay]);
}
