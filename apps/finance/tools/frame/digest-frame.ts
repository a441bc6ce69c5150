/**
 * Digest frame: the head of a market tool's digest (tool, listing, day and age, source) and the lines after its facts
 * (what was applied, what is missing, why there is no data).
 */
import { ageInDays, ageInWords, type DigestFrame, type Fact, toPeriodName } from "@baton/assistant";
import type { Json } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Provenance } from "../../market/port/provenance.ts";
import { toSafeName } from "../shared/untrusted.ts";

/** Words of a tool beside its facts and the words it quotes. */
export interface DigestWords {
  /** Shared by all lines: `as reported, not adjusted for later splits`. */
  readonly shared?: readonly string[];
  /** Criteria that were applied. */
  readonly applied?: readonly string[];
  /** Asked for, and not there. */
  readonly missing?: readonly string[];
  /** Further lines. */
  readonly notes?: readonly string[];
  /** Several facts share a line. */
  readonly isCompact?: boolean;
  /** The metrics that are shown, if not all are. */
  readonly only?: ReadonlySet<string>;
  /** The part that a row has in the list, by symbol: `gainer`. */
  readonly labels?: ReadonlyMap<string, string>;
}

/** A result with all that a digest is made of. */
export interface Framed {
  readonly tool: string;
  readonly output: object;
  readonly facts: readonly Fact[];
  readonly words: DigestWords;
}

const IDENTITY = z.object({
  symbol: z.string(),
  name: z.string(),
  exchange: z.string(),
  currency: z.string().optional(),
  type: z.string().optional(),
});
type Identity = z.infer<typeof IDENTITY>;

const OUTPUT = z.object({
  data: z.custom<Json>().optional(),
  provenance: z.custom<Provenance>((value) => typeof value === "object" && value !== null).optional(),
  asked_on: z.string().optional(),
  no_data: z.boolean().optional(),
  message: z.string().optional(),
  symbol: z.string().optional(),
  available: z.string().optional(),
  enable: z.string().optional(),
  candidates: z.array(IDENTITY).optional(),
  taken: z.array(z.string()).optional(),
  managers: z.array(z.unknown()).optional(),
});
type Output = z.infer<typeof OUTPUT>;

/** Head, shared values and last lines of a digest. */
export function toFrame({ tool, output, facts, words }: Framed): DigestFrame {
  const parsed = OUTPUT.parse(output);
  if (parsed.provenance === undefined) return toEmptyFrame(tool, parsed);
  const listings = listingsIn(parsed.data ?? {});
  const { provenance, asked_on } = parsed;
  const money = [...new Set(facts.flatMap(({ currency }) => currency ?? []))];
  const currency = money.length === 1 ? money[0] : undefined;
  const shown = usualOf(facts) ?? newestOf(facts, provenance);
  const head = [
    [tool, toSubject(listings, facts)].filter((part) => part !== "").join(" "),
    ...(currency === undefined ? [] : [currency]),
    ...(words.shared ?? []),
    [shown.name, toAge(shown.day, asked_on)].filter((part) => part !== "").join(", "),
    toSource(provenance),
    ...(words.applied === undefined ? [] : [`applied: ${words.applied.join(", ") || "no criteria"}`]),
  ].join(" · ");
  return {
    head,
    ...omitUndefined({ currency, isCompact: words.isCompact, only: words.only }),
    day: shown.name,
    names: new Map(
      listings.map(({ symbol, name, exchange }) => {
        const label = words.labels?.get(symbol);
        return [symbol, `${toSafeName(name)} (${exchange}${label === undefined ? "" : `, ${label}`})`];
      }),
    ),
    tail: [
      ...(words.missing === undefined || words.missing.length === 0 ? [] : [`missing: ${words.missing.join("; ")}`]),
      ...(words.notes ?? []),
      ...(provenance.note === undefined ? [] : [`note: ${toSafeName(provenance.note, MAX_NOTE)}`]),
      ...(toCandidates(parsed).tail ?? []),
    ],
  };
}

const MAX_NOTE = 300;

/** `NVDA = NVIDIA Corporation, NASDAQ`, or how many there are. */
function toSubject(listings: readonly Identity[], facts: readonly Fact[]): string {
  const [one] = listings;
  if (one !== undefined && listings.length === 1) {
    return `${one.symbol} = ${toSafeName(one.name)}, ${one.exchange}${one.type === "index" ? ", index points" : ""}`;
  }
  const symbols = new Set(facts.map(({ symbol }) => symbol));
  return symbols.size > 1 ? `${symbols.size} rows` : "";
}

