import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Alert, Seen } from "./alert.ts";
import type { Observed } from "./observed.ts";
import { isMet, toCheck } from "./rules.ts";
import { alertOf, BITCOIN, filingsOf, priceOf, reportOf, rsiOf } from "../testing/alerts.ts";

/** Returns the messages of an alert as it observes these, one by one. */
function watch(alert: Alert, series: readonly Observed[]): readonly (string | undefined)[] {
  let seen: Seen | undefined;
  return series.map((observed) => {
    const checked = toCheck(alert, seen, observed);
    seen = checked.seen;
    return checked.fires ? checked.text : undefined;
  });
}

const countOf = (texts: readonly (string | undefined)[]): number => texts.filter((text) => text !== undefined).length;

const level = fc.integer({ min: 1, max: 6 });
const prices = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 40 });

test("an alert on a level fires exactly as often as the prices cross it, and a price on the level is not across", () => {
  fc.assert(
    fc.property(level, prices, (value, series) => {
      const steps = series.slice(1).map((price, at) => [series[at] ?? 0, price] as const);
      const up = steps.filter(([before, now]) => before <= value && now > value).length;
      const down = steps.filter(([before, now]) => before >= value && now < value).length;
      const observed = series.map((price) => priceOf(price));
      assert.equal(countOf(watch(alertOf({ kind: "price_above", value }), observed)), up);
      assert.equal(countOf(watch(alertOf({ kind: "price_below", value }), observed)), down);
      const indicator = series.map((price) => rsiOf(price * 10));
      assert.equal(countOf(watch(alertOf({ kind: "rsi_above", value: value * 10 }), indicator)), up);
      assert.equal(countOf(watch(alertOf({ kind: "rsi_below", value: value * 10 }), indicator)), down);
    }),
    { numRuns: 500 },
  );
});

test("what is stale, in another currency, older, or not a price changes nothing between any two prices", () => {
  const noise = fc.constantFrom<Observed>(
    priceOf(1, { is_stale: true }),
    priceOf(6, { is_stale: true }),
    priceOf(Number.NaN),
    priceOf(Number.POSITIVE_INFINITY),
    priceOf(0),
    priceOf(-3),
    priceOf(1, { currency: "VND" }),
    priceOf(6, { as_of: "2024-11-21T16:00:00-05:00" }),
    priceOf(6, { as_of: "yesterday" }),
  );
  fc.assert(
    fc.property(
      level,
      prices,
      fc.tuple(fc.array(noise, { maxLength: 5 }), fc.nat(40)),
      (value, series, [between, at]) => {
        const alert = alertOf({ kind: "price_above", value });
        const clean = series.map((price) => priceOf(price));
        const from = Math.min(at, clean.length);
        // Before the first price nothing is older than it.
        const noisy = [...clean.slice(0, from), ...(from === 0 ? [] : between), ...clean.slice(from)];
        assert.equal(countOf(watch(alert, noisy)), countOf(watch(alert, clean)));
      },
    ),
  );
});

test("nothing fires at first sight, and a gap across the level does", () => {
  const alert = alertOf({ kind: "price_above", value: 150 });
  assert.deepEqual(watch(alert, [priceOf(151)]), [undefined]);
  assert.deepEqual(watch(alert, [priceOf(100), priceOf(200)]), [undefined, "NVDA is above 150 USD: 200 USD"]);
  assert.deepEqual(watch(alert, [priceOf(150), priceOf(150.01)])[1], "NVDA is above 150 USD: 150.01 USD");
});

test("a level that is passed already fires when it is crossed anew", () => {
  const alert = alertOf({ kind: "price_below", value: 150 });
  assert.equal(isMet(alert, priceOf(140)), true);
  assert.equal(isMet(alert, priceOf(150)), false);
  const texts = watch(alert, [priceOf(140), priceOf(145), priceOf(150), priceOf(149.5)]);
  assert.deepEqual(texts, [undefined, undefined, undefined, "NVDA is below 150 USD: 149.5 USD"]);
});

test("a price in another currency is not compared, but coins of the dollar are dollars", () => {
  const alert = alertOf({ kind: "price_above", value: 150 });
  assert.deepEqual(watch(alert, [priceOf(140), priceOf(160, { currency: "VND" })]), [undefined, undefined]);
  const text = "NVDA is above 150 USD: 160 USDT";
  assert.deepEqual(watch(alert, [priceOf(140), priceOf(160, { currency: "USDT" })]), [undefined, text]);
});

test("a price of an old day says which", () => {
  const snapshot = (price: number) => priceOf(price, { kind: "snapshot" });
  const texts = watch(alertOf({ kind: "price_above", value: 150 }), [snapshot(140), snapshot(151)]);
  assert.equal(texts[1], "NVDA is above 150 USD: 151 USD (data of 2024-11-22)");
});

test("a move in percent is percent, not a fraction, and is reached at its value", () => {
  const alert = alertOf({ kind: "percent_move", value: 5, direction: "any", since: "set" });
  assert.deepEqual(watch(alert, [priceOf(100), priceOf(104.99), priceOf(105)]), [
    undefined,
    undefined,
    "NVDA is up 5% from 100 USD: 105 USD",
  ]);
  assert.equal(watch(alert, [priceOf(100), priceOf(95)])[1], "NVDA is down 5% from 100 USD: 95 USD");
});

