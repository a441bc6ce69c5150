import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { compileSignals } from "../words/signal.ts";
import { feed, finish, type Hold, startHold, toWatch } from "./signal-hold.ts";
import { assertLinear } from "../testing/growth.ts";

function read(pieces: readonly string[], signals: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let hold: Hold = startHold(toWatch(signals));
  for (const piece of pieces) {
    const [next, text] = feed(hold, piece);
    shown.push(text);
    hold = next;
  }
  return [...shown, finish(hold)];
}

test("a signal is never shown, also where it comes in pieces", () => {
  assert.deepEqual(read(["Over to you ", "[RO", "UTE_", "A]"], ["[ROUTE_A]"]), ["Over to you", "", "", "", ""]);
});

test("brackets that cannot become a signal are shown at once", () => {
  assert.deepEqual(read(["see [", "x", "](y)"], ["[ROUTE_A]"]), ["see", " [x", "](y)", ""]);
  assert.deepEqual(read(["a[R", "OX"], ["[ROUTE_A]"]), ["a", "[ROX", ""]);
});

test("an agent without signals has nothing held back", () => {
  assert.deepEqual(read(["a [", " "], []), ["a [", " ", ""]);
});

test("what is held when the reply ends is shown", () => {
  assert.equal(read(["wait [ROUTE"], ["[ROUTE_A]"]).join(""), "wait [ROUTE");
});

test("a letter that comes in two pieces may still be a signal's", () => {
  const signals = ["[KẾT THÚC]", "[𝒳𝒴]", "[ΟΔΟΣΑ]"];
  const decomposed = "[ ke\u0302\u0301t  thu\u0301c ]";
  for (const text of [decomposed, "[𝒳𝒴]", "[οδοσα]", "[ΟΔΟΣΑ]"]) {
    assert.equal(read(text.split(""), signals).join(""), "", text);
  }
});

const PIECES = [
  "[X]",
  "[ x ]",
  "[Kết]",
  "[",
  "]",
  " ",
  "\n",
  "\n\n",
  "word",
  ".",
  "K",
  "e\u0302",
  "\u0301t",
  "X",
  "\u00a0",
];

test("what is shown, however the reply is cut, is the reply without signals", () => {
  const signals = ["[X]", "[KẾT]", "[X Y]"];
  const matcher = compileSignals(signals);
  const cuts = fc.array(fc.array(fc.constantFrom(...PIECES, "Y"), { maxLength: 6 }), { maxLength: 6 });
  fc.assert(
    fc.property(cuts, (parts) => {
      const pieces = parts.map((part) => part.join(""));
      assert.equal(read(pieces, signals).join(""), matcher.strip(pieces.join("")));
    }),
    { numRuns: 5_000 },
  );
});

test("text is read in linear time, also where it is hostile and comes character by character", () => {
  const hostile = ["[", "[ ", " ", "\n", "[X] ", "]", "[X\u0301", "\u0301"];
  for (const unit of hostile) {
    assertLinear(2_000, (size) => {
      const pieces = ["[X", ...Array.from({ length: size }, () => unit)];
      return () => read(pieces, ["[X]", "[KẾT THÚC]"]);
    });
  }
});
