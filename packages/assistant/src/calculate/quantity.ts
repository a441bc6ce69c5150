/**
 * Unit: quantities that know what they count, and arithmetic that refuses to mix them: dimensions (exponents of
 * currencies, shares, coins, points, days), else a kind: `plain` is a number in the formula, others come from facts.
 * A plain number takes the unit that its place needs; a count vanishes in a product; a percentage scales.
 */
import { BatonError } from "@baton/core";
import type { Fact, Unit } from "../facts/fact.ts";

/** The kind of a number without dimensions. */
type Pure = "plain" | "ratio" | "percent" | "count";

/** Exponents that are not zero, by what they are of: `USD`, `shares`, `coins`, `points`, `days`. */
type Dimensions = ReadonlyMap<string, number>;

/** A number and what it counts; `pure` counts only if there are no dimensions. */
export type Quantity = Readonly<{ value: number; dimensions: Dimensions; pure: Pure }>;

/** A unit of facts, with its currency if it has one. */
export type FactUnit = Readonly<{ unit: Unit; currency?: string }>;

const NONE: ReadonlyMap<string, number> = new Map();
const PARTS: readonly string[] = ["shares", "coins", "points", "days"];
const MAX_POWER = 8;

/** A number in the formula. */
export function plain(value: number): Quantity {
  return pure(value, "plain");
}

/** A number without dimensions; a percentage is 12.5 for 12.5 %. */
export function pure(value: number, kind: Pure): Quantity {
  return { value: finite(value), dimensions: NONE, pure: kind };
}

/** An amount of money that the formula names, such as `500 USD`. */
export function money(value: number, currency: string): Quantity {
  return { value: finite(value), dimensions: new Map([[currency, 1]]), pure: "plain" };
}

/** A fact as a quantity; throws if it has money without a currency. */
export function toQuantity({ id, value, unit, currency }: Fact): Quantity {
  switch (unit) {
    case "percent":
    case "ratio":
    case "count":
      return pure(value, unit);
    case "shares":
    case "coins":
    case "points":
    case "days":
      return { value: finite(value), dimensions: new Map([[unit, 1]]), pure: "plain" };
    default: {
      if (currency === undefined || currency === "") throw invalid(`${id} has no currency`);
      const per = unit === "money/share" ? "shares" : unit === "money/coin" ? "coins" : undefined;
      const dimensions = new Map([[currency, 1], ...(per === undefined ? [] : ([[per, -1]] as const))]);
      return { value: finite(value), dimensions, pure: "plain" };
    }
  }
}

/** The unit of facts that a quantity has; undefined if there is none for it. */
export function toUnit({ dimensions, pure: kind }: Quantity): FactUnit | undefined {
  if (dimensions.size === 0) return { unit: kind === "plain" ? "ratio" : kind };
  const parts = new Map(dimensions);
  const currency = Array.from(parts.keys()).find((name) => !PARTS.includes(name));
  if (currency === undefined) return parts.size === 1 ? singleUnit(parts) : undefined;
  if (parts.get(currency) !== 1) return undefined;
  parts.delete(currency);
  if (parts.size === 0) return { unit: "money", currency };
  if (parts.size > 1) return undefined;
  if (parts.get("shares") === -1) return { unit: "money/share", currency };
  return parts.get("coins") === -1 ? { unit: "money/coin", currency } : undefined;
}

function singleUnit(parts: Dimensions): FactUnit | undefined {
  const units = ["shares", "coins", "points", "days"] as const;
  const unit = units.find((name) => parts.get(name) === 1);
  return unit === undefined ? undefined : { unit };
}

/** The unit of a quantity in words: `USD/shares`, `percent`, `a plain number`. */
export function toUnitText({ dimensions, pure: kind }: Quantity): string {
  if (dimensions.size === 0) return kind === "plain" ? "a plain number" : kind;
  const text = (sign: 1 | -1) =>
    Array.from(dimensions)
      .filter(([, exponent]) => Math.sign(exponent) === sign)
      .map(([name, exponent]) => (Math.abs(exponent) === 1 ? name : `${name}^${Math.abs(exponent)}`))
      .toSorted()
      .join("·");
  const below = text(-1);
  return below === "" ? text(1) : `${text(1) || "1"}/${below}`;
}

/** The sum; throws if the two count different things. */
export function add(one: Quantity, other: Quantity): Quantity {
  if (isPercentWithPlain(one, other)) return pure(sumOf(toFraction(one), toFraction(other)), "ratio");
  return { ...unify(one, other, "be added"), value: sumOf(one.value, other.value) };
}

/** The difference; throws if the two count different things. */
export function subtract(one: Quantity, other: Quantity): Quantity {
  if (isPercentWithPlain(one, other)) return pure(sumOf(toFraction(one), -toFraction(other)), "ratio");
  return { ...unify(one, other, "be subtracted"), value: sumOf(one.value, -other.value) };
}

/** The product. */
export function multiply(one: Quantity, other: Quantity): Quantity {
  if (isPercent(one) && isPercent(other)) return pure((one.value * other.value) / 100, "percent");
  // A percentage of something is some of it; a multiple of a percentage is a percentage.
  const isScaled = isPercent(one) ? isKind(other, "plain") : isPercent(other) && isKind(one, "plain");
  if (isScaled) return pure(one.value * other.value, "percent");
  const value = finite(isPercent(one) || isPercent(other) ? (one.value * other.value) / 100 : one.value * other.value);
  return { value, dimensions: join(one.dimensions, other.dimensions, 1), pure: toProductKind(one, other) };
}

