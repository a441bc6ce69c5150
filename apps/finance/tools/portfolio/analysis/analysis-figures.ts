/**
 * Analysis figures: every number of an analysis that a person could cite: what was asked as a what-if first, then
 * totals and risk, sectors, holdings, correlations.
 */
import type { Figure, Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { Provenance } from "../../../market/port/provenance.ts";
import { cite, type CitedNumber } from "../../shared/figures.ts";
import { percentOf as percent } from "../../shared/number.ts";
import type { ShownCorrelation, ShownRisk } from "./analysis.ts";
import type { AnalysedHolding, Analysis, ShownSector } from "./shown-analysis.ts";
import { dated, holdingFigures, ofOrigin, totalFigures, rateFigure } from "../valuation/portfolio-figures.ts";
import { PORTFOLIO } from "../valuation/valued-portfolio.ts";
import type { ShownEffect, ShownShock } from "./what-if.ts";

/** The figures of an analysis. */
export function analysisFigures(data: Analysis, provenance: Provenance): readonly Figure[] {
  const { origins, currency, risk } = data;
  return dated(
    [
      ...shockFigures(data),
      ...ofOrigin(totalFigures(data.totals, currency), origins.value),
      ...(risk === undefined ? [] : ofOrigin(riskFigures(risk, currency), origins.risk)),
      ...(risk === undefined ? [] : rateOfRisk(risk)),
      ...ofOrigin(concentrationFigures(data), origins.value),
      ...ofOrigin(
        data.sectors.flatMap((sector, at) => sectorFigures(sector, at, currency)),
        origins.value,
      ),
      ...data.holdings.flatMap((holding, at) => analysedFigures(holding, at, data)),
      ...(data.correlation === undefined
        ? []
        : ofOrigin(correlationFigures(data.correlation, risk?.window), origins.risk)),
      ...(data.rates ?? []).map(rateFigure),
    ],
    provenance,
  );
}

function shockFigures({ shocks = [], all_shocks: all, currency, origins }: Analysis): readonly Figure[] {
  const of = (place: string, effect: Partial<ShownEffect>, metric: string) =>
    cite({ symbol: PORTFOLIO, currency }, [
      { path: `${place}.change`, value: effect.change, unit: "money", metric },
      { path: `${place}.change_percent`, value: effect.change_percent, unit: "percent", metric },
      { path: `${place}.value`, value: effect.value, unit: "money", metric: `value after the ${metric}` },
      {
        path: `${place}.covers_percent`,
        value: effect.covers_percent,
        unit: "percent",
        metric: `share of the value that the ${metric} covers`,
      },
    ]);
  const single = shocks.flatMap((shock, at) => {
    const origin = shock.method === "beta" ? origins.risk : origins.value;
    return ofOrigin(of(`data.shocks[${at}]`, shock, toMetric(shock)), origin);
  });
  return all === undefined ? single : [...single, ...of("data.all_shocks", all, "effect of all moves together")];
}

const toMetric = ({ symbol, percent: moved, method }: ShownShock): string =>
  `effect of ${symbol} ${moved > 0 ? "+" : ""}${moved} %${method === "beta" ? " by beta" : ""}`;

function riskFigures(risk: ShownRisk, currency: string): readonly Figure[] {
  const { window: period, var: loss } = risk;
  const name = `1-day historical VaR(${percent(loss.confidence)} %)`;
  const of = (path: string, value: number | undefined, words: Pick<CitedNumber, "unit" | "metric">): CitedNumber => ({
    path: `data.risk.${path}`,
    value,
    period,
    ...words,
  });
  return cite({ symbol: PORTFOLIO, currency }, [
    of("risk_score", risk.risk_score, { unit: "points", metric: "risk score" }),
    of("annual_volatility_percent", risk.annual_volatility_percent, { unit: "percent", metric: "annual volatility" }),
    of("var.percent", loss.percent, { unit: "percent", metric: name }),
    of("var.amount", loss.amount, { unit: "money", metric: name }),
    of("beta", risk.beta, { unit: "ratio", metric: `beta to ${risk.benchmark}` }),
    of("sharpe", risk.sharpe, { unit: "ratio", metric: "Sharpe ratio" }),
    of("sortino", risk.sortino, { unit: "ratio", metric: "Sortino ratio" }),
    {
      ...of("max_drawdown_percent", risk.max_drawdown_percent, { unit: "percent", metric: "maximum drawdown" }),
      period: risk.drawdown_window,
    },
    of("daily_volatility_percent", risk.daily_volatility_percent, { unit: "percent", metric: "daily volatility" }),
    of("mean_daily_return_percent", risk.mean_daily_return_percent, { unit: "percent", metric: "mean daily return" }),
    of("value_percent", risk.value_percent, { unit: "percent", metric: "share of the value that the risk is of" }),
  ]);
}

/** The risk-free rate, with where it comes from. */
function rateOfRisk({ risk_free: { rate_percent: value, day, source, kind, as_of: asOf }, window }: ShownRisk) {
  const cited: CitedNumber = {
    path: "data.risk.risk_free.rate_percent",
    value,
    unit: "percent",
    metric: "risk-free rate",
    period: { end: day ?? window.end },
  };
  const figures = cite({ symbol: PORTFOLIO, currency: "" }, [cited]);
  return figures.map((figure) => ({ ...figure, ...omitUndefined({ source, kind, asOf }) }));
}

function concentrationFigures({ concentration }: Analysis): readonly Figure[] {
  const { hhi, effective_holdings: effective, top_3_percent: three } = concentration;
  return cite({ symbol: PORTFOLIO, currency: "" }, [
    { path: "data.concentration.hhi", value: hhi, unit: "ratio", metric: "Herfindahl index (HHI)" },
    {
      path: "data.concentration.effective_holdings",
      value: effective,
      unit: "ratio",
      metric: "effective number of holdings",
    },
    { path: "data.concentration.top_3_percent", value: three, unit: "percent", metric: "weight of the three largest" },
  ]);
}

function sectorFigures(row: ShownSector, at: number, currency: string): readonly Figure[] {
  const place = `data.sectors[${at}]`;
  return cite({ symbol: row.sector, currency }, [
    { path: `${place}.weight_percent`, value: row.weight_percent, unit: "percent", metric: "weight of the sector" },
    { path: `${place}.value`, value: row.value, unit: "money", metric: "value of the sector" },
    { path: `${place}.change_percent`, value: row.change_percent, unit: "percent", metric: "change of the day" },
  ]);
}

function analysedFigures(
  holding: AnalysedHolding,
  at: number,
  { currency, origins, risk }: Analysis,
): readonly Figure[] {
  const place = `data.holdings[${at}]`;
  const { symbol, risk_contribution_percent: part, beta, annual_volatility_percent: volatility } = holding;
  const window = omitUndefined({ period: risk?.window });
  const own = cite({ symbol, currency }, [
    {
      path: `${place}.risk_contribution_percent`,
      value: part,
      unit: "percent",
      metric: "contribution to the risk",
      ...window,
    },
    { path: `${place}.beta`, value: beta, unit: "ratio", metric: `beta to ${risk?.benchmark ?? ""}`, ...window },
    {
      path: `${place}.annual_volatility_percent`,
      value: volatility,
      unit: "percent",
      metric: "annual volatility",
      ...window,
    },
  ]);
  return [...holdingFigures(holding, { place, currency, origins }), ...ofOrigin(own, origins.risk)];
}

function correlationFigures(
  { symbols, rows, average, ...ends }: ShownCorrelation,
  window: Period | undefined,
): readonly Figure[] {
  const metric = "correlation of daily returns";
  const extremes = (["highest", "lowest"] as const).flatMap((name) => {
    const pair = ends[name];
    const path = `data.correlation.${name}.value`;
    const cited: CitedNumber = { path, value: pair?.value, unit: "ratio", metric: `${name} ${metric}` };
    return cite({ symbol: pair?.symbols.join("/") ?? "", currency: "" }, [cited]);
  });
  const pairs = rows.flatMap((row, one) =>
    row.flatMap((value, other) => {
      const symbol = `${symbols[one]}/${symbols[other]}`;
      const path = `data.correlation.rows[${one}][${other}]`;
      return other > one ? cite({ symbol, currency: "" }, [{ path, value, unit: "ratio", metric }]) : [];
    }),
  );
  const mean: CitedNumber = {
    path: "data.correlation.average",
    value: average,
    unit: "ratio",
    metric: `average ${metric}`,
  };
  const all = [...cite({ symbol: PORTFOLIO, currency: "" }, [mean]), ...extremes, ...pairs];
  return all.map((figure) => ({ ...figure, ...omitUndefined({ period: window }) }));
}
