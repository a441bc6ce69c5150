import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { reconnectDelayMs } from "./backoff.ts";

test("a wait is a whole number between what was asked for and the ceiling above it, however often it failed", () => {
  const failures = fc.oneof(fc.nat(), fc.constant(2_000));
  const asked = fc.oneof(fc.nat(100_000), fc.constantFrom(undefined, Infinity, 1e300));
  fc.assert(
    fc.property(failures, asked, fc.nat(1_000), (count, askedMs, minMs) => {
      const maxMs = 10_000;
      const floorMs = Math.min(askedMs ?? 0, 600_000);
      const waitMs = reconnectDelayMs({ failures: count, askedMs }, { minMs, maxMs });
      assert.ok(Number.isInteger(waitMs));
      assert.ok(waitMs >= floorMs && waitMs <= floorMs + Math.min(maxMs, minMs * 2 ** Math.min(count, 30)));
    }),
  );
});

test("clients that failed together do not come back together", () => {
  const waits = Array.from({ length: 100 }, () => reconnectDelayMs({ failures: 10 }, { minMs: 1_000, maxMs: 10_000 }));
  assert.ok(new Set(waits).size > 50);
  assert.ok(Math.min(...waits) < 5_000 && Math.max(...waits) > 5_000);
});
