/**
 * Arguments: the schemas that tools share. An argument nobody knows is refused, so that a misspelt one is not ignored.
 */
import { z } from "zod";

/** Of a stock, fund or index. */
export const Symbol = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .describe("Ticker such as AAPL, BRK-B, ^GSPC or VNM.VN, or a company's name");

/** Of a stock, fund, index or coin. */
export const AnySymbol = Symbol.describe("Ticker or name");

/** Of a coin. */
export const CoinSymbol = Symbol.describe("Coin such as BTC, BTCUSD, BTCUSDT, or its name");

/** Several of them. */
export const SymbolList = z
  .array(Symbol.meta({ description: undefined }))
  .min(1)
  .max(10)
  .describe("1 to 10 tickers or names: AAPL, BRK-B, ^GSPC, VNM.VN, BTCUSD");

/** A day. */
export const Day = z.iso.date().describe("Day as YYYY-MM-DD");

/** At most so many rows. */
export const limitOf = (standard: number, most: number) =>
  z.int().min(1).max(most).default(standard).describe(`How many rows at most, 1 to ${most}; default ${standard}`);

/** Page of a list, from 0. */
export const Page = z.int().min(0).max(1_000).default(0).describe("Page of the list, from 0");

/** Over how many daily returns. */
export const daysOf = (least: number, most: number) =>
  z.int().min(least).max(most).default(252).describe(`How many daily returns, ${least} to ${most}; 252 is one year`);

/** A check for schemas with `from` and `to`. */
export const isOrdered = ({ from, to }: Readonly<{ from?: string | undefined; to?: string | undefined }>): boolean =>
  from === undefined || to === undefined || from <= to;

/** Error for dates that `isOrdered` refuses. */
export const ORDERED = { error: "from is after to", path: ["from"] };
