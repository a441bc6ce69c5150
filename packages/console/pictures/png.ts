/**
 * PNG: reads pictures that a browser took, and writes them with a palette, so that they stay small in a repository.
 *
 * Reads 8 bits a sample, not interlaced: RGB, RGBA (without its transparency) and palettes. Throws at anything else.
 */
import { crc32, deflateSync, inflateSync } from "node:zlib";

/** A picture: three bytes a pixel, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A picture as numbers of colours of a palette. */
export interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  readonly indexes: Uint8Array;
}

/** A chunk of a PNG file. */
export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SAMPLES: ReadonlyMap<number, number> = new Map([
  [2, 3],
  [3, 1],
  [6, 4],
]);
const BITS = 8;
const INDEXED = 3;

/** Reads the chunks of a PNG file. */
export function readChunks(file: Uint8Array): readonly PngChunk[] {
  const bytes = Buffer.from(file);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error("this is not a PNG file");
  const chunks: PngChunk[] = [];
  for (let at = SIGNATURE.length; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, at + 8 + length);
    if (crc32(body) !== bytes.readUInt32BE(at + 8 + length)) throw new Error("a chunk of the PNG file is damaged");
    chunks.push({ type: body.toString("latin1", 0, 4), data: body.subarray(4) });
    at += 12 + length;
  }
  return chunks;
}

/** Writes a PNG file of these chunks. */
export function writeChunks(chunks: readonly PngChunk[]): Buffer {
  const parts = chunks.map(({ type, data }) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    return Buffer.concat([toUint32(data.length), body, toUint32(crc32(body))]);
  });
  return Buffer.concat([SIGNATURE, ...parts]);
}

/** Four bytes, the highest first. */
export function toUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Reads a picture; of an animation the first frame. */
export function readPng(file: Uint8Array): Picture {
  const chunks = readChunks(file);
  const dataOf = (type: string): Buffer =>
    Buffer.concat(chunks.filter((chunk) => chunk.type === type).map(({ data }) => data));
  const head = dataOf("IHDR");
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const samples = SAMPLES.get(head.readUInt8(9));
  if (samples === undefined || head.readUInt8(8) !== BITS || head.readUInt8(12) !== 0) {
    throw new Error("only RGB, RGBA and palettes of 8 bits, not interlaced, can be read");
  }
  const rows = unfilter(inflateSync(dataOf("IDAT")), { width, height, samples });
  return { width, height, pixels: toRgb(rows, samples, dataOf("PLTE")) };
}

function toRgb(rows: Uint8Array, samples: number, palette: Uint8Array): Uint8Array {
  const count = rows.length / samples;
  const pixels = new Uint8Array(count * 3);
  for (let pixel = 0; pixel < count; pixel++) {
    const from = samples === 1 ? (rows[pixel] ?? 0) * 3 : pixel * samples;
    const source = samples === 1 ? palette : rows;
    pixels.set(source.subarray(from, from + 3), pixel * 3);
  }
  return pixels;
}

/** Takes back what each row's filter did. */
function unfilter(data: Uint8Array, size: Readonly<{ width: number; height: number; samples: number }>): Uint8Array {
  const { width, height, samples } = size;
  const stride = width * samples;
  const rows = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = data[row * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = row * stride + x;
      const left = x >= samples ? (rows[at - samples] ?? 0) : 0;
      const up = row > 0 ? (rows[at - stride] ?? 0) : 0;
      const corner = row > 0 && x >= samples ? (rows[at - stride - samples] ?? 0) : 0;
      rows[at] = (data[row * (stride + 1) + 1 + x] ?? 0) + guess(filter, { left, up, corner });
    }
  }
  return rows;
}

function guess(filter: number, { left, up, corner }: Readonly<Record<"left" | "up" | "corner", number>>): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [byLeft, byUp, byCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
  if (byLeft === undefined || byUp === undefined || byCorner === undefined) return 0;
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** The rows of a picture as PNG keeps them. */
export function packRows({ width, height, indexes }: IndexedPicture): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++) {
    rows.set(indexes.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return deflateSync(rows, { level: 9 });
}

/** The first chunks of a picture with a palette. */
export function pngHeader({ width, height }: Readonly<{ width: number; height: number }>, palette: Uint8Array) {
  const head = Buffer.concat([toUint32(width), toUint32(height), Buffer.from([BITS, INDEXED, 0, 0, 0])]);
  return [
    { type: "IHDR", data: head },
    { type: "PLTE", data: palette },
  ] as const satisfies readonly PngChunk[];
}

/** Writes a picture with a palette of three bytes a colour. */
export function writePng(picture: IndexedPicture, palette: Uint8Array): Buffer {
  return writeChunks([
    ...pngHeader(picture, palette),
    { type: "IDAT", data: packRows(picture) },
    { type: "IEND", data: new Uint8Array() },
  ]);
}
