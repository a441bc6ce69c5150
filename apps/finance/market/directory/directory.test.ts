import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Listing, Narrowing } from "../port/listing.ts";
import { openPack } from "../pack/pack.ts";
import { typoDistance } from "./damerau.ts";
import { openDirectory } from "./directory.ts";
import { openPackDirectory } from "./pack-directory.ts";

const pack = openPack();
const directory = openPackDirectory(pack);

/** Resolves a query to a symbol, to candidates with `|` between them, or to nothing. */
function meaning(query: string, narrowing: Narrowing = {}): string {
  const found = directory.resolve(query, narrowing);
  if (found.kind === "none") return "";
  return found.kind === "one" ? found.listing.symbol : found.candidates.map(({ symbol }) => symbol).join("|");
}

const kindOf = (query: string) => directory.resolve(query).kind;

test("it holds the pack and what is known beside it", () => {
  assert.ok(directory.size > pack.size + 200, `${directory.size}`);
  assert.equal([...directory.listings()].length, directory.size);
  const symbols = new Set([...directory.listings()].map(({ symbol }) => symbol));
  assert.equal(symbols.size, directory.size);
});

test("a symbol is found in all its spellings", () => {
  const cases: readonly (readonly [symbol: string, spellings: string])[] = [
    ["AAPL", "AAPL aapl $AAPL $aapl NASDAQ:AAPL nasdaq:aapl AAPL.US"],
    ["BRK-B", "BRK-B brk.b BRK/B BRK_B BRKB $BRK.B NYSE:BRK.B BRK.B.US"],
    ["JPM-PL", "JPM-PL JPM/PL jpm.pl"],
    ["BTCUSD", "BTCUSD BTCUSDT BTC-USD btc/usdt BTC_USDC BINANCE:BTCUSDT $BTCUSDT"],
    ["BNBUSD", "BNB BNBUSD BNBUSDT bnb-usd"],
    ["^GSPC", "^GSPC ^gspc SPX"],
    ["^VNINDEX", "^VNINDEX VNINDEX vnindex"],
    ["VNM.VN", "VNM.VN vnm.vn HOSE:VNM VN:VNM"],
    ["VNM", "$VNM VNM.US NYSE:VNM"],
    ["PVS.VN", "PVS.VN HNX:PVS"],
  ];
  for (const [symbol, spellings] of cases) {
    for (const spelling of spellings.split(" ")) assert.equal(directory.get(spelling)?.symbol, symbol, spelling);
  }
  assert.equal(directory.get("brk b")?.symbol, "BRK-B");
  for (const text of ["", " ", "$", "^", ":", "BRK..B", "A B C D", "😀", "x".repeat(5000)]) {
    assert.equal(directory.get(text), undefined, text);
  }
});

test("every canonical symbol is found by itself, alone or among others of the same ticker", () => {
  for (const listing of directory.listings()) {
    const found = directory.symbols.find(listing.symbol).map((one) => one.listing);
    assert.ok(found.includes(listing), listing.symbol);
  }
});

test("a bare ticker of two markets is ambiguous until it is narrowed", () => {
  const home = [...directory.listings()].filter(({ symbol }) => symbol.endsWith(".VN"));
  const shared = home.filter(({ symbol }) => directory.symbols.find(symbol.slice(0, -3)).length > 1);
  assert.ok(shared.length >= 10 && home.length >= 120, `${shared.length} of ${home.length}`);
  for (const { symbol } of shared) {
    const ticker = symbol.slice(0, -3);
    assert.equal(directory.get(ticker), undefined, ticker);
    assert.equal(kindOf(ticker), "ambiguous", ticker);
    assert.equal(meaning(ticker, { market: "VN" }), symbol);
  }
  for (const ticker of ["VNM", "ACB", "MSN"]) {
    assert.equal(kindOf(ticker), "ambiguous");
    assert.equal(meaning(ticker, { market: "US" }), ticker);
    assert.equal(meaning(`$${ticker}`), ticker);
    assert.equal(meaning(ticker, { market: "HOSE" }), `${ticker}.VN`);
  }
  assert.equal(meaning("FPT"), "FPT.VN");
});

test("a ticker of a coin and of something else is ambiguous until its type is given", () => {
  for (const ticker of ["BTC", "ETH", "SOL"]) {
    assert.equal(meaning(ticker), `${ticker}USD|${ticker}`);
    assert.equal(meaning(ticker, { type: "crypto" }), `${ticker}USD`);
    assert.equal(meaning(ticker, { type: "stock" }), ticker);
  }
  assert.equal(meaning("DOGE"), "DOGEUSD");
});

