/**
 * Digest: the words that a tool's digest quotes from its source, and the names of listings among them.
 */
import type { Listing } from "../market/port/listing.ts";

/** What a listing is called. */
export type NamedFigure = Readonly<{ name: string; exchange?: string }>;

const MARK = '> "';

/** The quoted lines of a digest, as they were before they were escaped. */
export function quotedLines(digest: string): readonly string[] {
  return unescape(digest)
    .split("\n")
    .flatMap((line) => (line.startsWith(MARK) ? readQuoted(line.slice(2)) : []));
}

/** The text of a digest, as it was before it was escaped. */
export function unescape(digest: string): string {
  return digest.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function readQuoted(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? [value] : [];
  } catch {
    return [];
  }
}

type Quoting = Readonly<{ symbols: readonly string[]; quoted: readonly string[] }>;
type Known = Pick<Listing, "symbol" | "name" | "exchange">;

/** The names of all symbols: those that were locked first, then those that results tell. */
export function namedIn(calls: readonly Quoting[], locked: readonly Known[]): ReadonlyMap<string, NamedFigure> {
  const names = new Map<string, NamedFigure>(locked.map(({ symbol, name, exchange }) => [symbol, { name, exchange }]));
  for (const { symbols, quoted } of calls) {
    const known = new Set(symbols);
    for (const line of quoted) {
      const colon = line.indexOf(": ");
      const symbol = line.slice(0, Math.max(0, colon));
      if (known.has(symbol) && !names.has(symbol)) names.set(symbol, toNamed(line.slice(colon + 2)));
    }
  }
  return names;
}

const EXCHANGE = /^[A-Z][A-Z ]{2,14}$/;

/** `Super Micro Computer, Inc., NASDAQ, …`: the name goes to the first part that is an exchange. */
function toNamed(text: string): NamedFigure {
  const parts = text.split(", ");
  const at = parts.findIndex((part, index) => index > 0 && EXCHANGE.test(part));
  const exchange = parts[at];
  if (at === -1 || exchange === undefined) return { name: text };
  return { name: parts.slice(0, at).join(", "), exchange };
}
