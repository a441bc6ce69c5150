/**
 * Clean monthly: Shiller's monthly series of the S&P 500, dividends, earnings, prices and long-term interest.
 */

/** The columns that are kept: index level, dividend and earnings of twelve months, CPI, 10-year rate in percent, CAPE. */
export const MONTHLY_NAMES = ["comp", "dividend", "earnings", "cpi", "lir", "cape"] as const;

/** One month; an unknown value is NaN. */
export interface Month {
  readonly year: number;
  readonly month: number;
  readonly values: Readonly<Record<(typeof MONTHLY_NAMES)[number], number>>;
}

/** The months in order. */
export function cleanMonthly(json: string): readonly Month[] {
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) throw new TypeError("the monthly series is not a list");
  const months = list.map((entry: unknown): Month => {
    if (typeof entry !== "object" || entry === null) throw new TypeError("a month is not an object");
    const fields = new Map<string, unknown>(Object.entries(entry));
    const value = (name: string) => {
      const found = fields.get(name);
      return typeof found === "number" && Number.isFinite(found) ? found : Number.NaN;
    };
    const [comp, dividend, earnings, cpi, lir, cape] = MONTHLY_NAMES.map(value);
    return {
      year: value("year"),
      month: value("month"),
      values: {
        comp: comp ?? Number.NaN,
        dividend: dividend ?? Number.NaN,
        earnings: earnings ?? Number.NaN,
        cpi: cpi ?? Number.NaN,
        lir: lir ?? Number.NaN,
        cape: cape ?? Number.NaN,
      },
    };
  });
  return months.toSorted((a, b) => a.year - b.year || a.month - b.month);
}
