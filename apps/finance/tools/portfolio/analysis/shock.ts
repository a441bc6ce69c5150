/**
 * Shock: what a portfolio would lose or gain if something moved by so many percent.
 *
 * A holding that moves itself changes by that percentage; the others are taken as unchanged. If an index moves, each
 * holding changes by its beta times the move. Nothing can lose more than all of its value.
 */

/** A holding with its value. */
export type Exposed = Readonly<{ symbol: string; value: number }>;

/** A move of something: direct if it is held, else by betas to it. */
export type Move = Readonly<{ symbol: string; percent: number; betas?: ReadonlyMap<string, number> }>;

/** By how much the value of each holding changes; unknown ones are absent. */
export function effectsOf(exposed: readonly Exposed[], move: Move): ReadonlyMap<string, number> {
  const effects = new Map<string, number>();
  for (const { symbol, value } of exposed) {
    const fraction = fractionOf(symbol, move);
    if (fraction !== undefined) effects.set(symbol, value * Math.max(-1, fraction));
  }
  return effects;
}

function fractionOf(symbol: string, { symbol: moved, percent, betas }: Move): number | undefined {
  if (betas === undefined) return symbol === moved ? percent / 100 : 0;
  const beta = betas.get(symbol);
  return beta === undefined ? undefined : (beta * percent) / 100;
}

/** Several moves at once: what moves itself does so, the rest follows the indices together; unknown ones are absent. */
export function allEffects(exposed: readonly Exposed[], moves: readonly Move[]): ReadonlyMap<string, number> {
  const direct = new Map(moves.filter(({ betas }) => betas === undefined).map((move) => [move.symbol, move.percent]));
  const indices = moves.filter(({ betas }) => betas !== undefined);
  const effects = new Map<string, number>();
  for (const { symbol, value } of exposed) {
    const own = direct.get(symbol);
    const followed = indices.map((move) => fractionOf(symbol, move));
    if (own === undefined && followed.includes(undefined)) continue;
    const fraction = own === undefined ? followed.reduce<number>((sum, one) => sum + (one ?? 0), 0) : own / 100;
    effects.set(symbol, value * Math.max(-1, fraction));
  }
  return effects;
}

/** The sum of effects. */
export const totalOf = (effects: ReadonlyMap<string, number>): number =>
  [...effects.values()].reduce((sum, effect) => sum + effect, 0);
