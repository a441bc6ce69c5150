/**
 * Price: rounding of simulated prices as markets write them, and the close of the day before a known change.
 */

/** Cents; below one unit of money, four significant digits. A positive price stays positive. */
export function roundPrice(price: number): number {
  if (price >= 1) return Math.round(price * 100) / 100;
  return Number(price.toPrecision(4));
}

/** The close before a change in percent: with the fewest digits that give this change. */
export function previousClose(price: number, changePercent: number): number {
  const exact = price / (1 + changePercent / 100);
  for (let digits = 2; digits <= 8; digits += 1) {
    const rounded = Number(exact.toFixed(digits));
    const change = (price / rounded - 1) * 100;
    if (rounded > 0 && Math.abs(change - changePercent) <= 1e-6 * (1 + Math.abs(changePercent))) return rounded;
  }
  return exact;
}
