import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { analysed, bySymbol, closesOf, LISTINGS, marketWith, priceOf, SECTORS } from "./testing/twenty-companies.ts";
import { numbersOf } from "../testing/numbers-of.ts";

/** Everything again, from the prices alone, by other formulas. */
function independently(confidence: number) {
  const members = LISTINGS.slice(0, 20).map(({ symbol, currency }, at) => {
    const closes = closesOf(at).slice(-253);
    const returns = closes.slice(1).map((close, day) => close / (closes[day] ?? 0) - 1);
    return { symbol, value: (at + 1) * priceOf(at) * (currency === "EUR" ? 1.25 : 1), returns, at };
  });
  const total = members.reduce((sum, { value }) => sum + value, 0);
  const cost = members.reduce((sum, { at }) => sum + (at + 1) * (40 + at * 2) * (at === 19 ? 1.25 : 1), 0);
  const daily = Array.from({ length: 252 }, (_, day) =>
    members.reduce((sum, { value, returns }) => sum + (value / total) * (returns[day] ?? 0), 0),
  );
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const cov = (one: readonly number[], other: readonly number[]) =>
    (mean(one.map((value, day) => value * (other[day] ?? 0))) - mean(one) * mean(other)) * (252 / 251);
  const index = closesOf(20).slice(-253);
  const benchmark = index.slice(1).map((close, day) => close / (index[day] ?? 0) - 1);
  const sorted = daily.toSorted((a, b) => a - b);
  const place = 251 * (1 - confidence);
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? 0;
  const sigma = Math.sqrt(cov(daily, daily));
  return {
    members,
    total,
    profit: total - cost,
    volatility: sigma * Math.sqrt(252) * 100,
    valueAtRisk: (low + (place - Math.floor(place)) * (high - low)) * 100,
    sharpe: ((mean(daily) - 0.045 / 252) / sigma) * Math.sqrt(252),
    beta: cov(daily, benchmark) / cov(benchmark, benchmark),
    betaOf: (at: number) => cov(members[at]?.returns ?? [], benchmark) / cov(benchmark, benchmark),
    shareOf: (at: number) => {
      const member = members[at];
      return member === undefined ? 0 : ((member.value / total) * cov(member.returns, daily)) / cov(daily, daily);
    },
    correlationOf: (a: number, b: number) => {
      const [one, other] = [members[a]?.returns ?? [], members[b]?.returns ?? []];
      return cov(one, other) / Math.sqrt(cov(one, one) * cov(other, other));
    },
  };
}

const near = (one: number | undefined, other: number, what: string) =>
  assert.ok(
    one !== undefined && Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other)),
    `${what}: ${one}, ${other}`,
  );

test("the figures of twenty imported holdings are those of an independent computation", async () => {
  const { data } = await analysed(marketWith(), { confidence: 0.97 });
  const expected = independently(0.97);
  assert.deepEqual([data.holdings_count, data.totals.valued, data.totals.costed], [20, 20, 20]);
  near(data.totals.value, expected.total, "value");
  near(data.totals.profit, expected.profit, "profit");
  for (const { symbol, weight_percent, value, beta, risk_contribution_percent: share } of data.holdings) {
    const { at = 0 } = bySymbol.get(symbol) ?? {};
    near(value, expected.members[at]?.value ?? 0, `value of ${symbol}`);
    near(weight_percent, ((expected.members[at]?.value ?? 0) / expected.total) * 100, `weight of ${symbol}`);
    near(beta, expected.betaOf(at), `beta of ${symbol}`);
    near(share, expected.shareOf(at) * 100, `contribution of ${symbol}`);
  }
  for (const { sector, weight_percent, holdings } of data.sectors) {
    const own = expected.members.filter(({ at }) => SECTORS[at % 4] === sector);
    assert.equal(holdings, own.length);
    near(weight_percent, (own.reduce((sum, { value }) => sum + value, 0) / expected.total) * 100, sector);
  }
  const weights = expected.members.map(({ value }) => value / expected.total).toSorted((a, b) => b - a);
  near(
    data.concentration.hhi,
    weights.reduce((sum, weight) => sum + weight ** 2, 0),
    "HHI",
  );
  near(data.concentration.top_3_percent, weights.slice(0, 3).reduce((sum, weight) => sum + weight, 0) * 100, "top 3");
  assert.equal(data.risk?.returns, 252);
  near(data.risk?.annual_volatility_percent, expected.volatility, "volatility");
  near(data.risk?.var.percent, expected.valueAtRisk, "VaR");
  near(data.risk?.var.amount, (expected.valueAtRisk / 100) * expected.total, "VaR in money");
  near(data.risk?.sharpe, expected.sharpe, "Sharpe");
  near(data.risk?.beta, expected.beta, "beta");
  const { symbols = [], rows = [] } = data.correlation ?? {};
  assert.equal(symbols.length, 20);
  const places = symbols.map((symbol) => bySymbol.get(symbol)?.at ?? 0);
  near(rows[2]?.[7], expected.correlationOf(places[2] ?? 0, places[7] ?? 0), "correlation");
});

test("a fall of a holding is direct, one of an index goes by betas, and both together count each holding once", async () => {
  const shocks = [
    { symbol: "TC", percent: -20 },
    { symbol: "^GSPC", percent: -10 },
  ];
  const { data } = await analysed(marketWith(), { shocks });
  const expected = independently(0.95);
  const own = expected.members[2]?.value ?? 0;
  const [direct, market] = data.shocks ?? [];
  near(direct?.change, own * -0.2, "direct");
  near(market?.change_percent, expected.beta * -10, "by beta");
  assert.deepEqual([direct?.method, market?.method], ["direct", "beta"]);
  const rest = expected.members.filter(({ at }) => at !== 2);
  const followed = rest.reduce((sum, { value, at }) => sum + value * expected.betaOf(at) * -0.1, 0);
  near(data.all_shocks?.change, own * -0.2 + followed, "together");
});

test("what is not held has no effect and says so; a symbol that is named twice is refused", async () => {
  const { data, investor } = await analysed(marketWith(), { shocks: [{ symbol: "TB", percent: -50 }] }, "TA,10,5");
  assert.deepEqual([data.shocks?.[0]?.method, data.shocks?.[0]?.change], ["none", undefined], "no data is not 0");
  const twice = [
    { symbol: "TA", percent: -1 },
    { symbol: "ta", percent: -2 },
  ];
  await assert.rejects(investor.call("analyzePortfolio", { shocks: twice }), /names? TA twice/);
});

test("every number is a fact or a count, and the digest leads with what was asked", async () => {
  const { output, investor } = await analysed(marketWith(), { shocks: [{ symbol: "TA", percent: -20 }] });
  const facts = z
    .array(z.looseObject({ path: z.string(), period: z.looseObject({ end: z.iso.date() }) }))
    .parse(await investor.facts("analyzePortfolio", output));
  const cited = new Set(facts.map(({ path }) => path));
  const plain =
    /holdings_count|totals\.(valued|costed)|\.version$|\.holdings$|returns$|days_per_year|confidence|horizon_days|correlation\.rows|shocks\[\d\]\.percent$/;
  const uncited = numbersOf(output).filter(({ path }) => !cited.has(path) && !plain.test(path));
  assert.deepEqual(uncited, []);
  assert.match(investor.digest("analyzePortfolio", output), /\nf1\.1\.1\.1 effect of TA -20 % -/);
});
