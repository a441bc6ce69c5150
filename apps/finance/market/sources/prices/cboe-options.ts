/**
 * Cboe options: the chain of an underlying, as Cboe's delayed file has it.
 */
import type { OptionContract } from "../../port/options.ts";
import { MarketError } from "../../port/market-error.ts";
import { z } from "zod";
import { Amount, Price } from "../figures.ts";
import { Num, parseAnswer, Text } from "../rows.ts";

const OptionRow = z.looseObject({
  option: Text,
  bid: Num,
  ask: Num,
  iv: Num,
  open_interest: Num,
  volume: Amount,
  delta: Num,
  last_trade_price: Price,
});
const ChainBody = z.looseObject({
  timestamp: Text,
  data: z.looseObject({ symbol: Text, current_price: Price, close: Price, options: z.array(OptionRow).max(60_000) }),
});

/** Root, day as YYMMDD, C or P, strike in thousandths. */
const SYMBOL = /^([A-Z0-9]{1,6})(\d{6})([CP])(\d{8})$/;

/** A chain as the file has it; a row that cannot be read is left out. */
export function parseChain(text: string) {
  const { timestamp, data } = parseAnswer("Cboe", ChainBody, text);
  const contracts = data.options.flatMap((row): readonly OptionContract[] => {
    const [, , day = "", kind = "", strike = ""] = SYMBOL.exec(row.option ?? "") ?? [];
    if (strike === "") return [];
    const known = {
      bid: row.bid,
      ask: row.ask,
      last: row.last_trade_price,
      // 0 means that there is none
      impliedVolatilityPercent:
        row.iv === undefined || row.iv <= 0 ? undefined : Number((row.iv * 100).toPrecision(12)),
      openInterest: row.open_interest,
      volume: row.volume,
      delta: row.delta,
    };
    const given = Object.entries(known).filter(([, value]) => value !== undefined);
    return [
      {
        expiry: `20${day.slice(0, 2)}-${day.slice(2, 4)}-${day.slice(4)}`,
        kind: kind === "C" ? "call" : "put",
        strike: Number(strike) / 1_000,
        ...Object.fromEntries(given),
      },
    ];
  });
  if (contracts.length === 0) throw new MarketError("no_data", `Cboe has no options of ${data.symbol ?? "it"}`);
  const price = data.current_price ?? data.close;
  return { timestamp, symbol: data.symbol, chain: { contracts, ...(price !== undefined && { price }) } };
}
