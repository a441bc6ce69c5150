import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ReferenceStream } from "./reference-stream.ts";

const VALUES: ReadonlyMap<string, string> = new Map([
  ["f3.2.1.4", "61.2"],
  ["f1.1.1.1", "3,56 nghìn tỷ USD"],
  ["f4/quiz/student/1.1.2.1", "$1"],
]);

function read(pieces: readonly string[]) {
  const stream = new ReferenceStream(({ id }) => VALUES.get(id), "(unknown)");
  const shown = pieces.map((piece) => stream.push(piece)).join("") + stream.end();
  return { shown, spans: stream.spans, missing: stream.missing };
}

const TEXTS: readonly string[] = [
  "RSI {f3.2.1.4}, cap {f1.1.1.1}.",
  "{f3.2.1.4}{f1.1.1.1}{f9.9.9.9}",
  "no reference: {x} {f} {f1} {} { f1.1.1.1} {f1.1.1.1",
  "{{f3.2.1.4}} {f4/quiz/student/1.1.2.1} giá là {f1.1.1.1} đồng",
  `{${"f".repeat(600)}} {f3.2.1.4}`,
];

test("a text split at every place gives the same as the whole text", () => {
  for (const text of TEXTS) {
    const whole = read([text]);
    for (let at = 0; at <= text.length; at += 1) {
      assert.deepEqual(read([text.slice(0, at), text.slice(at)]), whole, `${text} at ${at}`);
    }
    assert.deepEqual(read(text.split("")), whole, text);
  }
});

test("spans stand where the values stand, however the text is cut", () => {
  const part = fc.constantFrom("{f3.2.1.4}", "{f1.1.1.1}", "{f9.9.9.9}", "{", "}", " a ", "{f", "3.2.1.4}", "ệ");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 6 }), (parts, cuts) => {
      const text = parts.join("");
      const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length])].toSorted(
        (one, other) => one - other,
      );
      const pieces = places.slice(1).map((end, n) => text.slice(places[n], end));
      const { shown, spans, missing } = read(pieces);
      assert.deepEqual({ shown, spans, missing }, read([text]));
      for (const { start, end, fact } of spans) assert.equal(shown.slice(start, end), VALUES.get(fact));
      for (const { start, end } of missing) assert.equal(shown.slice(start, end), "(unknown)");
    }),
  );
});

test("a sign that the value brings itself is not shown twice, and :abs leaves the minus off", () => {
  const stream = new ReferenceStream(({ isAbsolute }) => (isAbsolute ? "3%" : "$5"), "?");
  const shown = stream.push("cost ${f1.1.1.1} and fell {f1.1.1.2:abs}% of $x") + stream.end();
  assert.equal(shown, "cost $5 and fell 3% of $x");
  assert.deepEqual(
    stream.spans.map(({ start, end }) => shown.slice(start, end)),
    ["$5", "3%"],
  );
});

test("text that cannot become a reference is shown at once", () => {
  const stream = new ReferenceStream(({ id }) => VALUES.get(id), "(unknown)");
  assert.equal(stream.push("a {x"), "a {x");
  assert.equal(stream.push(" b {f3.2"), " b ");
  assert.equal(stream.push(".1.4} c"), "61.2 c");
  assert.equal(stream.push("{f3"), "");
  assert.equal(stream.end(), "{f3");
});
