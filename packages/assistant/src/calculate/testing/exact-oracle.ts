/**
 * Exact oracle: a second way to compute expressions, with fractions of whole numbers and units by tables.
 *
 * It shares no code with what it checks. Percentages are fractions here. `doubt` bounds what doubles may be off by.
 */
import type { Fact } from "../../facts/fact.ts";

/** An expression as a tree. */
export type Tree =
  | Readonly<{ type: "literal"; value: number }>
  | Readonly<{ type: "fact"; fact: Fact }>
  | Readonly<{ type: "negative"; of: Tree }>
  | Readonly<{ type: "operation"; sign: "+" | "-" | "*" | "/"; left: Tree; right: Tree }>
  | Readonly<{ type: "formula"; name: "growth" | "share" | "sum" | "avg" | "min" | "max"; args: readonly Tree[] }>;

type Fraction = Readonly<{ top: bigint; bottom: bigint }>;

/** A value with the name of its unit (`percent`, `USD/shares`), `refused`, or `unclear` if doubles could decide. */
export type Exact = Readonly<{ value: Fraction; unit: string; doubt: number }> | "refused" | "unclear";

type Known = Exclude<Exact, string>;

const KINDS: ReadonlySet<string> = new Set(["plain", "ratio", "count", "percent"]);
const SUMS: ReadonlyMap<string, string> = new Map([
  ["plain plain", "plain"],
  ["plain ratio", "ratio"],
  ["plain count", "count"],
  ["plain percent", "ratio"],
  ["ratio ratio", "ratio"],
  ["count count", "count"],
  ["percent percent", "percent"],
]);
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ["plain plain", "plain"],
  ["plain ratio", "ratio"],
  ["plain count", "count"],
  ["plain percent", "percent"],
  ["ratio ratio", "ratio"],
  ["ratio count", "count"],
  ["ratio percent", "ratio"],
  ["count count", "count"],
  ["count percent", "count"],
  ["percent percent", "percent"],
]);
const QUOTIENTS: ReadonlyMap<string, string> = new Map([
  ["plain plain", "plain"],
  ["count plain", "count"],
  ["count ratio", "count"],
  ["count percent", "count"],
  ["percent plain", "percent"],
  ["percent ratio", "percent"],
  ["percent count", "percent"],
]);

/** The exact value and unit of a tree. */
export function solve(tree: Tree): Exact {
  switch (tree.type) {
    case "literal":
      return leaf(tree.value, "plain");
    case "fact":
      return leaf(tree.fact.value, unitOf(tree.fact));
    case "negative": {
      const of = solve(tree.of);
      return typeof of === "string" ? of : { ...of, value: { ...of.value, top: -of.value.top } };
    }
    case "operation":
      return both(solve(tree.left), solve(tree.right), (left, right) => operate(tree.sign, left, right));
    case "formula":
      return tree.args.map(solve).reduce((one, other) => both(one, other, (a, b) => pair(tree.name, a, b)));
  }
}

/** An average is the sum of its arguments divided by their number; here it has two. */
function pair(name: Extract<Tree, { type: "formula" }>["name"], one: Known, other: Known): Exact {
  if (name === "growth" || name === "share") {
    const part = name === "growth" ? plus(one, other, -1n) : one;
    if (alike(one, other) === undefined) return "refused";
    if (name === "growth" && one.value.top > 0n && other.value.top < 0n) return "refused";
    const ratio = typeof part === "string" ? part : operate("/", part, other);
    return typeof ratio === "string" ? ratio : { ...ratio, unit: "percent" };
  }
  const unit = alike(one, other);
  if (unit === undefined) return "refused";
  const sum = plus(one, other, 1n);
  if (name === "sum" || typeof sum === "string") return sum;
  if (name === "avg") return operate("/", sum, { value: { top: 2n, bottom: 1n }, unit: "plain", doubt: 0 });
  const isLess = one.value.top * other.value.bottom < other.value.top * one.value.bottom;
  return { ...(isLess === (name === "min") ? one : other), unit, doubt: one.doubt + other.doubt };
}

/** The unit of two values that may be compared. */
function alike(one: Known, other: Known): string | undefined {
  const mix = [one.unit, other.unit].toSorted().join(" ");
  if (mix === "percent plain") return undefined;
  return unitOfSum(one, other);
}

