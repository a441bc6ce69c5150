import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import * as fc from "fast-check";
import { openPack } from "../pack/pack.ts";
import type { Listing } from "../port/listing.ts";
import { openPackDirectory } from "./pack-directory.ts";

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
const directory = openPackDirectory(openPack());

test("a search never throws and keeps to its narrowing, whatever is asked", () => {
  const query = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("VNM", "apple", "BTC", "first", "sol", "vix", "hoa"),
  );
  const narrowing = fc.record({
    type: fc.constantFrom("any", "stock", "crypto", "index"),
    market: fc.constantFrom("US", "VN"),
  } as const);
  for (const seed of inSlice(SEEDS))
    fc.assert(
      fc.property(query, narrowing, (asked, wanted) => {
        const found = directory.resolve(asked, wanted);
        const listings: readonly Listing[] =
          found.kind === "one" ? [found.listing] : found.kind === "ambiguous" ? found.candidates : found.nearest;
        for (const { exchange, type } of listings) {
          assert.equal(["HOSE", "HNX", "UPCOM"].includes(exchange), wanted.market === "VN");
          assert.ok(wanted.type === "any" || type === wanted.type || (wanted.type === "stock" && type === "etf"));
        }
      }),
      { seed, numRuns: 150 },
    );
});
