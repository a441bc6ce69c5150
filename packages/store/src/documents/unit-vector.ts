/**
 * Unit vector: vectors of length 1 as bytes, and the nearest of them by comparing all.
 *
 * Of unit vectors the dot product is the cosine.
 */
import { BatonError } from "@baton/core";

const MAX_DIMENSIONS = 8_192;
const BYTES = Float32Array.BYTES_PER_ELEMENT;

/** A stored vector and whose it is. */
export interface VectorRow {
  readonly id: string;
  /** Where it stands among all vectors. */
  readonly number: number;
  /** The version of its document. */
  readonly version: number;
  readonly vector: Uint8Array;
}

/** A document by its id, and its cosine. */
export interface NearVector {
  readonly id: string;
  readonly similarity: number;
}

/** The vector in the same direction whose length is 1. */
export function toUnitVector(vector: Float32Array | readonly number[]): Float32Array {
  if (vector.length < 1 || vector.length > MAX_DIMENSIONS)
    throw new BatonError("invalid", `the vector has ${vector.length} dimensions; 1 to ${MAX_DIMENSIONS} are possible`);
  let sum = 0;
  for (const part of vector) sum += part * part;
  const length = Math.sqrt(sum);
  if (!(length > 0 && length < Infinity))
    throw new BatonError("invalid", "the vector has no direction: give finite numbers that are not all 0");
  return Float32Array.from(vector, (part) => part / length);
}

/** The bytes of a vector, as they are stored. */
export function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The nearest of all vectors in the pages; of those that are as near, the one that comes first. */
export async function findNearest(
  unit: Float32Array,
  limit: number,
  pages: AsyncIterable<readonly VectorRow[]>,
): Promise<readonly NearVector[]> {
  const best: NearVector[] = [];
  for await (const page of pages) {
    for (const { id, vector } of page) {
      if (vector.byteLength !== unit.byteLength) continue;
      const similarity = cosine(unit, toFloats(vector));
      if (best.length === limit && similarity <= (best.at(-1)?.similarity ?? -Infinity)) continue;
      const place = best.findIndex((other) => other.similarity < similarity);
      best.splice(place === -1 ? best.length : place, 0, { id, similarity });
      if (best.length > limit) best.pop();
    }
  }
  return best;
}

/** The numbers in stored bytes; copied if they do not begin where a number may begin in memory. */
export function toFloats(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % BYTES === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(buffer, byteOffset, byteLength / BYTES);
}

/** Of two vectors of length 1; their numbers are rounded, so the sum may be a little beyond 1. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return Math.max(-1, Math.min(1, sum));
}
