/** Every tool on a market that has everything, and on one that has nothing. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { MemoryCache } from "@baton/assistant";
import type { Json } from "@baton/core";
import { refusedPaths } from "@baton/core/testing";
import { parseJson } from "@baton/core/util";
import { createTools } from "./catalogue.ts";
import { FULL_MARKET } from "./testing/full-market.ts";
import { stubMarket } from "./testing/stub-market.ts";
import { type Args, ASKED, assertDigest, assertHonest, call, LOCAL, toolOf } from "./testing/tool-calls.ts";

const of = (market: Parameters<typeof createTools>[0]) => createTools(market, { cache: new MemoryCache() });
const [full, empty] = [of(FULL_MARKET), of(stubMarket({}))];

/** Tools that keep something for a user have tests of their own. */
const KEPT = /Memory$|Portfolio|^(?:set|import)Holding|Watchlist|Alert|Schedule/;

/** Arguments that mean something on the stub. */
function onStub({ strategy, ...given }: Args): Json {
  const { from: _, to: __, ...timeless } = given;
  const args = strategy === undefined ? given : { strategy, ...timeless };
  const text = JSON.stringify(args)
    .replaceAll("AAPL", "ACME")
    .replaceAll("MSFT", "BOLT")
    .replaceAll("Apple", "Acme Inc.");
  return parseJson(text) ?? {};
}

suite("every tool", () => {
  test("has its arguments in the table", () => {
    const names = full.map(({ name }) => name).filter((name) => !KEPT.test(name));
    assert.deepEqual(names.toSorted(), [...ASKED.keys()].toSorted());
  });

  for (const [name, args] of ASKED) {
    test(`${name} has data whose numbers are facts, and a digest of them`, async () => {
      const tool = toolOf(full, name);
      const called = await call(tool, onStub(args));
      assert.ok(called.output.no_data === undefined, called.output.message);
      assertHonest(name, called);
      assertDigest(tool, called);
    });

    test(`${name} is no data on a market that has nothing, and names what would bring it`, async () => {
      if (LOCAL.has(name)) return;
      const called = await call(toolOf(empty, name), onStub(args));
      assert.equal(called.output.no_data, true, JSON.stringify(called.output).slice(0, 200));
      assertDigest(toolOf(empty, name), called);
    });

    test(`${name} refuses arguments of the wrong type`, async () => {
      const tool = toolOf(full, name);
      for (const [field, value] of Object.entries(args)) {
        const wrong = typeof value === "string" ? { $: 1 } : "no";
        const refused = await refusedPaths(tool, { ...args, [field]: wrong });
        const isNamed = refused.some((path) => path.includes(field)) || field === "series";
        assert.ok(isNamed && refused.length > 0, `${field} of ${name}: ${refused.join(", ")}`);
      }
    });

    test(`${name} takes several symbols, and one that is not known does not hide the others`, async () => {
      if (args["symbol"] === undefined || !SEVERAL.has(name)) return;
      const { symbol: _, ...rest } = args;
      const symbols = name.includes("Crypto") ? ["BTCUSD", "QQZZX"] : ["ACME", "BOLT", "QQZZX"];
      const tool = toolOf(full, name);
      const called = await call(tool, { ...rest, symbols });
      assertHonest(name, called);
      assertDigest(tool, called);
      assert.match(JSON.stringify(called.output.data), /"missing":\[\{"symbol":"QQZZX"/);
    });
  }
});

/** Tools that are about one listing. */
const SEVERAL: ReadonlySet<string> = new Set(
  [...ASKED]
    .filter(([name, { symbol }]) => symbol !== undefined && !/News|Filings|Insider|Backtest/.test(name))
    .map(([name]) => name),
);
