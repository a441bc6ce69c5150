/**
 * Nearest: which known name a mistyped one was probably meant to be.
 *
 * The work is bounded for any names: long ones are not compared, and only the first 1,000 known ones are.
 */

const MAX_LENGTH = 128;
const MAX_KNOWN = 1_000;

/** The known name closest to `name`, case aside; undefined if none is close. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name === "" || name.length > MAX_LENGTH) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  // One in three characters may differ; of a name as short as `ab`, none but by case.
  let limit = (name.length <= 2 ? 0 : Math.floor(name.length / 3)) + 1;
  for (const candidate of Iterator.from(known).take(MAX_KNOWN)) {
    if (Math.abs(candidate.length - name.length) >= limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance >= limit) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

/** A `nearest` that stops after so many questions, so that a list of a thousand typing errors costs little. */
export function nearestWithin(questions: number): typeof nearest {
  let left = questions;
  return (name, known) => (left-- > 0 ? nearest(name, known) : undefined);
}

/**
 * Counts the insertions, deletions, replacements or swaps of neighbours that turn one text into the other, if they are
 * fewer than `limit`: only places that near to each other are compared.
 */
function editDistance(from: string, to: string, limit: number): number {
  let older: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    const end = Math.min(to.length, row + limit);
    for (let column = Math.max(1, row - limit); column <= end; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const replaced = at(last, column - 1) - (isSame ? 1 : 0);
      const swapped = isSwapped ? at(older, column - 2) : Infinity;
      current[column] = 1 + Math.min(at(last, column), at(current, column - 1), replaced, swapped);
    }
    older = last;
    last = current;
  }
  return at(last, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
