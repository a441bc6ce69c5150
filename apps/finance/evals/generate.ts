/**
 * Generate: questions made of templates and the symbol directory, different for each seed.
 *
 * A listing is called by its ticker or by the name that people use, if the directory finds exactly that listing by it.
 */
import type { Scope } from "@baton/core/ports";
import { parseCompanyName } from "../market/directory/company-name.ts";
import { randomOf } from "./random.ts";
import type { Listing } from "../market/port/listing.ts";
import type { MarketData } from "../market/port/market-data.ts";
import { parseQuestions } from "./question-lines.ts";
import type { Question } from "./question.ts";
import { COIN_TEMPLATES, COMPANY_TEMPLATES, VIETNAM_TEMPLATES } from "./templates.ts";

/** Listings to ask about. */
export interface Listed {
  readonly companies: readonly Listing[];
  readonly coins: readonly Listing[];
  readonly vietnam: readonly Listing[];
  /** Finds the listing that a name means; undefined if there is none or several. */
  readonly find: (name: string) => Listing | undefined;
}

const PROMINENT = 300;
const MIN_CAP_USD = 20e9;
const VIETNAM_EXCHANGES = ["HOSE", "HNX", "UPCOM"];

/** The large companies of the US, the coins and the listings of Vietnam. */
export async function listed(market: MarketData, scope: Scope): Promise<Listed> {
  const { data } = await market.screener({ marketCapMoreThan: MIN_CAP_USD, limit: PROMINENT }, scope);
  const all = [...market.directory.listings()];
  return {
    companies: data.rows.map(({ listing }) => listing).filter(({ exchange }) => ["NASDAQ", "NYSE"].includes(exchange)),
    coins: all.filter(({ type }) => type === "crypto"),
    vietnam: all.filter(({ exchange, type }) => VIETNAM_EXCHANGES.includes(exchange) && type === "stock"),
    find: (name) => {
      const found = market.directory.resolve(name);
      return found.kind === "one" && found.by !== "typo" ? found.listing : undefined;
    },
  };
}

/** Questions of each kind out of 100. */
const SHARES = { companies: 70, coins: 12, vietnam: 18 } as const;
const TEMPLATES = { companies: COMPANY_TEMPLATES, coins: COIN_TEMPLATES, vietnam: VIETNAM_TEMPLATES } as const;
const KINDS = ["companies", "coins", "vietnam"] as const;

/** A hundred questions that follow from the seed. */
export function generate(seed: string, from: Listed): readonly Question[] {
  const random = randomOf(`evals ${seed}`);
  const below = (limit: number): number => Math.floor(random.uniform() * limit);
  const lines = KINDS.flatMap((kind) => {
    const templates = TEMPLATES[kind].trim().split("\n");
    const called = from[kind].map((listing) => ({ symbol: listing.symbol, names: toNames(listing, from) }));
    const known = called.filter(({ names }) => names.length > 0);
    return Array.from({ length: SHARES[kind] }, (_, n) => {
      const first = below(known.length);
      // Another one than the first.
      const second = (first + 1 + below(known.length - 1)) % known.length;
      const [one, other] = [known[first], known[second]];
      const template = templates[below(templates.length)] ?? "";
      const values: readonly (readonly [string, string])[] = [
        ["{a}", one?.names[below(one.names.length)] ?? ""],
        ["{b}", other?.names[below(other.names.length)] ?? ""],
        ["{A}", one?.symbol ?? ""],
        ["{B}", other?.symbol ?? ""],
        ["{n}", String([5, 10, 21, 30, 50, 100][below(6)])],
        ["{m}", String((1 + below(50)) * 1_000)],
      ];
      const line = values.reduce((text, [place, value]) => text.replaceAll(place, value), template);
      return `made-${kind}-${n + 1} | ${line}`;
    });
  });
  return parseQuestions(lines.join("\n"));
}

/** A name of one short word is not how people ask. */
const MIN_NAME_CHARS = 5;
const MAX_NAME_WORDS = 3;

/** Returns the ticker and the name of a listing, if they mean nothing else. */
function toNames(listing: Listing, { find }: Listed): readonly string[] {
  const { core, isSecondary } = parseCompanyName(listing.name);
  const isName = !isSecondary && core.length >= MIN_NAME_CHARS && core.split(" ").length <= MAX_NAME_WORDS;
  return [listing.symbol, ...(isName ? [core] : [])].filter((name) => find(name)?.symbol === listing.symbol);
}