/** The quotient; throws if the divisor is zero. */
export function divide(one: Quantity, other: Quantity): Quantity {
  if (other.value === 0) throw invalid("division by zero");
  // A plain number over an amount is an amount of that unit: 200 / price is a ratio.
  if (isKind(one, "plain") && other.dimensions.size > 0) return pure(one.value / other.value, "ratio");
  const dimensions = join(one.dimensions, other.dimensions, -1);
  if (isPercent(one) && !isPercent(other)) {
    if (other.dimensions.size === 0) return pure(one.value / other.value, "percent");
    return { value: finite(one.value / 100 / other.value), dimensions, pure: "ratio" };
  }
  const isByPercent = isPercent(other) && !isPercent(one);
  const value = finite(isByPercent ? (one.value * 100) / other.value : one.value / other.value);
  return { value, dimensions, pure: toQuotientKind(one, other) };
}

/** A power: of a quantity with dimensions only by a small whole number. */
export function power(base: Quantity, exponent: Quantity): Quantity {
  if (exponent.dimensions.size > 0 || isPercent(exponent)) {
    throw invalid(`an exponent must be a pure number, not ${toUnitText(exponent)}`);
  }
  const { value: by } = exponent;
  if (base.dimensions.size > 0 && !(Number.isInteger(by) && Math.abs(by) <= MAX_POWER)) {
    throw invalid(`${toUnitText(base)} can be raised only to a whole number from -${MAX_POWER} to ${MAX_POWER}`);
  }
  const value = toFraction(base);
  if (value === 0 && by < 0) throw invalid("division by zero");
  if (value < 0 && !Number.isInteger(by)) throw invalid("a negative number cannot be raised to a fraction");
  const scaled = Array.from(base.dimensions, ([name, times]) => [name, times * by] as const);
  const kind = isKind(base, "plain") && isKind(exponent, "plain") ? "plain" : "ratio";
  return { value: finite(value ** by), dimensions: new Map(scaled.filter(([, times]) => times !== 0)), pure: kind };
}

/** The same with the other sign. */
export function negate(one: Quantity): Quantity {
  return { ...one, value: one.value === 0 ? 0 : -one.value };
}

/** The first quantity with the unit that both share, which a plain number takes on; throws, saying that they cannot `verb`. */
export function unify(one: Quantity, other: Quantity, verb: string): Quantity {
  if (isKind(other, "plain") && one.dimensions.size > 0) return one;
  if (isKind(one, "plain") && other.dimensions.size > 0) return { ...other, value: one.value };
  if (isSame(one.dimensions, other.dimensions)) {
    if (one.dimensions.size > 0 || one.pure === other.pure) return one;
    const kinds = [one.pure, other.pure].filter((kind) => kind !== "plain");
    const [kind] = kinds;
    if (kinds.length === 1 && kind !== undefined && kind !== "percent") return { ...one, pure: kind };
  }
  throw invalid(`${toUnitText(one)} and ${toUnitText(other)} cannot ${verb}`);
}

/** Whether it is a number without dimensions of this kind. */
export function isKind({ dimensions, pure: kind }: Quantity, wanted: Pure): boolean {
  return dimensions.size === 0 && kind === wanted;
}

/** Creates the error of a calculation. */
export function invalid(problem: string): BatonError {
  return new BatonError("invalid", problem);
}

/** The number itself; throws if it is too large to be one. */
function finite(value: number): number {
  if (!Number.isFinite(value)) throw invalid("the value is too large");
  return value;
}

const isPercent = (one: Quantity): boolean => isKind(one, "percent");

const toFraction = (one: Quantity): number => (isPercent(one) ? one.value / 100 : one.value);

/** `1 + 5 %`: the only two kinds that are added as fractions. */
function isPercentWithPlain(one: Quantity, other: Quantity): boolean {
  return (isPercent(one) && isKind(other, "plain")) || (isKind(one, "plain") && isPercent(other));
}

/** A sum is exact to 15 digits of its larger part: what is beyond that is noise of binary fractions. */
function sumOf(one: number, other: number): number {
  const sum = finite(one + other);
  const largest = Math.max(Math.abs(one), Math.abs(other));
  const decimals = largest === 0 ? 0 : 14 - Math.floor(Math.log10(largest));
  return decimals < 0 || decimals > 100 ? sum : Number(sum.toFixed(decimals)) + 0;
}

function join(one: Dimensions, other: Dimensions, sign: 1 | -1): Dimensions {
  const joined = new Map(one);
  for (const [name, exponent] of other) joined.set(name, (joined.get(name) ?? 0) + sign * exponent);
  return new Map(Array.from(joined).filter(([, exponent]) => exponent !== 0));
}

function isSame(one: Dimensions, other: Dimensions): boolean {
  return one.size === other.size && Array.from(one).every(([name, exponent]) => other.get(name) === exponent);
}

function toProductKind(one: Quantity, other: Quantity): Pure {
  if (one.dimensions.size > 0 || other.dimensions.size > 0) return "ratio";
  if (one.pure === "count" || other.pure === "count") return "count";
  return one.pure === "plain" && other.pure === "plain" ? "plain" : "ratio";
}

function toQuotientKind(one: Quantity, other: Quantity): Pure {
  if (one.dimensions.size > 0 || other.dimensions.size > 0) return "ratio";
  if (one.pure === "count" && other.pure !== "count") return "count";
  return one.pure === "plain" && other.pure === "plain" ? "plain" : "ratio";
}
