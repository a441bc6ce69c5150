/**
 * Bisect: the first of a list of commits with which something differs, by halving.
 */

/** Result of a commit: the same as before, something else, or nothing because it cannot be tried. */
export type Tried = "same" | "differs" | "skipped";

/** The first commit that differs, and those before it that could not be tried. */
export type Bisected = Readonly<{ first: string; skipped: readonly string[]; tries: number }>;

/**
 * Searches commits, the oldest first. The one before the list is known to be the same, and the last one to differ. A commit
 * that cannot be tried is passed over for its neighbours.
 */
export async function bisect(
  commits: readonly string[],
  attempt: (commit: string) => Promise<Tried>,
): Promise<Bisected | undefined> {
  const known = new Map<number, Tried>([[commits.length - 1, "differs"]]);
  let [same, differs] = [-1, commits.length - 1];
  while (differs - same > 1) {
    const between = Array.from({ length: differs - same - 1 }, (_, at) => same + 1 + at);
    const middle = (same + differs) / 2;
    const [next] = between
      .filter((at) => known.get(at) !== "skipped")
      .toSorted((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
    const commit = next === undefined ? undefined : commits[next];
    if (next === undefined || commit === undefined) break;
    const tried = await attempt(commit);
    known.set(next, tried);
    if (tried === "same") same = next;
    if (tried === "differs") differs = next;
  }
  const first = commits[differs];
  return first === undefined ? undefined : { first, skipped: commits.slice(same + 1, differs), tries: known.size - 1 };
}