test("a repeated move is measured from where it fired last", () => {
  const alert = alertOf({ kind: "percent_move", value: 10, direction: "up", since: "set" });
  const texts = watch(
    alert,
    [100, 111, 112, 121, 122.1, 90, 98.9, 130].map((price) => priceOf(price)),
  );
  assert.deepEqual(
    texts.map((text) => text !== undefined),
    [false, true, false, false, true, false, false, false],
  );
});

test("a move fires only in its direction", () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1_000, noNaN: true }), fc.constantFrom("up", "down"), (price, direction) => {
      const alert = alertOf({ kind: "percent_move", value: 5, direction, since: "set" });
      const [, text] = watch(alert, [priceOf(100), priceOf(price)]);
      const move = Number((price - 100).toPrecision(12));
      assert.equal(text !== undefined, direction === "up" ? move >= 5 : move <= -5);
    }),
  );
});

test("a move of a day fires once a day, at a gap too, and not for the day on which it was set", () => {
  const alert = alertOf({ kind: "percent_move", value: 5, direction: "any", since: "day" });
  const on = (day: string, change_percent: number) => priceOf(100, { change_percent, as_of: `${day}T15:00:00-05:00` });
  const series = [
    on("2024-11-18", 6),
    on("2024-11-19", 5.5),
    on("2024-11-19", 2),
    on("2024-11-19", 7),
    on("2024-11-20", -4.9),
  ];
  const texts = watch(alert, [...series, on("2024-11-20", -5.2)]);
  assert.deepEqual(texts, [
    undefined,
    "NVDA is up 5.5% today: 100 USD",
    undefined,
    undefined,
    undefined,
    "NVDA is down 5.2% today: 100 USD",
  ]);
});

test("a coin's move in 24 hours does not start anew at midnight", () => {
  const alert = alertOf({ kind: "percent_move", value: 5, direction: "any", since: "day", listing: BITCOIN });
  const on = (as_of: string, change_percent: number) => priceOf(90_000, { change_percent, as_of, currency: "USDT" });
  const texts = watch(alert, [
    on("2024-11-18T23:00:00Z", 2),
    on("2024-11-18T23:30:00Z", 6),
    on("2024-11-19T00:30:00Z", 6),
  ]);
  assert.deepEqual(texts, [undefined, "BTCUSD is up 6% in 24 hours: 90,000 USDT", undefined]);
});

test("every new filing is told once, whatever comes and goes in the list", () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 12 }), (found, size) => {
      const lines = found
        .toSorted((a, b) => a - b)
        .map((id) => `8-K 2024-11-${String(id).padStart(2, "0")} 0000000000-24-${id}`);
      // The newest of a list that has only so many, one more at a time.
      const series = lines.map((_, at) =>
        filingsOf(
          ...lines
            .slice(0, at + 1)
            .toReversed()
            .slice(0, size),
        ),
      );
      assert.equal(countOf(watch(alertOf({ kind: "filing", forms: ["8-K"] }), series)), lines.length - 1);
    }),
  );
});

test("a filing names its form and day, and older ones that turn up are not new", () => {
  const alert = alertOf({ kind: "filing", forms: ["8-K", "4"] });
  const known = "8-K 2024-11-20 0000000000-24-000001";
  const old = "4 2024-11-01 0000000000-24-000000";
  const late = "4 2024-11-21 0000000000-24-000002";
  const texts = watch(alert, [filingsOf(known), filingsOf(known, old), filingsOf(late, known, old), filingsOf(known)]);
  assert.deepEqual(texts, [undefined, undefined, "NVDA has a new filing with the SEC: 4 of 2024-11-21", undefined]);
});

test("a second filing of a day on which one is known is new", () => {
  const alert = alertOf({ kind: "filing", forms: ["8-K", "4"] });
  const first = "8-K 2024-11-20 0000000000-24-000001";
  const second = "4 2024-11-20 0000000000-24-000002";
  const texts = watch(alert, [filingsOf(first), filingsOf(second, first), filingsOf(second, first)]);
  assert.deepEqual(texts, [undefined, "NVDA has a new filing with the SEC: 4 of 2024-11-20", undefined]);
});

test("the day of a report is told once, within the days before it, and anew if it moves", () => {
  const alert = alertOf({ kind: "earnings", days_before: 3 });
  const texts = watch(alert, [
    reportOf("2024-11-18", "2024-11-26"),
    reportOf("2024-11-23", "2024-11-26"),
    reportOf("2024-11-24", "2024-11-26"),
    reportOf("2024-11-24", "2024-11-25"),
    reportOf("2024-11-25"),
  ]);
  assert.deepEqual(texts, [
    undefined,
    "NVDA reports earnings in 3 days, on 2024-11-26",
    undefined,
    "NVDA reports earnings tomorrow, on 2024-11-25",
    undefined,
  ]);
  assert.deepEqual(watch(alert, [reportOf("2024-11-27", "2024-11-26")]), [undefined]);
});

test("an alert speaks the language of its user", () => {
  const language = "vi";
  const price = watch(alertOf({ kind: "price_above", value: 1500.5, language }), [priceOf(1), priceOf(1501.25)]);
  assert.equal(price[1], "NVDA đã lên trên 1.500,5 USD: 1.501,25 USD");
  const rsi = watch(alertOf({ kind: "rsi_below", value: 30, language }), [rsiOf(31), rsiOf(29.456)]);
  assert.equal(rsi[1], "RSI(14) của NVDA đã xuống dưới 30: 29,46");
});
