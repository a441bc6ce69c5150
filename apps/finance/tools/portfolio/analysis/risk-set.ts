/**
 * Risk set: the holdings whose daily returns can be put together, on the days that all of them have.
 *
 * A holding with too few days of its own, or in common with the larger ones, is left out and named.
 */
import type { Bars } from "../../../market/port/bars.ts";
import type { ListingType } from "../../../market/port/listing.ts";
import type { Sourced } from "../../../market/port/provenance.ts";
import { MIN_RETURNS, toCommonReturns, toReturns } from "../../../math/risk/returns.ts";
import { daysPerYear } from "../../../math/risk/risk.ts";
import { normalise } from "./portfolio-risk.ts";
import type { UnvaluedHolding } from "../valuation/valuation.ts";

/** A holding with its value and its daily bars. */
export type Member = Readonly<{ symbol: string; type: ListingType; value: number; bars: Sourced<Bars> }>;

/** Returns on common days, and the weights of today among these holdings. */
export interface RiskSet {
  readonly members: readonly Member[];
  readonly weights: readonly number[];
  readonly columns: readonly Float64Array[];
  /** Days of the closes, in UTC seconds; one more than there are returns. */
  readonly t: Float64Array;
  readonly daysPerYear: number;
  /** The member with the fewest returns, if there are fewer than asked for. */
  readonly shortest?: Readonly<{ symbol: string; returns: number }>;
}

/** A set if there is one, and what is not in it. */
export type FoundSet = Readonly<{ set?: RiskSet; leftOut: readonly UnvaluedHolding[] }>;

/** The largest set of holdings that can be put together, largest first. */
export function toRiskSet(candidates: readonly Member[], days: number): FoundSet {
  const leftOut: UnvaluedHolding[] = [];
  const leave = (symbol: string, reason: string) => leftOut.push({ symbol, of: "risk", reason });
  const members: Member[] = [];
  let common: ReadonlySet<number> | undefined;
  for (const member of candidates.toSorted(bySize)) {
    const own = toReturns(member.bars.data, days);
    if (!own.enough) leave(member.symbol, `there are ${own.count} daily returns of it; ${own.needed} are needed`);
    else {
      const shared: ReadonlySet<number> = intersect(common, daysOf(member.bars.data));
      if (shared.size <= MIN_RETURNS) leave(member.symbol, `it has ${shared.size} days in common with larger holdings`);
      else {
        common = shared;
        members.push(member);
      }
    }
  }
  return { leftOut, ...toSet(members, days) };
}

const bySize = (a: Member, b: Member): number => b.value - a.value || (a.symbol < b.symbol ? -1 : 1);

function toSet(members: readonly Member[], days: number): Pick<FoundSet, "set"> {
  const found = toCommonReturns(
    members.map(({ bars }) => bars.data),
    days,
  );
  if (members.length === 0 || !found.enough) return {};
  const returns = found.t.length - 1;
  const counts = members.map(({ symbol, bars }) => ({ symbol, returns: daysOf(bars.data).size - 1 }));
  const shortest = counts.toSorted((a, b) => a.returns - b.returns)[0];
  return {
    set: {
      members,
      weights: normalise(members.map(({ value }) => value)),
      columns: found.values,
      t: found.t,
      daysPerYear: members.every(({ type }) => type === "crypto") ? daysPerYear("crypto") : daysPerYear("stock"),
      ...(returns < days && shortest !== undefined ? { shortest } : {}),
    },
  };
}

const DAY_S = 86_400;

function daysOf({ t, c }: Bars): ReadonlySet<number> {
  const days = new Set<number>();
  c.forEach((close, index) => {
    if (close > 0 && Number.isFinite(close)) days.add(Math.floor((t[index] ?? 0) / DAY_S));
  });
  return days;
}

function intersect(one: ReadonlySet<number> | undefined, other: ReadonlySet<number>): ReadonlySet<number> {
  return one === undefined ? other : one.intersection(other);
}

/** The set's returns beside those of a benchmark on their common days; a reason if that cannot be. */
export function besideBenchmark(
  { members }: RiskSet,
  benchmark: Sourced<Bars>,
  days: number,
): Readonly<{ columns: readonly Float64Array[]; benchmark: Float64Array }> | Readonly<{ reason: string }> {
  const found = toCommonReturns([...members.map(({ bars }) => bars.data), benchmark.data], days);
  if (!found.enough) return { reason: `${found.count} daily returns are in common; ${found.needed} are needed` };
  return { columns: found.values.slice(0, -1), benchmark: found.values.at(-1) ?? new Float64Array() };
}