function operate(sign: "+" | "-" | "*" | "/", left: Known, right: Known): Exact {
  if (sign === "+" || sign === "-") return plus(left, right, sign === "+" ? 1n : -1n);
  const [a, b] = [left.value, right.value];
  if (sign === "*") {
    const value = { top: a.top * b.top, bottom: a.bottom * b.bottom };
    const doubt = left.doubt * size(right) + right.doubt * size(left) + noise(value);
    return { value, doubt, unit: unitOfProduct(left.unit, right.unit, 1) };
  }
  if (b.top === 0n && right.doubt === 0) return "refused";
  if (size(right) <= 1e4 * right.doubt) return "unclear";
  const flip = b.top < 0n ? -1n : 1n;
  const value = { top: flip * a.top * b.bottom, bottom: flip * a.bottom * b.top };
  const doubt = left.doubt / size(right) + (size(left) * right.doubt * 2) / size(right) ** 2 + noise(value);
  const isTaken = left.unit === "plain" && !KINDS.has(right.unit);
  return { value, doubt, unit: isTaken ? "ratio" : unitOfProduct(left.unit, right.unit, -1) };
}

/** A plain number takes the unit of an amount. */
function unitOfSum(one: Known, other: Known): string | undefined {
  if (one.unit === "plain" && !KINDS.has(other.unit)) return other.unit;
  if (other.unit === "plain" && !KINDS.has(one.unit)) return one.unit;
  return one.unit === other.unit ? one.unit : SUMS.get(keyOf(one.unit, other.unit));
}

function plus(left: Known, right: Known, sign: bigint): Exact {
  const unit = unitOfSum(left, right);
  if (unit === undefined) return "refused";
  const [a, b] = [left.value, right.value];
  const value = { top: a.top * b.bottom + sign * b.top * a.bottom, bottom: a.bottom * b.bottom };
  const doubt = left.doubt + right.doubt + noise(a) * 10 + noise(b) * 10;
  return { value, unit, doubt };
}

function unitOfProduct(left: string, right: string, sign: 1 | -1): string {
  if (KINDS.has(left) && KINDS.has(right)) {
    if (sign === 1) return PRODUCTS.get(keyOf(left, right)) ?? "ratio";
    return QUOTIENTS.get(`${left} ${right}`) ?? "ratio";
  }
  const exponents = new Map<string, number>();
  const collect = (unit: string, by: number) => {
    if (KINDS.has(unit)) return;
    const [above = "", below = ""] = unit.split("/");
    for (const [text, times] of [[above, by] as const, [below, -by] as const]) {
      for (const name of text.split("*").filter((part) => part !== "" && part !== "1")) {
        exponents.set(name, (exponents.get(name) ?? 0) + times);
      }
    }
  };
  collect(left, 1);
  collect(right, sign);
  return writeUnit(exponents);
}

function writeUnit(exponents: ReadonlyMap<string, number>): string {
  const side = (sign: number) =>
    Array.from(exponents)
      .flatMap(([name, times]) => Array.from({ length: Math.max(0, sign * times) }, () => name))
      .toSorted()
      .join("*");
  const [above, below] = [side(1), side(-1)];
  if (above === "" && below === "") return "ratio";
  return below === "" ? above : `${above === "" ? "1" : above}/${below}`;
}

function unitOf({ unit, currency = "" }: Fact): string {
  if (unit === "money") return currency;
  if (unit === "money/share") return `${currency}/shares`;
  return unit === "money/coin" ? `${currency}/coins` : unit;
}

/** Values have at most four decimals. */
function leaf(value: number, unit: string): Exact {
  const scale = unit === "percent" ? 1_000_000n : 10_000n;
  return { value: { top: BigInt(Math.round(value * 10_000)), bottom: scale }, unit, doubt: 0 };
}

function both(one: Exact, other: Exact, then: (one: Known, other: Known) => Exact): Exact {
  // What comes first decides, but nothing is sure beside what is unclear.
  if (one === "unclear" || other === "unclear") return "unclear";
  if (one === "refused" || other === "refused") return "refused";
  return then(one, other);
}

function keyOf(one: string, other: string): string {
  const order = ["plain", "ratio", "count", "percent"];
  return [one, other].toSorted((a, b) => order.indexOf(a) - order.indexOf(b)).join(" ");
}

/** A fraction as a double. */
export function toNumber({ top, bottom }: Fraction): number {
  const scaled = (top * 10n ** 40n) / bottom;
  return Number(scaled) / 1e40;
}

const size = ({ value }: Known): number => Math.abs(toNumber(value));

const noise = (value: Fraction): number => Math.abs(toNumber(value)) * 1e-15;
