/**
 * Nearest: which known name a mistyped one was probably meant to be.
 *
 * The work is bounded whatever the names: long ones are not compared, and only the first 1,000 known ones are.
 * Reads nothing. Read by: check, crewfile, cli.
 */

const MAX_LENGTH = 128;
const MAX_KNOWN = 1_000;

/** The known name closest to `name`, case aside; undefined where none is close. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name === "" || name.length > MAX_LENGTH) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  // One in three characters may differ; of a name as short as `ab`, none but by case.
  let limit = (name.length <= 2 ? 0 : Math.max(1, Math.floor(name.length / 3))) + 1;
  let compared = 0;
  for (const candidate of known) {
    compared += 1;
    if (compared > MAX_KNOWN) break;
    if (Math.abs(candidate.length - name.length) >= limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance >= limit) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

/** A `nearest` that no longer looks after so many questions, so that a list of a thousand typing errors costs little. */
export function nearestWithin(questions: number): typeof nearest {
  let left = questions;
  return (name, known) => {
    left -= 1;
    return left < 0 ? undefined : nearest(name, known);
  };
}

/**
 * How many insertions, deletions, replacements or swaps of neighbours turn one text into the other; any number
 * from `limit` on where it is not below that.
 */
function editDistance(from: string, to: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    let lowest = row;
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
      lowest = Math.min(lowest, cost);
    }
    if (lowest > limit) return lowest;
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
