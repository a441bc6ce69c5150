/**
 * Events: earnings, dividends and news of a made-up company. They follow from its books, so they agree with its
 * statements.
 */
import type { Day, Dividend, Earning, NewsItem } from "../port/market-data.ts";
import { addMonths, toDay, toDayNumber } from "../pack/days.ts";
import { PACK_DAY } from "../pack/pack.ts";
import type { Quarter } from "./books.ts";
import type { Company } from "./company.ts";
import { randomOf } from "./random.ts";
import { tradingDays } from "./trading-days.ts";

/** Earnings by the day they were reported, newest first; the next one has only estimates. */
export function earningsOf({ stock, quarters }: Company): readonly Earning[] {
  const random = randomOf(`${stock.symbol} estimates`);
  const past = quarters.map((quarter): Earning => {
    const eps = quarter.income.get("eps") ?? 0;
    const revenue = quarter.income.get("revenue") ?? 0;
    return {
      day: quarter.filed,
      epsActual: eps,
      epsEstimated: cents(eps * (1 + 0.05 * random.normal())),
      revenueActual: revenue,
      revenueEstimated: toMillions(revenue * (1 + 0.02 * random.normal())),
      currency: "USD",
    };
  });
  const last = past.at(-1);
  const next: Earning = {
    day: nextReport(quarters),
    epsEstimated: cents((last?.epsActual ?? 0) * 1.03),
    revenueEstimated: toMillions((last?.revenueActual ?? 0) * 1.03),
    currency: "USD",
  };
  return [...past, next].toReversed();
}

/** The report after the last one. */
function nextReport(quarters: readonly Quarter[]): Day {
  const last = quarters.at(-1)?.filed ?? PACK_DAY;
  const [day] = tradingDays(toDay(addMonths(toDayNumber(last), 3) + 18), "2025-12-31");
  return toDay(day ?? toDayNumber(last));
}

/** Dividends by their ex-date, newest first; together they are what the cash flows say was paid. */
export function dividendsOf({ quarters, paysDividends }: Company): readonly Dividend[] {
  if (!paysDividends) return [];
  return quarters
    .map(({ end, cashFlow, income }): Dividend => {
      const shares = income.get("weightedAverageShsOut") ?? 1;
      const payment = toDayNumber(end) - 8;
      const [ex = payment] = tradingDays(toDay(payment - 24), toDay(payment));
      return {
        day: toDay(ex),
        recordDay: toDay(ex),
        paymentDay: toDay(payment),
        amount: Number((-(cashFlow.get("commonDividendsPaid") ?? 0) / shares).toFixed(4)),
        currency: "USD",
      };
    })
    .filter(({ amount }) => amount > 0)
    .toReversed();
}

/** News that repeats what the books say, newest first. */
export function newsOf(company: Company): readonly NewsItem[] {
  const { stock, quarters } = company;
  const reports = quarters.slice(-8).map((quarter, index, recent) => {
    const revenue = quarter.income.get("revenue") ?? 0;
    const before = quarters.find(({ year, quarter: at }) => year === quarter.year - 1 && at === quarter.quarter);
    const change = before === undefined ? undefined : (revenue / (before.income.get("revenue") ?? revenue) - 1) * 100;
    const growth =
      change === undefined ? "" : `, ${change < 0 ? "down" : "up"} ${Math.abs(change).toFixed(1)} % on the year`;
    return toNews(company, {
      at: `${quarter.filed}T07:${String(10 + index + recent.length).padStart(2, "0")}:00-05:00`,
      title: `${stock.name} reports revenue of ${(revenue / 1e6).toFixed(0)} million USD for Q${quarter.quarter} ${quarter.year}`,
      text: `Revenue was ${(revenue / 1e6).toFixed(1)} million USD${growth}; earnings per share were ${(quarter.income.get("eps") ?? 0).toFixed(2)} USD. ${stock.name} is a made-up company.`,
    });
  });
  const dividends = dividendsOf(company)
    .slice(0, 4)
    .map(({ day, amount, paymentDay }) =>
      toNews(company, {
        at: `${day}T08:30:00-05:00`,
        title: `${stock.name} trades without its dividend of ${amount} USD`,
        text: `It is paid on ${paymentDay}. ${stock.name} is a made-up company.`,
      }),
    );
  return [...reports, ...dividends].toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
}

function toNews(
  { stock: { symbol } }: Company,
  { at, title, text }: Readonly<{ at: string; title: string; text: string }>,
): NewsItem {
  return { title, text, source: "Fictional Newswire", publishedAt: at, symbols: [symbol] };
}

const cents = (value: number): number => Number(value.toFixed(2));
const toMillions = (value: number): number => Math.round(value / 1e5) * 1e5;
