/**
 * Normal quantile: the z of a probability, by Wichura's algorithm AS 241 (PPND16), to about 16 digits.
 */

type Coefficients = readonly number[];

// |p − ½| ≤ 0.425, in 0.180625 − (p − ½)²
const CENTRE: readonly [Coefficients, Coefficients] = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852546,
  ],
];
// r = √−ln(min(p, 1 − p)) up to 5, in r − 1.6
const SHOULDER: readonly [Coefficients, Coefficients] = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
];
// the same beyond 5, in r − 5
const TAIL: readonly [Coefficients, Coefficients] = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
];

/** The value below which a standard normal variable lies with the given probability, which is between 0 and 1. */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError(`${probability} is not between 0 and 1`);
  const distance = probability - 0.5;
  if (Math.abs(distance) <= 0.425) return distance * divide(CENTRE, 0.180625 - distance * distance);
  const r = Math.sqrt(-Math.log(Math.min(probability, 1 - probability)));
  return Math.sign(distance) * (r <= 5 ? divide(SHOULDER, r - 1.6) : divide(TAIL, r - 5));
}

function divide([numerator, denominator]: readonly [Coefficients, Coefficients], x: number): number {
  const evaluate = (coefficients: Coefficients) => coefficients.reduceRight((sum, next) => sum * x + next, 0);
  return evaluate(numerator) / evaluate(denominator);
}
