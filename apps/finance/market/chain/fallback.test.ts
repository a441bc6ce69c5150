import assert from "node:assert/strict";
import { test } from "node:test";
import { fallbackOf, isStandIn, toFallbackNote } from "./fallback.ts";
import { MarketError, type MarketErrorKind } from "../port/market-error.ts";

const failed = (source: string, kind: MarketErrorKind, retryAt?: number) => ({
  source,
  error: new MarketError(kind, "no", retryAt === undefined ? {} : { retryAt }),
});

test("a fallback is read from a note as it was written, whatever comes before it", () => {
  const words = toFallbackNote([failed("fmp", "throttled", 0), failed("sec", "no_data")], "embedded");
  assert.equal(words, "fmp: throttled until 1970-01-01T00:00:00.000Z; sec: no_data; from embedded");
  for (const before of ["", "its own words; ", "a: b; from here; "]) {
    assert.equal(fallbackOf({ note: `${before}${words}` }), words);
  }
});

test("a note without a fallback has none", () => {
  for (const note of ["", "its own words", "fmp: upstream", "from embedded", "prices; from 2012", "a: b; from c"]) {
    assert.equal(fallbackOf({ note }), undefined, note);
    assert.equal(isStandIn({ note }), false, note);
  }
  assert.equal(fallbackOf({}), undefined);
});

test("only what may pass makes an answer a stand-in", () => {
  const isOf = (...kinds: readonly MarketErrorKind[]) =>
    isStandIn({
      note: toFallbackNote(
        kinds.map((kind) => failed("fmp", kind)),
        "embedded",
      ),
    });
  assert.deepEqual([isOf("upstream"), isOf("throttled"), isOf("no_data", "upstream")], [true, true, true]);
  assert.ok(isStandIn({ note: "fmp: upstream; from embedded; fmp: no_data; from embedded" }));
  assert.deepEqual([isOf("no_data"), isOf("plan"), isOf("not_configured")], [false, false, false]);
});
