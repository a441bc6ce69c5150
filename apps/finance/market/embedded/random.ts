/**
 * Random: numbers that follow from a text alone, so that a symbol always has the same series.
 */

/** A stream of numbers; each stream starts from its text. */
export interface Random {
  /** From 0 up to, not including, 1. */
  uniform(): number;
  /** Mean 0, standard deviation 1, never beyond ±4. */
  normal(): number;
}

/** The stream of a text. */
export function randomOf(text: string): Random {
  let state = hash(text);
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const normal = () => {
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    return Math.max(-4, Math.min(4, radius * Math.cos(2 * Math.PI * uniform())));
  };
  return { uniform, normal };
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
