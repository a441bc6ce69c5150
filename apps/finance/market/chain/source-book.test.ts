import assert from "node:assert/strict";
import { test } from "node:test";
import { MarketError, type MarketErrorKind } from "../port/market-error.ts";
import { SourceBook } from "./source-book.ts";

const DAY_MS = 86_400_000;

test("a question about the past does not make a source's newest data older", () => {
  const book = new SourceBook();
  for (const asOf of ["2024-11-21T16:00:00-05:00", "2024-11-22T16:00:00-05:00", "2010-01-04T16:00:00-05:00"]) {
    book.success("sec", { now: DAY_MS, asOf });
  }
  assert.equal(book.of("sec").dataAsOf, "2024-11-22T16:00:00-05:00");
  assert.deepEqual(book.of("cboe"), {});
});

test("each answer and failure is counted by source and kind, and that there is no data is not an error", () => {
  const book = new SourceBook();
  const failed = (kind: MarketErrorKind) => ({ now: DAY_MS, error: new MarketError(kind, "why") });
  book.success("sec", { now: DAY_MS, asOf: "2024-11-22" });
  book.failure("sec", failed("no_data"));
  assert.equal(book.of("sec").lastError, undefined);
  book.failure("sec", failed("upstream"));
  book.failure("sec", failed("upstream"));
  book.failure("cboe", failed("throttled"));
  assert.deepEqual(book.of("sec").lastError, { kind: "upstream", message: "why" });
  assert.deepEqual(
    ["sec", "cboe", "yahoo"].map((source) => Object.fromEntries(book.requestsOf(source))),
    [{ ok: 1, no_data: 1, upstream: 2 }, { throttled: 1 }, {}],
  );
});
