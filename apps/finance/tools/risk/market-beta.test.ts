import assert from "node:assert/strict";
import { test } from "node:test";
import { sliceBars } from "../../market/port/bars.ts";
import type { Capabilities } from "../../market/port/market-data.ts";
import { clip } from "../shared/daily.ts";
import { pickAll } from "../testing/pick.ts";
import { ACME, answerOf, barsOf, sourced, stubMarket } from "../testing/stub-market.ts";
import { benchmarkOf } from "./market-beta.ts";
import { volatilityAnalysisTool } from "./risk-tools.ts";

/** An index that goes on for 400 days after the last day of a stock, which moves twice as much. */
const DAYS = 700;
const LATER = 400;
const moves = Array.from({ length: DAYS }, (_, at) => Math.sin(at) / 100);
const closes = (factor: number) =>
  moves.reduce<number[]>((all, move) => [...all, (all.at(-1) ?? 100) * (1 + factor * move)], []);
const INDEX = barsOf(closes(1));
const STOCK = sliceBars(barsOf(closes(2)), 0, DAYS - LATER);

const bars: Capabilities["bars"] = async ({ listing, to, limit = 250 }) => {
  const all = clip(listing.symbol === ACME.symbol ? STOCK : INDEX, to === undefined ? {} : { to });
  return sourced(sliceBars(all, Math.max(0, all.t.length - limit)));
};

test("a beta is of the days that both have, also if the index goes on, and says which", async () => {
  const answer = await answerOf(stubMarket({ bars }), volatilityAnalysisTool, { symbol: "ACME", days: 100 });
  const [beta, returns, end, own] = pickAll(
    answer,
    "data.beta",
    "data.beta_basis.returns",
    "data.beta_basis.window.end",
    "data.window.end",
  );
  assert.ok(typeof beta === "number" && Math.abs(beta - 2) < 1e-6, `beta is ${String(beta)}`);
  assert.deepEqual([returns, end], [100, own]);
});

test("a Vietnamese stock is measured by the index of its exchange", () => {
  assert.deepEqual(
    ["HOSE", "HNX", "UPCOM", "NYSE"].map((exchange) => benchmarkOf({ exchange })),
    ["^VNINDEX", "^HNXINDEX", "^UPCOMINDEX", "^GSPC"],
  );
});
