import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { openPack } from "../pack/pack.ts";
import { openPackDirectory } from "./pack-directory.ts";
import { type NamedListing, type NameHints, resolveNames } from "./resolve-names.ts";

const directory = openPackDirectory(openPack());

/** Writes a result as `kind: SYMBOL SYMBOL`. */
function meaning(name: string | NamedListing, hints: NameHints = {}): string {
  const [found] = resolveNames(directory, [typeof name === "string" ? { said: name } : name], hints);
  return found === undefined ? "" : `${found.kind}: ${found.listings.map(({ symbol }) => symbol).join(" ")}`;
}

test("a ticker, a name, an alias and a misspelt name are resolved", () => {
  for (const [said, symbol] of [
    ["AAPL", "AAPL"],
    ["brk.b", "BRK-B"],
    ["^gspc", "^GSPC"],
    ["BTCUSDT", "BTCUSD"],
    ["vnm.vn", "VNM.VN"],
    ["Apple", "AAPL"],
    ["google", "GOOGL"],
    ["the dow", "^DJI"],
    ["s&p", "^GSPC"],
    ["bitcoin", "BTCUSD"],
    ["Hoà Phát", "HPG.VN"],
    ["microsft", "MSFT"],
    ["exon mobil", "XOM"],
    ["silver", "SLV"],
  ] as const) {
    assert.equal(meaning(said), `resolved: ${symbol}`);
  }
});

test("the score is 1 for a ticker or name and less for a misspelt one", () => {
  const [exact, misspelt] = resolveNames(directory, [{ said: "Tesla" }, { said: "Tesal" }]);
  assert.equal(exact?.listings[0]?.score, 1);
  assert.ok((misspelt?.listings[0]?.score ?? 1) < 0.9);
  assert.deepEqual(misspelt?.listings[0]?.symbol, "TSLA");
});

test("a much better known name one letter off a ticker in small letters is a candidate beside it", () => {
  assert.equal(meaning("aple"), "candidates: APLE AAPL");
  assert.equal(meaning({ said: "aple", ticker: "AAPL" }), "candidates: AAPL APLE");
  assert.equal(meaning("APLE"), "resolved: APLE");
  assert.equal(meaning("$aple"), "resolved: APLE");
});

test("the tab decides between a coin and a stock, the guess if there is no tab", () => {
  for (const ticker of ["BTC", "ETH", "SOL"]) {
    assert.equal(meaning(ticker, { activeTab: "crypto" }), `resolved: ${ticker}USD`);
    assert.equal(meaning(ticker, { activeTab: "stock" }), `resolved: ${ticker}`);
    assert.equal(meaning(ticker), `candidates: ${ticker}USD ${ticker}`);
    assert.equal(meaning({ said: ticker, ticker: `${ticker}-USD` }), `resolved: ${ticker}USD`);
  }
  assert.equal(meaning("bitcoin", { activeTab: "stock" }), "resolved: BTCUSD");
});

test("a bare ticker of two markets names both, by the language of the question", () => {
  const [vietnamese] = resolveNames(directory, [{ said: "VNM", ticker: "VNM" }], { language: "vi-VN" });
  assert.deepEqual(
    vietnamese?.listings.map(({ symbol }) => symbol),
    ["VNM.VN", "VNM"],
  );
  assert.equal(vietnamese?.ambiguous, true);
  assert.equal(meaning("VNM", { language: "en" }), "candidates: VNM VNM.VN");
  assert.equal(meaning("$VNM"), "resolved: VNM");
  assert.equal(meaning("VNM.VN"), "resolved: VNM.VN");
  assert.equal(meaning("Vinamilk"), "resolved: VNM.VN");
});

test("a guess counts if the words say nothing, and never replaces what they say", () => {
  assert.equal(meaning({ said: "特斯拉", ticker: "TSLA" }), "resolved: TSLA");
  assert.equal(meaning({ said: "gold", ticker: "GLD" }), "resolved: GLD");
  assert.equal(meaning({ said: "the two", ticker: "AMD" }), "resolved: AMD");
  assert.equal(meaning({ said: "Tesla", ticker: "AAPL" }), "candidates: TSLA AAPL");
  assert.equal(meaning({ said: "Google", ticker: "GOOG" }), "resolved: GOOGL");
  assert.equal(meaning({ said: "特斯拉", ticker: "ZZQQY" }), "unknown: ");
});

test("companies without a listing are said to have none", () => {
  const [twitter, spaceX] = resolveNames(directory, [{ said: "Twitter" }, { said: "space x" }]);
  assert.deepEqual([twitter?.kind, twitter?.status], ["unknown", "delisted"]);
  assert.match(twitter?.note ?? "", /Twitter is no longer listed: taken private in October 2022/);
  assert.deepEqual([spaceX?.kind, spaceX?.status], ["unknown", "private"]);
});

test("what nothing matches is unknown, with the nearest names", () => {
  assert.match(meaning("Apple Computer"), /^unknown: AAPL/);
  assert.match(meaning("Lauder"), /^unknown: EL\b/);
  assert.equal(meaning("qqzzxx"), "unknown: ");
});

test("no name is dropped, whatever is said, and every result is bounded", () => {
  const said = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom("VNM", "first", "hoa", "gold"));
  const name = fc.record({ said, ticker: fc.option(fc.constantFrom("AAPL", "VNM", "", "?"), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 5 }), (names) => {
      const found = resolveNames(directory, names, { activeTab: "none", language: "vi" });
      assert.deepEqual(
        found.map((each) => each.said),
        names.map((each) => each.said),
      );
      for (const { kind, listings } of found) {
        assert.ok(listings.length <= 8);
        assert.ok(kind === "unknown" || listings.length > 0);
        assert.ok(kind !== "resolved" || listings.length === 1);
        for (const { score } of listings) assert.ok(score > 0 && score <= 1);
      }
    }),
    { numRuns: 60 },
  );
});

test("every well-known name with one letter wrong still finds its company", () => {
  const names = "microsoft amazon alphabet facebook berkshire netflix walmart chevron starbucks vietcombank".split(" ");
  const typo = fc.tuple(fc.constantFrom(...names), fc.nat(), fc.constantFrom("drop", "double", "swap"));
  fc.assert(
    fc.property(typo, ([name, place, kind]) => {
      const at = 1 + (place % (name.length - 2));
      const [before, letter, after] = [name.slice(0, at), name.charAt(at), name.slice(at + 1)];
      const swapped = `${before}${after.charAt(0)}${letter}${after.slice(1)}`;
      const wrong = kind === "drop" ? before + after : kind === "double" ? before + letter + letter + after : swapped;
      const [right] = resolveNames(directory, [{ said: name }]);
      const [found] = resolveNames(directory, [{ said: wrong }]);
      const symbols = found?.listings.map(({ symbol }) => symbol) ?? [];
      assert.ok(symbols.includes(right?.listings[0]?.symbol ?? ""), `${wrong}: ${symbols.join(" ")}`);
    }),
    { numRuns: 60 },
  );
});

test("a listing that stands in for the ticker that was meant is said to do so", () => {
  const [orange] = resolveNames(directory, [{ said: "Orange", ticker: "ORA.PA" }]);
  assert.equal(orange?.listings[0]?.symbol, "ORANY");
  assert.equal(orange.note, "ORANY stands in for ORA.PA, which the data does not have");
  const [apple] = resolveNames(directory, [{ said: "Apple", ticker: "AAPL" }]);
  assert.equal(apple?.note, undefined);
});
