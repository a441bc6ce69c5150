/** Every tool on the stored data. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { MemoryCache } from "@baton/assistant";
import { refusedPaths, SimulatedClock } from "@baton/core/testing";
import { openMarket } from "../market/chain/open-market.ts";
import { openPack } from "../market/pack/pack.ts";
import { createTools } from "./catalogue.ts";
import { ASKED, assertHonest, call, CALLED, toolOf } from "./testing/tool-calls.ts";

const NOW = Date.parse("2024-11-22T15:00:00Z");
const market = await openMarket({
  env: { BATON_FINANCE_DATA: "offline" },
  clock: new SimulatedClock(NOW),
  pack: openPack(),
});
const embedded = createTools(market, { cache: new MemoryCache() });

/** Tools that keep something for a user have tests of their own. */
const KEPT = /Memory$|Portfolio|^(?:set|import)Holding|Watchlist|Alert|Schedule/;

suite("every tool", () => {
  test("has its arguments in the table", async () => {
    const names = embedded.map(({ name }) => name).filter((name) => !KEPT.test(name));
    assert.deepEqual(names.toSorted(), [...ASKED.keys()].toSorted());
  });

  for (const [name, args] of ASKED) {
    test(`${name} answers from the pack with data whose numbers are facts, or says why there are none`, async () => {
      const outcome = await call(toolOf(embedded, name), args);
      assertHonest(name, CALLED.parse(outcome));
    });

    test(`${name} refuses arguments of the wrong type`, async () => {
      const tool = toolOf(embedded, name);
      for (const [field, value] of Object.entries(args)) {
        const wrong = typeof value === "string" ? { $: 1 } : "no";
        const refused = await refusedPaths(tool, { ...args, [field]: wrong });
        assert.ok(
          refused.some((path) => path.includes(field)),
          `${field} of ${name}: ${refused.join(", ")}`,
        );
      }
      if (Object.keys(args).length > 0 && name !== "getScreener") assert.notDeepEqual(await refusedPaths(tool, {}), []);
    });
  }
});