test("names, short names and brands mean their companies", () => {
  const cases: readonly (readonly [symbol: string, names: string])[] = [
    ["AAPL", "Apple|apple|Apple Inc.|APPLE INC|Apple stock|cổ phiếu Apple|Apple Inc. (AAPL)"],
    ["GOOGL", "Google|Alphabet|alphabet inc|Alphabet Inc. Class A"],
    ["META", "Facebook|Meta|Meta Platforms|meta platforms, inc."],
    ["BRK-B", "Berkshire|Berkshire Hathaway|berkshire hathaway inc"],
    ["JNJ", "J&J|Johnson & Johnson|johnson and johnson"],
    ["PG", "P&G|Procter & Gamble|procter and gamble"],
    ["MCD", "McDonald's|mcdonalds|McDonald’s"],
    ["KO", "Coca Cola|Coca-Cola|cocacola|The Coca-Cola Company"],
    ["MMM", "3M|3m company"],
    ["F", "Ford|ford|Ford Motor"],
    ["JPM", "JPMorgan|JP Morgan|J.P. Morgan|jpmorgan chase"],
    ["BTCUSD", "bitcoin|Bitcoin|giá bitcoin"],
    ["^GSPC", "S&P 500|s&p500|chỉ số S&P 500|chi so s&p 500"],
    ["^DJI", "Dow Jones|chỉ số Dow Jones"],
    ["^VNINDEX", "VN-Index|vn index|chỉ số VN-Index"],
    ["VNM.VN", "Vinamilk|vinamilk|Sữa Việt Nam|cổ phiếu Vinamilk"],
    ["HPG.VN", "Hoà Phát|Hòa Phát|hoa phat|tập đoàn hòa phát"],
    ["ACB.VN", "Ngân hàng Á Châu|ngan hang a chau|Asia Commercial Bank"],
    ["VIC.VN", "Vingroup|vin group"],
    ["MWG.VN", "Thế Giới Di Động|the gioi di dong|Mobile World"],
    ["VNM", "VanEck Vietnam ETF|vaneck vietnam"],
  ];
  for (const [symbol, names] of cases) for (const name of names.split("|")) assert.equal(meaning(name), symbol, name);
});

test("the first word of many companies' names means none of them; the largest come first", () => {
  for (const word of ["American", "First", "United", "General", "Bank", "National"]) {
    const found = directory.resolve(word);
    assert.equal(found.kind, "ambiguous", word);
    assert.ok(found.kind === "ambiguous" && found.candidates.length > 1);
  }
  assert.match(meaning("American"), /^AXP\|/);
});

test("of share classes the usual one is meant, of preferred shares none", () => {
  assert.equal(meaning("Bank of America"), "BAC");
  assert.equal(meaning("Wells Fargo & Company"), "WFC");
  assert.equal(meaning("Fox Corporation"), "FOXA");
  assert.equal(meaning("Tencent"), "TCEHY");
});

test("a name that is another's ticker means the much larger company; in capitals it may be either", () => {
  assert.equal(meaning("Ford"), "F");
  assert.equal(meaning("FORD"), "FORD|F");
  assert.equal(meaning("$FORD"), "FORD");
});

test("small typing errors find prominent names, and never beat an exact match", () => {
  for (const [wrong, symbol] of [
    ["microsfot", "MSFT"],
    ["nvidai", "NVDA"],
    ["amazn", "AMZN"],
    ["berkshire hataway", "BRK-B"],
    ["vietcombnk", "VCB.VN"],
    ["bitcoinn", "BTCUSD"],
    ["goldmn sachs", "GS"],
  ] as const) {
    const found = directory.resolve(wrong);
    assert.ok(found.kind === "one" && found.by === "typo" && found.listing.symbol === symbol, wrong);
  }
  for (const name of ["Apple", "Boeing", "Intel", "Micron", "Cisco", "Merck"]) {
    const found = directory.resolve(name);
    assert.ok(found.kind === "one" && found.by !== "typo", name);
  }
});

test("an unknown symbol is not found, and the nearest known ones are named", () => {
  const found = directory.resolve("NVDAX");
  assert.ok(found.kind === "none" && found.nearest.some(({ symbol }) => symbol === "NVDA"));
  assert.equal(kindOf("qqzzxx"), "none");
  assert.equal(kindOf(""), "none");
  assert.equal(kindOf("x".repeat(100_000)), "none");
});

test("what no name is written with is not the beginning of a name", () => {
  for (const text of ["__proto__", "_apple_", "proto_"]) {
    const found = directory.resolve(text);
    assert.ok(found.kind === "none" || (found.kind === "one" && found.by === "typo"), text);
  }
});

test("given listings come before what is known of the same symbol", () => {
  const given: Listing = { symbol: "BTCUSD", name: "Bitcoin", exchange: "CRYPTO", type: "crypto", currency: "USD" };
  const small = openDirectory([given]);
  assert.equal(small.get("BTCUSD"), given);
  const bitcoin = small.resolve("bitcoin");
  assert.equal(bitcoin.kind === "one" && bitcoin.listing, given);
});

test("the distance of typing errors is symmetric, counts a swap as one, and is bounded by its limit", () => {
  assert.equal(typoDistance("abcd", "abdc", 2), 1);
  assert.equal(typoDistance("abcd", "abce", 2), 1);
  assert.equal(typoDistance("abcd", "bcd", 2), 1);
  assert.equal(typoDistance("abcd", "wxyz", 2), 3);
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.equal(typoDistance(a, b, 9), typoDistance(b, a, 9));
      assert.equal(typoDistance(a, b, 9) === 0, a === b);
      assert.equal(typoDistance(a, b, 2), Math.min(typoDistance(a, b, 9), 3));
    }),
  );
});
