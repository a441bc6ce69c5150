import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import { readHoldings } from "./read-holdings.ts";

/** What brokers export, in their own words and signs, with what must be read from each. All of it is made up. */
const TABLES = z.array(
  z.strictObject({
    broker: z.string(),
    text: z.array(z.string()),
    /** Symbol or name, quantity, cost of one. */
    holds: z.array(z.array(z.union([z.string(), z.number()]))),
    refused: z.array(z.string()).default([]),
  }),
);
const file = join(import.meta.dirname, "fixtures", "broker-tables.json");

for (const { broker, text, holds, refused } of TABLES.parse(JSON.parse(readFileSync(file, "utf8")))) {
  test(`a table of ${broker} is read`, () => {
    const table = readHoldings(text.join("\n"));
    const rows = table.rows.map(({ symbol, name, quantity, cost }) => [
      symbol || name,
      quantity,
      ...(cost === undefined ? [] : [cost]),
    ]);
    assert.deepEqual(rows, holds);
    assert.equal(table.refused.length, refused.length);
    table.refused.forEach(({ reason }, at) => assert.ok(reason.includes(refused[at] ?? "?"), reason));
  });
}

test("a trade is not a position: it is refused, and so is nothing else of its table", () => {
  const { rows, refused } = readHoldings(
    ["Action,Ticker,No. of shares,Price / share", "Market buy,AAPL,10,180.5", "Market sell,AAPL,4,190.5"].join("\n"),
  );
  assert.deepEqual([rows.length, refused.length], [0, 2]);
  assert.match(refused[0]?.reason ?? "", /it is a trade; paste the list of positions/);
});

test("days are read in the order that the table shows", () => {
  const read = (...days: readonly string[]) =>
    readHoldings(["Symbol,Qty,Date Acquired", ...days.map((day) => `A,1,"${day}"`)].join("\n")).rows.map(
      (row) => row.bought_on,
    );
  assert.deepEqual(read("03/04/2024"), ["2024-03-04"]);
  assert.deepEqual(read("03/04/2024", "25/12/2023"), ["2024-04-03", "2023-12-25"]);
  assert.deepEqual(read("2024-11-22", "22.11.2024", "2024/11/22 10:00"), Array(3).fill("2024-11-22"));
  assert.deepEqual(read("2024-02-31", "soon", "--"), [undefined, undefined, undefined]);
});

/** Signs with which a number may be written. */
const STYLES = [
  { decimal: ".", group: "," },
  { decimal: ".", group: "" },
  { decimal: ",", group: "." },
  { decimal: ",", group: " " },
  { decimal: ".", group: "'" },
] as const;
const DELIMITERS = [",", ";", "\t", "|"] as const;
const HEADERS = [
  ["Symbol", "Quantity", "Average Cost"],
  ["Ticker", "Shares", "Cost Per Share"],
  ["Mã CK", "Khối lượng", "Giá vốn"],
  ["Symbol", "Anzahl", "Kaufkurs"],
  ["Code", "Quantité", "Prix de revient"],
] as const;

interface Dialect {
  readonly delimiter: (typeof DELIMITERS)[number];
  readonly style: (typeof STYLES)[number];
  readonly header: (typeof HEADERS)[number];
  readonly sign: string;
  readonly quotes: "all" | "needed";
  readonly lineEnd: string;
  readonly isPreceded: boolean;
}

const dialect: fc.Arbitrary<Dialect> = fc.record({
  delimiter: fc.constantFrom(...DELIMITERS),
  style: fc.constantFrom(...STYLES),
  header: fc.constantFrom(...HEADERS),
  sign: fc.constantFrom("", "$"),
  quotes: fc.constantFrom("all", "needed"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  isPreceded: fc.boolean(),
});

/** Two decimals, so that no number of the table could be read in two ways. */
const amount = fc
  .integer({ min: 1, max: 99_999_999 })
  .filter((cents) => cents % 10 !== 0)
  .map((cents) => cents / 100);
const holding = fc.record({ symbol: fc.stringMatching(/^[A-W]{2,4}[0-9]$/), quantity: amount, cost: amount });

function write(value: number, { style: { decimal, group }, sign }: Dialect): string {
  const [whole = "", fraction = ""] = value.toFixed(2).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  return `${sign}${grouped}${decimal}${fraction}`;
}

function quote(cell: string, { delimiter, quotes }: Dialect): string {
  return quotes === "all" || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

test("what is written in any dialect is read back", () => {
  fc.assert(
    fc.property(dialect, fc.array(holding, { minLength: 1, maxLength: 12 }), (how, holdings) => {
      const rows = holdings.map(({ symbol, quantity, cost }) => [
        symbol,
        write(quantity, { ...how, sign: "" }),
        write(cost, how),
      ]);
      const table = [how.header, ...rows].map((cells) => cells.map((cell) => quote(cell, how)).join(how.delimiter));
      const text = [...(how.isPreceded ? ["My positions", ""] : []), ...table].join(how.lineEnd);
      const read = readHoldings(text);
      assert.deepEqual(
        read.rows.map(({ symbol, quantity, cost }) => [symbol, quantity, cost]),
        holdings.map(({ symbol, quantity, cost }) => [symbol, quantity, cost]),
        text,
      );
      assert.deepEqual(read.refused, []);
      assert.deepEqual(
        read.rows.map(({ line }) => line),
        holdings.map((_, at) => at + (how.isPreceded ? 4 : 2)),
      );
    }),
    { seed: 20_241_122, numRuns: 150 },
  );
});

test("every line of any text is read, skipped or refused once, and is safe to show", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "Symbol,Quantity,Cost",
      "AAPL,10,150",
      '"',
      ",",
      "=HYPERLINK(1)",
      "\t",
      ";",
      "|",
      "-5",
      "(3)",
      "Total",
      "1.234,5",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom("\n", "\r\n", "\u0000", "\u202E", "<script>", "%"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join("");
      const table = readHoldings(text);
      const all = [...table.rows, ...table.skipped, ...table.refused];
      assert.equal(new Set(all.map(({ line }) => line)).size, all.length);
      assert.ok(all.every((row) => row.line >= 1 && row.line <= table.lines));
      assert.ok(all.every((row) => !/[\p{C}\n]/u.test(row.text) && Array.from(row.text).length <= 120));
      assert.ok(
        table.rows.every(({ quantity, cost = 0 }) => quantity > 0 && Number.isFinite(quantity + cost) && cost >= 0),
      );
    }),
    { seed: 21, numRuns: 150 },
  );
});

