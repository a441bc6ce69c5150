/** Effect of moves that the user asks about, on the holdings that have a value. */
import { ToolError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../../../market/port/listing.ts";
import type { Provenance } from "../../../market/port/provenance.ts";
import type { MarketContext } from "../../frame/market-tool.ts";
import { percentOf as percent, tidy } from "../../shared/number.ts";
import { loadBetas } from "./analysis.ts";
import { requireHeldListing } from "../held-listing.ts";
import type { RiskSet } from "./risk-set.ts";
import { allEffects, effectsOf, type Exposed, type Move, totalOf } from "./shock.ts";
import type { OrReason, Valued } from "../valuation/valuation.ts";

/** A move that the user asks about, in percent: −20 is a fall of 20 %. */
export type Shock = Readonly<{ symbol: string; percent: number }>;

/** Effect of moves on the holdings of which it is known. */
export interface ShownEffect {
  readonly change: number;
  readonly change_percent: number;
  /** Of these holdings after it. */
  readonly value: number;
  /** Share of these holdings in the value of all. */
  readonly covers_percent: number;
}

/** Effect of a move on the portfolio; no figures if it is not known of any holding. */
export interface ShownShock extends Partial<ShownEffect> {
  readonly symbol: string;
  readonly name: string;
  readonly percent: number;
  readonly method: "direct" | "beta" | "none";
  readonly left_out?: readonly Readonly<{ symbol: string; reason: string }>[];
  readonly reason?: string;
}

/** All moves, and together if there are several. */
export interface ShownShocks {
  readonly shocks: readonly ShownShock[];
  readonly together?: ShownEffect;
  readonly origins: readonly Provenance[];
}

/** Holdings to which moves are applied. */
export type Exposure = Readonly<{ holdings: readonly Valued[]; set?: RiskSet | undefined; days: number }>;

/** The effects of all moves; a symbol that is not known throws. */
export async function loadShocks(
  asked: MarketContext,
  shocks: readonly Shock[],
  { holdings, set, days }: Exposure,
): Promise<ShownShocks> {
  const held = holdings.map(({ holding }) => holding.listing);
  const listings = shocks.map(({ symbol }) => requireHeldListing(asked.market, symbol, { held }));
  checkDistinct(listings);
  const exposed = holdings.flatMap(({ holding, value }): Exposed[] =>
    value === undefined ? [] : [{ symbol: holding.listing.symbol, value }],
  );
  const total = exposed.reduce((sum, { value }) => sum + value, 0);
  const origins: Provenance[] = [];
  const shown: ShownShock[] = [];
  const moves: Move[] = [];
  for (const [index, listing] of listings.entries()) {
    const moved = shocks[index]?.percent ?? 0;
    const found = await toMove(asked, { listing, percent: moved, exposed, held, set, days });
    const move = "reason" in found ? undefined : found.move;
    if (!("reason" in found)) origins.push(...found.origins);
    if (move !== undefined) moves.push(move);
    shown.push(showShock({ listing, percent: moved, exposed, total }, found));
  }
  const several = moves.length > 1 ? showEffect(allEffects(exposed, moves), { exposed, total }) : undefined;
  return { shocks: shown, origins, ...omitUndefined({ together: several }) };
}

function checkDistinct(listings: readonly Listing[]): void {
  const symbols = listings.map(({ symbol }) => symbol);
  const twice = symbols.find((symbol, index) => symbols.indexOf(symbol) !== index);
  if (twice !== undefined) throw new ToolError("validation", `shocks name ${twice} twice; give each symbol once`);
}

type Moving = Readonly<{
  listing: Listing;
  percent: number;
  exposed: readonly Exposed[];
  held: readonly Listing[];
  set: RiskSet | undefined;
  days: number;
}>;
type FoundMove = OrReason<Readonly<{ move: Move; origins: readonly Provenance[] }>>;

/** Direct if it is held; by betas if it is an index or a fund. */
async function toMove(asked: MarketContext, moving: Moving): Promise<FoundMove> {
  const { listing, percent: moved, exposed, held, set, days } = moving;
  const { symbol, type } = listing;
  if (exposed.some((one) => one.symbol === symbol)) return { move: { symbol, percent: moved }, origins: [] };
  if (held.some((one) => one.symbol === symbol)) return { reason: `${symbol} is held, but has no value today` };
  if (type === "stock" || type === "crypto")
    return { reason: `${symbol} is not held, and effects of other stocks or coins are not known` };
  if (set === undefined) return { reason: "no holding has enough daily prices for a beta" };
  const found = await loadBetas(asked, set, { symbol, days });
  if ("reason" in found) return found;
  return { move: { symbol, percent: moved, betas: found.betas }, origins: [found.origin] };
}

type Showing = Pick<Moving, "listing" | "percent" | "exposed"> & Readonly<{ total: number }>;

function showShock({ listing, percent: moved, exposed, total }: Showing, found: FoundMove): ShownShock {
  const what = { symbol: listing.symbol, name: listing.name, percent: moved };
  if ("reason" in found) return { ...what, method: "none", reason: found.reason };
  const effects = effectsOf(exposed, found.move);
  const shown = showEffect(effects, { exposed, total });
  const without = exposed.filter(({ symbol }) => !effects.has(symbol)).map(({ symbol }) => symbol);
  const leftOut = without.map((symbol) => ({ symbol, reason: `it has no beta to ${listing.symbol}` }));
  if (shown === undefined) return { ...what, method: "none", reason: `no holding has a beta to ${listing.symbol}` };
  return {
    ...what,
    method: found.move.betas === undefined ? "direct" : "beta",
    ...shown,
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
  };
}

/** The effect on the holdings of which it is known; undefined if there are none. */
function showEffect(
  effects: ReadonlyMap<string, number>,
  { exposed, total }: Pick<Showing, "exposed" | "total">,
): ShownEffect | undefined {
  const covered = exposed.reduce((sum, { symbol, value }) => sum + (effects.has(symbol) ? value : 0), 0);
  const change = totalOf(effects);
  if (!(covered > 0)) return undefined;
  return {
    change: tidy(change),
    change_percent: percent(change / covered),
    value: tidy(covered + change),
    covers_percent: percent(covered / total),
  };
}
