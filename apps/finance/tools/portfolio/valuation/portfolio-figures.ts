/**
 * Portfolio figures: the numbers of holdings and totals as figures. What the user said is of the portfolio; prices and
 * what is computed from them are of the market.
 */
import type { Figure } from "@baton/assistant";
import type { Provenance } from "../../../market/port/provenance.ts";
import { citeFields, type FigureRow, ofOrigin } from "../../shared/figures.ts";
import type { CurrencyRate } from "./load-prices.ts";
import { PORTFOLIO, type ShownHolding, type ShownTotals } from "./valued-portfolio.ts";

/** Figures that all have a period: those without one are of the day of their origin. */
export function dated(figures: readonly Figure[], { as_of }: Pick<Provenance, "as_of">): readonly Figure[] {
  return figures.map((figure) => ({ period: { end: (figure.asOf ?? as_of).slice(0, 10) }, ...figure }));
}

/** The numbers of the totals. */
export const totalFigures = (totals: ShownTotals, currency: string): readonly Figure[] =>
  citeFields(
    { symbol: PORTFOLIO, currency },
    ["data.totals", totals],
    [
      ["value", "money", "value"],
      ["profit", "money", "profit or loss"],
      ["profit_percent", "percent", "profit or loss"],
      ["cost", "money", "cost"],
      ["day_change", "money", "change of the day"],
      ["day_change_percent", "percent", "change of the day"],
    ],
  );

/** Entries of the user for a holding. */
type OwnHolding = Pick<ShownHolding, "symbol" | "type" | "currency" | "quantity" | "average_cost" | "cost_currency">;

/** Quantity and average cost. */
export const ownFigures = (place: string, holding: OwnHolding): readonly Figure[] =>
  citeFields(
    { ...holding, currency: holding.cost_currency ?? holding.currency },
    [place, holding],
    [
      ["quantity", "volume", "quantity held"],
      ["average_cost", "price", "average cost"],
    ],
  );

/** Context for citing a holding: its path, the currency of its value, and the origins of values and entries. */
export type Citing = Readonly<{
  place: string;
  currency: string;
  origins: Readonly<{ value?: Provenance; entered: Provenance }>;
}>;

/** Value, weight, profit, price, cost and quantity of a holding. */
export function holdingFigures(holding: Omit<ShownHolding, "lots">, citing: Citing): readonly Figure[] {
  const { place, currency, origins } = citing;
  const { symbol, type, price_currency = holding.currency, price_origin: own } = holding;
  const of = (code: string, ...rows: readonly FigureRow[]) =>
    citeFields({ symbol, type, currency: code }, [place, holding], rows);
  return [
    ...ofOrigin(of(currency, ["value", "money", "value of the holding"]), own),
    ...ofOrigin(of(currency, ["weight_percent", "percent", "weight"]), origins.value),
    ...ofOrigin(
      of(currency, ["profit", "money", "profit or loss"], ["profit_percent", "percent", "profit or loss"]),
      own,
    ),
    ...ofOrigin(
      of(price_currency, ["price", "price", "price"], ["change_percent", "percent", "change of the day"]),
      own,
    ),
    ...ofOrigin(of(currency, ["cost", "money", "cost of the holding"]), origins.entered),
    ...ofOrigin(ownFigures(place, holding), origins.entered),
  ];
}

/** Quantity and cost of each lot; one lot is the holding itself. */
export const lotFigures = (place: string, { symbol, type, lots }: Pick<ShownHolding, "symbol" | "type" | "lots">) =>
  lots.flatMap((lot, at) =>
    lots.length < 2
      ? []
      : citeFields(
          { symbol, type, currency: lot.currency },
          [`${place}.lots[${at}]`, lot],
          [
            ["quantity", "volume", `quantity of lot ${at + 1}`],
            ["cost", "price", `cost of lot ${at + 1}`],
          ],
        ),
  );

/** A rate as a figure. */
export function rateFigure({ from, to, rate, day, source, kind }: CurrencyRate, at: number): Figure {
  const figure = { path: `data.rates[${at}].rate`, value: rate, unit: "money", currency: to } as const;
  return { ...figure, symbol: `${from}/${to}`, metric: `1 ${from} in ${to}`, period: { end: day }, source, kind };
}
