/**
 * Statistics: pass^k with its interval, and the exact sign test.
 */

/** Trials of one case: how many passed of those that were neither errors nor left out. */
export type CaseTrials = Readonly<{ passed: number; trials: number }>;

/** The chance that k trials of a case all pass, with a 95 % interval over cases. */
export type PassK = Readonly<{ k: number; value: number; low: number; high: number }>;

const SAMPLES = 2_000;

/** pass^k for k = 1 to the most trials: the mean over cases of C(c, k) / C(n, k). */
export function toPassK(cases: readonly CaseTrials[]): readonly PassK[] {
  const most = Math.max(0, ...cases.map(({ trials }) => trials));
  return Array.from({ length: most }, (_, at) => {
    const k = at + 1;
    const rates = cases.filter(({ trials }) => trials >= k).map((one) => choose(one.passed, k) / choose(one.trials, k));
    return { k, value: mean(rates), ...bootstrap(rates) };
  });
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let at = 0; at < k; at++) ways *= Math.max(0, n - at) / (at + 1);
  return ways;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

function bootstrap(rates: readonly number[]): { readonly low: number; readonly high: number } {
  const random = seeded(1);
  const means = Array.from({ length: SAMPLES }, () =>
    mean(rates.map(() => rates[Math.floor(random() * rates.length)] ?? 0)),
  ).toSorted((one, other) => one - other);
  return { low: means[Math.floor(SAMPLES * 0.025)] ?? 0, high: means[Math.ceil(SAMPLES * 0.975) - 1] ?? 0 };
}

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  // Seeds that follow each other begin far apart.
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** p of the two-sided exact sign test. */
export function toSignP(better: number, worse: number): number {
  const n = better + worse;
  let [term, tail] = [0.5 ** n, 0];
  for (let at = 0; at <= Math.min(better, worse); at++) {
    tail += term;
    term *= (n - at) / (at + 1);
  }
  return n === 0 ? 1 : Math.min(1, 2 * tail);
}

/** Cohen's kappa of pairs of labels. */
export function toKappa(pairs: readonly (readonly [boolean, boolean])[]): number {
  const share = (test: (pair: readonly [boolean, boolean]) => boolean) =>
    pairs.filter(test).length / (pairs.length || 1);
  const agreed = share(([one, other]) => one === other);
  const [first, second] = [share(([one]) => one), share(([, other]) => other)];
  const chance = first * second + (1 - first) * (1 - second);
  return chance === 1 ? (agreed === 1 ? 1 : 0) : (agreed - chance) / (1 - chance);
}
