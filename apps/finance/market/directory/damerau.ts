/**
 * Damerau–Levenshtein: how many letters two words differ by, counting a swap of neighbours as one.
 */

/** The distance, or `limit + 1` if it is greater than `limit`. */
export function typoDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = nextRow({ a, b, row, above, before });
    if (Math.min(...current) > limit) return limit + 1;
    before = above;
    above = current;
  }
  return Math.min(above[b.length] ?? limit + 1, limit + 1);
}

interface Row {
  readonly a: string;
  readonly b: string;
  readonly row: number;
  readonly above: readonly number[];
  readonly before: readonly number[];
}

function nextRow({ a, b, row, above, before }: Row): number[] {
  const current = [row];
  for (let column = 1; column <= b.length; column++) {
    const isSame = a[row - 1] === b[column - 1];
    const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    const best = Math.min(
      (above[column] ?? 0) + 1,
      (current[column - 1] ?? 0) + 1,
      (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      isSwap ? (before[column - 2] ?? 0) + 1 : Infinity,
    );
    current.push(best);
  }
  return current;
}

/** Returns the letters of a word as bits: two words `d` edits apart differ in at most `2 d` of them. */
export function letterBits(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    bits |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 5));
  }
  return bits;
}

/** Counts the bits that differ. */
export function differingBits(a: number, b: number): number {
  let rest = a ^ b;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count++;
  }
  return count;
}
