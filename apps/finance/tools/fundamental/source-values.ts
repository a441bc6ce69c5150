/**
 * Source values: what each source of a market says of one figure, asked at the same time and never joined.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../../market/port/listing.ts";
import type { Capability, Day, PeriodRow, MarketSource } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { daysFrom } from "../shared/calendar-day.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { toSafeText } from "../shared/untrusted.ts";

/** A value that a source has; of statements with its period. */
export interface FoundValue {
  readonly source: string;
  readonly value: number;
  readonly currency: string;
  readonly label?: string;
  readonly start?: Day;
  readonly end?: Day;
  readonly filed?: Day;
  readonly derived?: string;
  readonly provenance: Provenance;
}

/** A source that has no such value, and why. */
export type Missing = Readonly<{ source: string; reason: string }>;

/** Values by source; a note says why values cannot be subtracted. */
export interface SourceValues {
  readonly values: readonly FoundValue[];
  readonly missing: readonly Missing[];
  readonly note?: string;
}

/** Values of one fiscal year, if two sources share one. */
export type YearValues = SourceValues & Readonly<{ period?: Readonly<{ label: string; start?: Day; end: Day }> }>;

const MAX_YEARS = 12;
const MAX_REASON = 200;
/** A fiscal year ends on one of a few days, depending on who writes it. */
const SLACK_DAYS = 7;
/** A long weekend: prices further apart are of different days of trading. */
const MAX_APART_MS = 4 * 86_400_000;

/** The price by source; what is much older than the newest is not compared. */
export async function askPrices(asked: MarketContext, listing: Listing): Promise<SourceValues> {
  return toComparable(await loadPrices(asked, listing));
}

function toComparable({ values, missing }: SourceValues): SourceValues {
  const newest = Math.max(...values.map(timeOf));
  const why = (value: FoundValue): string | undefined =>
    newest - timeOf(value) > MAX_APART_MS ? `its price is of ${value.provenance.as_of.slice(0, 10)}` : undefined;
  const left = values.flatMap((value) => {
    const reason = why(value);
    return reason === undefined ? [] : [{ source: value.source, reason }];
  });
  return { values: values.filter((value) => why(value) === undefined), missing: [...missing, ...left] };
}

const timeOf = ({ provenance }: FoundValue): number => Date.parse(provenance.as_of);

async function loadPrices(asked: MarketContext, listing: Listing): Promise<SourceValues> {
  if (listing.type === "crypto") {
    return askEach(asked, "coinPrice", async (source, scope) => {
      const answer = await source.coinPrice?.({ listing }, scope);
      return answer && [toValue(answer, answer.data.price, answer.data.quoteCurrency)];
    });
  }
  return askEach(asked, "quote", async (source, scope) => {
    const answer = await source.quote?.({ listing, detail: "price" }, scope);
    return answer && [toValue(answer, answer.data.price, listing.currency)];
  });
}

/** A line of the income statements by source, every fiscal year there is. */
export async function askYears(asked: MarketContext, listing: Listing, line: string): Promise<SourceValues> {
  return askEach(asked, "statements", async (source, scope) => {
    const query = { listing, statement: "income", period: "annual", limit: MAX_YEARS } as const;
    const answer = await source.statements?.(query, scope);
    return answer?.data.flatMap((row) => toYear(answer.provenance, row, line));
  });
}

/** The newest fiscal year that two sources have; if no two share one, the newest of each, with a note. */
export function toCommonYear({ values, missing }: SourceValues): YearValues {
  const newestFirst = values.toSorted((one, other) => ((one.end ?? "") < (other.end ?? "") ? 1 : -1));
  const names = [...new Set(values.map(({ source }) => source))];
  const nearTo = (end: Day) =>
    names.flatMap((name) => newestFirst.find((own) => own.source === name && isNear(own, end)) ?? []);
  const shared = newestFirst.find(({ end }) => end !== undefined && nearTo(end).length > 1);
  if (shared?.end === undefined) {
    const newest = names.flatMap((name) => newestFirst.find(({ source }) => source === name) ?? []);
    const note =
      newest.length > 1 ? "no two sources have the same fiscal year: each value is of another one" : undefined;
    return { values: newest, missing, ...omitUndefined({ note }) };
  }
  const { label = "", start, end } = shared;
  const found = nearTo(end);
  const without = names.filter((name) => found.every(({ source }) => source !== name));
  const others = without.map((source) => {
    const newest = newestFirst.find((value) => value.source === source);
    return { source, reason: `has no fiscal year that ends on ${end}; its newest is ${newest?.label ?? "unknown"}` };
  });
  return { values: found, missing: [...missing, ...others], period: { label, ...omitUndefined({ start }), end } };
}

const isNear = ({ end }: FoundValue, day: Day): boolean =>
  end !== undefined && Math.abs(daysFrom(end, day)) <= SLACK_DAYS;

type Read = (source: MarketSource, scope: Scope) => Promise<readonly FoundValue[] | undefined>;

/** Asks every source of a capability; one that fails is missing, with the reason. */
async function askEach({ market, context }: MarketContext, capability: Capability, read: Read): Promise<SourceValues> {
  const sources = market.sourcesOf?.(capability) ?? [{ ...market, name: market.mode }];
  const tasks = sources.map((source) => async (own: Scope) => ({ source, found: await readOrNot(read, source, own) }));
  const answers = await context.scope.all(tasks);
  const failures = answers.flatMap(({ found }) => (found instanceof MarketError ? [found] : []));
  const values = answers.flatMap(({ found }) => (found instanceof MarketError ? [] : found));
  const telling = failures.find(({ kind }) => kind !== "no_data") ?? failures[0];
  if (values.length === 0 && telling !== undefined) throw telling;
  const missing = answers.flatMap(({ source, found }) => {
    if (!(found instanceof MarketError))
      return found.length > 0 ? [] : [{ source: source.name, reason: "has no value" }];
    return [{ source: source.name, reason: `${found.kind}: ${toSafeText(found.message, MAX_REASON)}` }];
  });
  return { values, missing };
}

async function readOrNot(read: Read, source: MarketSource, scope: Scope): Promise<readonly FoundValue[] | MarketError> {
  try {
    return ((await read(source, scope)) ?? []).filter(({ value }) => Number.isFinite(value));
  } catch (thrown) {
    if (!(thrown instanceof MarketError) || !scope.live) throw thrown;
    return thrown;
  }
}

function toValue({ provenance }: Sourced<unknown>, value: number, currency: string): FoundValue {
  return { source: provenance.source, value, currency, provenance };
}

function toYear(provenance: Provenance, row: PeriodRow, line: string): readonly FoundValue[] {
  const { label, start, end, filed, currency, derived, values } = row;
  const value = values.get(line);
  if (value === undefined) return [];
  return [
    {
      source: provenance.source,
      value,
      currency,
      label,
      ...omitUndefined({ start }),
      end,
      ...omitUndefined({ filed, derived }),
      provenance,
    },
  ];
}
