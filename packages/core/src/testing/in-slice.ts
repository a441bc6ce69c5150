/**
 * In slice: the cases of a deep test that this run plays.
 *
 * `npm test` plays one fixed tenth of them, so that a green tree stays green; `BATON_SLICE=3` chooses another tenth and
 * `BATON_SLICE=all` plays every case.
 */
const SLICES = 10;

/** Returns the cases of this run's slice; at least one if there is any. */
export function inSlice<T>(cases: readonly T[]): readonly T[] {
  const slice = process.env["BATON_SLICE"] ?? "0";
  if (slice === "all") return cases;
  const number = Number(slice);
  if (!Number.isInteger(number) || number < 0 || number >= SLICES) {
    throw new Error(`BATON_SLICE is ${slice}; write all or a number from 0 to ${SLICES - 1}`);
  }
  const chosen = cases.filter((_, index) => index % SLICES === number);
  return chosen.length > 0 ? chosen : cases.slice(0, 1);
}
