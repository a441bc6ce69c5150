/**
 * Random: a small generator that follows from a text, for tests and made-up series.
 */

/** Numbers that follow from a seed. */
export interface SeededRandom {
  /** At least 0 and below 1. */
  uniform(): number;
}

/** A generator for a text (FNV-1a, then mulberry32). */
export function randomOf(seed: string): SeededRandom {
  let state = 2_166_136_261;
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 16_777_619);
  return {
    uniform: () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}
