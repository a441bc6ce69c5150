/**
 * Student's t: how likely a difference is by chance, and how wide a range must be.
 *
 * The distribution is the regularised incomplete beta function, computed by its continued fraction to about twelve
 * digits; degrees of freedom need not be whole.
 */

/** Probability of a t at least this far from 0, on either side. */
export function twoSidedP(t: number, degrees: number): number {
  if (t === 0) return 1;
  if (!Number.isFinite(t)) return 0;
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The t that is exceeded, on either side, with probability `p`. */
export function twoSidedT(p: number, degrees: number): number {
  let low = 0;
  let high = 1;
  while (twoSidedP(high, degrees) > p) high *= 2;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (twoSidedP(middle, degrees) > p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** I_x(a, b). The fraction converges fast only left of the mean; right of it the mirror image is used. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a;
  return 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** The continued fraction of the incomplete beta function, evaluated from the front (Lentz). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / notZero(1 + term * d);
      c = notZero(1 + term / c);
      change = c * d;
      value *= change;
    }
    if (Math.abs(change - 1) < 1e-14) break;
  }
  return value;
}

const notZero = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);

/** ln Γ(x) for x > 0: Stirling's series, after x was raised to where it is exact. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 12) {
    shift += Math.log(z);
    z += 1;
  }
  const series = 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1_260 * z ** 5) - 1 / (1_680 * z ** 7);
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
