/**
 * Analysis calls: the small sets that "tell me about" and "should I buy" need.
 */
import { type Ask, call, type ChosenCall } from "../ask.ts";
import { overviewCalls } from "./market-calls.ts";
import { each } from "./price-calls.ts";

/** Quote, technical indicators and, for companies, ratios. */
export function analysisCalls(ask: Ask): readonly ChosenCall[] {
  const isIndex = ask.listings.length > 0 && ask.listings.every(({ type }) => type === "index");
  if (isIndex) return overviewCalls(ask);
  return each(ask, ({ symbol, type }) => [
    call(type === "crypto" ? "getCryptoQuote" : "getStockQuote", { symbol }),
    call("getTechnicalIndicators", { symbol }),
    ...(type === "stock" ? [call("getRatios", { symbol })] : []),
  ]);
}

/** The same with volatility: facts and risks, since an instruction is not given. */
export const adviceCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, ({ symbol, type }) => [
    call(type === "crypto" ? "getCryptoQuote" : "getStockQuote", { symbol }),
    call("getTechnicalIndicators", { symbol }),
    ...(type === "stock" ? [call("getRatios", { symbol })] : []),
    call("getVolatilityAnalysis", { symbol }),
  ]);
