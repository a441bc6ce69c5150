import assert from "node:assert/strict";
import { test } from "node:test";
import { compileSignals } from "@baton/core";
import * as fc from "fast-check";
import { SignalFilter } from "./signal-filter.ts";

const matcher = compileSignals(["[ROUTE_A]", "[KẾT THÚC]"]);

function stream(pieces: readonly string[]): string {
  const filter = new SignalFilter(matcher);
  return pieces.map((piece) => filter.push(piece)).join("") + filter.end();
}

test("a signal is taken out however it is cut into pieces and spelled", () => {
  assert.equal(stream(["Done. [ROU", "TE_", "A] Bye"]), "Done.  Bye");
  assert.equal(stream(["[ kết\n  thúc ]."]), ".");
});

test("other text in brackets is left in, and shown once it cannot be a signal any more", () => {
  const filter = new SignalFilter(matcher);
  assert.equal(filter.push("see [1"), "see ");
  assert.equal(filter.push("] and [x[ROUTE_A]y"), "[1] and [xy");
  assert.equal(filter.push("["), "");
  assert.equal(filter.push("a".repeat(600)).length, 601);
  assert.equal(filter.push("[open"), "");
  assert.equal(filter.end(), "[open");
});

test("pieces give the same text as the whole", () => {
  const piece = fc.constantFrom("[", "]", "ROUTE_A", "[ROUTE_A]", " ", "x", "[KẾT", " THÚC]");
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      assert.equal(stream(pieces), stream([pieces.join("")]));
    }),
  );
});

test("a hundred thousand open brackets are let through at once", { timeout: 20_000 }, () => {
  assert.equal(stream(["[".repeat(100_000)]).length, 100_000);
});
