import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope, SystemClock } from "@baton/core/ports";
import { openMarket } from "../market/chain/open-market.ts";
import { generate, listed } from "./generate.ts";
import { seedOf } from "./rules-track.ts";

const market = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: { now: () => 0 } });
const from = await listed(market, Scope.root({ clock: new SystemClock(), name: "test" }));

test("a seed always makes the same hundred questions, another seed makes others", () => {
  const one = generate("2024-11-22", from);
  assert.equal(one.length, 100);
  assert.deepEqual(generate("2024-11-22", from), one);
  assert.notDeepEqual(generate("2024-11-23", from), one);
});

test("no place of a template is left, and every question names what it expects", () => {
  for (const { id, text, earlier, expect } of generate("any", from)) {
    assert.doesNotMatch([...earlier, text].join(" "), /[{}]/, id);
    assert.ok(expect.symbols.length > 0, id);
    assert.ok(
      expect.symbols.every((symbol) => market.directory.get(symbol) !== undefined),
      id,
    );
  }
});

test("the seed is the day", () => {
  assert.equal(seedOf(Date.UTC(2024, 10, 22, 23, 59)), "2024-11-22");
  assert.equal(seedOf(Date.UTC(2024, 10, 23)), "2024-11-23");
});