/** The period that most of the facts have: what a user entered today does not make prices of today. */
function usualOf(facts: readonly Fact[]): Readonly<{ name: string; day: string }> | undefined {
  const groups = [...Map.groupBy(facts, toPeriodName)].toSorted(([, a], [, b]) => b.length - a.length);
  const [name, own] = groups[0] ?? [];
  const end = own?.[0]?.period?.end;
  const isUsual = name !== undefined && own !== undefined && end !== undefined && 2 * own.length > facts.length;
  return isUsual ? { name, day: end } : undefined;
}

/** The newest moment of the facts; a fiscal period by its name. */
function newestOf(facts: readonly Fact[], { as_of }: Provenance): Readonly<{ name: string; day: string }> {
  const day = as_of.slice(0, 10);
  const ended = facts.flatMap(({ period }) => (period === undefined ? [] : [period]));
  const [newest] = ended.toSorted((a, b) => (a.end < b.end ? 1 : a.end > b.end ? -1 : 0));
  if (newest === undefined) return { name: day, day };
  const isFiscal = newest.label !== undefined && /^(?:FY|Q[1-4]|TTM)/.test(newest.label);
  return { name: isFiscal ? `newest ${newest.label}` : newest.end, day: newest.end };
}

/** Nothing is said of the age of what is of today or to come. */
function toAge(day: string, askedOn: string | undefined): string {
  return askedOn === undefined || ageInDays(day, askedOn) < 1 ? "" : ageInWords(day, askedOn);
}

function toSource({ kind, source, delay_s, stale, unofficial }: Provenance): string {
  const more = [
    ...(stale === true ? ["stale: its source is down"] : []),
    ...(unofficial === true ? ["unofficial"] : []),
  ];
  const origin = [source, ...more].join(", ");
  if (kind === "live") return `live (${origin})`;
  if (kind === "delayed")
    return `delayed${delay_s === undefined ? "" : ` ${Math.round(delay_s / 60)} min`} (${origin})`;
  return more.length === 0 ? "stored" : `stored (${more.join(", ")})`;
}

/** Names of managers are strangers' words. */
function toEmptyFrame(tool: string, output: Output): DigestFrame {
  const { available, managers = [] } = output;
  if (managers.length === 0 || available === undefined) return { head: toNone(tool, output), ...toCandidates(output) };
  return { head: `${tool}: ${output.message ?? ""}`, quoted: [`there is: ${available}`] };
}

function toNone(tool: string, { no_data, message = "", symbol, available, enable }: Output): string {
  if (no_data !== true) return `${tool}: ${message}${available === undefined ? "" : `. There is: ${available}`}`;
  const of = symbol === undefined || message.includes(symbol) ? "" : ` of ${symbol}`;
  const more = [
    ...(available === undefined || message.includes(available) ? [] : [`There is: ${available}`]),
    ...(enable === undefined || message.includes(enable) ? [] : [`To get it: ${enable}`]),
  ];
  return [`no data: ${tool}${of}: ${message}`, ...more].join(". ");
}

function toCandidates({ candidates = [], taken = [] }: Output): Pick<DigestFrame, "tail"> {
  if (candidates.length === 0) return {};
  const names = candidates.map(({ symbol, name, exchange }) => `${symbol} = ${toSafeName(name)}, ${exchange}`);
  const said = taken.length === 0 ? "candidates" : `taken: ${taken.join(", ")}; candidates`;
  return { tail: [`${said}: ${names.join(" · ")}`] };
}

const MAX_LISTINGS = 200;
const MAX_OPEN = 5_000;

/** Listings that a result echoes: its own, or those of its rows, however deep. */
function listingsIn(data: Json): readonly Identity[] {
  const own = IDENTITY.safeParse(data).data;
  if (own !== undefined) return [own];
  const found = new Map<string, Identity>();
  const open: Json[] = [data];
  for (let value = open.shift(); value !== undefined && found.size < MAX_LISTINGS; value = open.shift()) {
    if (typeof value !== "object" || value === null) continue;
    const listing = IDENTITY.safeParse(value).data;
    if (listing !== undefined) found.set(listing.symbol, listing);
    else if (open.length < MAX_OPEN) open.push(...Object.values(value).filter((part) => typeof part === "object"));
  }
  return [...found.values()];
}