test("ten thousand characters without sense are read in the end", () => {
  const many = (text: string) => text.repeat(Math.ceil(10_000 / text.length)).slice(0, 10_000);
  for (const text of ['"', '"",', ",", "a", "\n", "=A1+", '"\n', "1,", "(", "9", "$", " ", "A,1\n", "|", "\t1", "é̂"]) {
    const { rows, refused, skipped } = readHoldings(many(text));
    assert.ok(rows.length + refused.length + skipped.length <= 10_000);
  }
});

test("formulas are data: none becomes a holding", () => {
  const { rows, refused } = readHoldings(
    [
      "Symbol,Quantity,Cost",
      '"=HYPERLINK(""http://evil.example"",""AAPL"")",10,150',
      "@SUM(A1),1,1",
      "+cmd|' /C calc'!A0,1,1",
      '"=""MSFT""",3,300',
    ].join("\n"),
  );
  assert.deepEqual(
    rows.map(({ symbol }) => symbol),
    ["MSFT"],
  );
  assert.deepEqual(
    refused.map(({ line, reason }) => [line, reason.includes("formula")]),
    [
      [2, true],
      [3, true],
      [4, true],
    ],
  );
});

test("characters that nobody sees are no part of a symbol or a number", () => {
  const { rows } = readHoldings("\uFEFFSymbol,Quantity\n\u202EMS\u200BFT\u0000,1\u00000\u2060");
  assert.deepEqual(
    rows.map(({ symbol, quantity }) => [symbol, quantity]),
    [["MSFT", 10]],
  );
});

test("what a stock is called does not make it cash or a total", () => {
  const { rows, refused, skipped } = readHoldings(
    [
      "Symbol,Name,Quantity",
      "CASH,Pathward Financial Inc,10",
      "TTE,TotalEnergies SE,5",
      "CASH,,100",
      "USD,US Dollar,50",
      "Total,,165",
    ].join("\n"),
  );
  assert.deepEqual(
    rows.map(({ symbol }) => symbol),
    ["CASH", "TTE"],
  );
  assert.deepEqual([refused.length, skipped.length], [2, 1]);
});

test("numbers that could be read in two ways are told", () => {
  const read = (text: string) => {
    const { rows, warnings } = readHoldings(text);
    return [rows[0]?.quantity, warnings.some((warning) => warning.includes("decimal"))];
  };
  assert.deepEqual(read("Symbol;Anzahl\nA;1.234"), [1_234, true]);
  assert.deepEqual(read("Symbol\tQuantity\nA\t1.234"), [1.234, true]);
  assert.deepEqual(read("Mã CK\tKL\nFPT\t1.000"), [1_000, true]);
  assert.deepEqual(read("Mã CK\tKL\nFPT\t1,000"), [1_000, true]);
  assert.deepEqual(read("Symbol\tQuantity\nA\t1,234,567"), [1_234_567, false]);
});

test("amounts that cannot be are refused with their reason", () => {
  const { rows, refused } = readHoldings(
    [
      "Symbol,Quantity,Cost,Currency",
      "A,abc,1,USD",
      "B,1,x,USD",
      "C,1,-5,USD",
      "D,,1,USD",
      "E,1e5,1,USD",
      "F,1,1,???",
      "G,10%,1,USD",
      "H,1,GBp 250,GBP",
    ].join("\n"),
  );
  assert.deepEqual(
    rows.map(({ symbol, cost, currency }) => [symbol, cost, currency]),
    [["H", 250, { code: "GBP", scale: 0.01 }]],
  );
  assert.deepEqual(
    refused.map(({ line }) => line),
    [2, 3, 4, 5, 6, 7, 8],
  );
});
