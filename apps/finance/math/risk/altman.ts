/**
 * Altman Z: how far a public manufacturer is from bankruptcy, by Altman's formula of 1968. It is not made for banks.
 *
 * Z = 1.2 working capital / assets + 1.4 retained earnings / assets + 3.3 EBIT / assets
 *   + 0.6 market capitalisation / liabilities + revenue / assets.
 */
import { combine, ebit, given, named, none, revenue, type CompanyMetric, type Values } from "./company.ts";

/** Altman's Z of one fiscal year; the market capitalisation is that of the year's end, in the same currency. */
export function altmanZ(values: Values, marketCap: number | undefined): CompanyMetric {
  const names = [
    "totalAssets",
    "totalLiabilities",
    "totalCurrentAssets",
    "totalCurrentLiabilities",
    "retainedEarnings",
  ];
  const parts = [...names.map((name) => named(values, name)), ebit(values), revenue(values)];
  return combine([...parts, given("marketCap", marketCap)], (found) => {
    const [assets = 0, liabilities = 0, current = 0, currentDue = 0, retained = 0, earned = 0, sales = 0, cap = 0] =
      found;
    if (!(assets > 0)) return none(`totalAssets is ${assets}: it must be positive`);
    if (!(liabilities > 0)) return none(`totalLiabilities is ${liabilities}: it must be positive`);
    const perAssets = 1.2 * (current - currentDue) + 1.4 * retained + 3.3 * earned + sales;
    return { value: perAssets / assets + (0.6 * cap) / liabilities };
  });
}
