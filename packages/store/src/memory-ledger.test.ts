import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cap } from "@baton/core/ports";
import { SimulatedClock, testLedger } from "@baton/core/testing";
import { MemoryLedger } from "./memory-ledger.ts";

testLedger("the memory ledger", (clock) => new MemoryLedger(clock));

const once: readonly Cap[] = [{ name: "max_calls", measure: "calls", max: 1 }];
const nothing = { tokens: 0, usd: 0 };

test("a full memory ledger forgets windows that are over before it forgets what still counts", async () => {
  const clock = new SimulatedClock(1);
  const ledger = new MemoryLedger(clock, 3);
  const call = (id: string, window?: "minute") =>
    ledger.reserve([{ id, caps: once, ...(window === undefined ? {} : { window }) }], nothing).ok;
  assert.ok(call("run old"));
  assert.ok(call("crew", "minute"));
  await clock.advance(60_000);
  assert.ok(call("crew", "minute"));
  assert.ok(call("run new"));
  assert.ok(!call("run old"), "the minute that is over went first");
  assert.ok(call("run newest"));
  assert.ok(call("crew", "minute"), "the one that was not used for longest went next");
  assert.ok(!call("run old"));
});
