/**
 * Analysis figures: every number of an analysis that a person could cite: what was asked as a what-if first, then
 * totals and risk, sectors, holdings, correlations.
 */
import type { Figure, Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { Provenance } from "../../../market/port/provenance.ts";
import { citeFields, ofOrigin } from "../../shared/figures.ts";
import { percentOf as percent } from "../../shared/number.ts";
import { citeRate } from "../../risk/risk-free.ts";
import { dated, holdingFigures, rateFigure, totalFigures } from "../valuation/portfolio-figures.ts";
import { PORTFOLIO } from "../valuation/valued-portfolio.ts";
import type { Analysis } from "./analyse.ts";
import type { ShownCorrelation, ShownRisk } from "./analysis.ts";
import type { ShownEffect } from "./what-if.ts";

const WHOLE = { symbol: PORTFOLIO, currency: "" };

/** The figures of an analysis. */
export function analysisFigures(data: Analysis, provenance: Provenance): readonly Figure[] {
  const { origins, currency, risk, correlation, sectors, rates = [] } = data;
  const spread = citeFields(
    WHOLE,
    ["data.concentration", data.concentration],
    [
      ["hhi", "ratio", "Herfindahl index (HHI)"],
      ["effective_holdings", "ratio", "effective number of holdings"],
      ["top_3_percent", "percent", "weight of the three largest"],
    ],
  );
  const bySector = sectors.flatMap((row, at) =>
    citeFields(
      { symbol: row.sector, currency },
      [`data.sectors[${at}]`, row],
      [
        ["weight_percent", "percent", "weight of the sector"],
        ["value", "money", "value of the sector"],
        ["change_percent", "percent", "change of the day"],
      ],
    ),
  );
  const figures = [
    ...shockFigures(data),
    ...ofOrigin(totalFigures(data.totals, currency), origins.value),
    ...(risk === undefined ? [] : ofOrigin(riskFigures(risk, currency), origins.risk)),
    ...(risk === undefined ? [] : citeRate({ symbol: PORTFOLIO, window: risk.window }, "data.risk", risk.risk_free)),
    ...ofOrigin([...spread, ...bySector], origins.value),
    ...data.holdings.flatMap((holding, at) => analysedFigures(holding, at, data)),
    ...(correlation === undefined ? [] : ofOrigin(correlationFigures(correlation, risk?.window), origins.risk)),
    ...rates.map(rateFigure),
  ];
  return dated(figures, provenance);
}

function shockFigures({ shocks = [], all_shocks, currency, origins }: Analysis): readonly Figure[] {
  const of = (place: string, effect: Partial<ShownEffect>, metric: string) =>
    citeFields(
      { symbol: PORTFOLIO, currency },
      [place, effect],
      [
        ["change", "money", metric],
        ["change_percent", "percent", metric],
        ["value", "money", `value after the ${metric}`],
        ["covers_percent", "percent", `share of the value that the ${metric} covers`],
      ],
    );
  const single = shocks.flatMap((shock, at) => {
    const { symbol, percent: moved, method } = shock;
    const metric = `effect of ${symbol} ${moved > 0 ? "+" : ""}${moved} %${method === "beta" ? " by beta" : ""}`;
    return ofOrigin(of(`data.shocks[${at}]`, shock, metric), method === "beta" ? origins.risk : origins.value);
  });
  return [...single, ...of("data.all_shocks", all_shocks ?? {}, "effect of all moves together")];
}

function riskFigures(risk: ShownRisk, currency: string): readonly Figure[] {
  const name = `1-day historical VaR(${percent(risk.var.confidence)} %)`;
  return citeFields(
    { symbol: PORTFOLIO, currency, period: risk.window },
    ["data.risk", risk],
    [
      ["risk_score", "points", "risk score"],
      ["annual_volatility_percent", "percent", "annual volatility"],
      ["var.percent", "percent", name],
      ["var.amount", "money", name],
      ["beta", "ratio", `beta to ${risk.benchmark}`],
      ["sharpe", "ratio", "Sharpe ratio"],
      ["sortino", "ratio", "Sortino ratio"],
      ["max_drawdown_percent", "percent", "maximum drawdown", risk.drawdown_window],
      ["daily_volatility_percent", "percent", "daily volatility"],
      ["mean_daily_return_percent", "percent", "mean daily return"],
      ["value_percent", "percent", "share of the value that the risk is of"],
    ],
  );
}

function analysedFigures(holding: Analysis["holdings"][number], at: number, data: Analysis): readonly Figure[] {
  const { currency, origins, risk } = data;
  const place = `data.holdings[${at}]`;
  const owner = { symbol: holding.symbol, currency, ...omitUndefined({ period: risk?.window }) };
  const own = citeFields(
    owner,
    [place, holding],
    [
      ["risk_contribution_percent", "percent", "contribution to the risk"],
      ["beta", "ratio", `beta to ${risk?.benchmark ?? ""}`],
      ["annual_volatility_percent", "percent", "annual volatility"],
    ],
  );
  return [...holdingFigures(holding, { place, currency, origins }), ...ofOrigin(own, origins.risk)];
}

function correlationFigures(data: ShownCorrelation, period: Period | undefined): readonly Figure[] {
  const metric = "correlation of daily returns";
  const of = (symbol: string) => ({ symbol, currency: "", ...omitUndefined({ period }) });
  const extremes = (["highest", "lowest"] as const).flatMap((name) =>
    citeFields(
      of(data[name]?.symbols.join("/") ?? ""),
      ["data.correlation", data],
      [[`${name}.value`, "ratio", `${name} ${metric}`]],
    ),
  );
  const pairs = data.rows.flatMap((row, one) =>
    row.flatMap((value, other): readonly Figure[] => {
      const symbol = `${data.symbols[one]}/${data.symbols[other]}`;
      const path = `data.correlation.rows[${one}][${other}]`;
      return other > one ? [{ ...of(symbol), path, value, unit: "ratio", metric }] : [];
    }),
  );
  const mean = citeFields(of(PORTFOLIO), ["data.correlation", data], [["average", "ratio", `average ${metric}`]]);
  return [...mean, ...extremes, ...pairs];
}
