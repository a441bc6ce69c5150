import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { TypedText } from "./typed-text.ts";

function typed(...keys: readonly string[]): TypedText {
  const text = new TypedText();
  for (const key of keys) text.type(key);
  return text;
}

test("lines are taken in the order in which they were typed, then what has no Enter yet", () => {
  const text = typed("one\r\r", "  \n", "tw", "o\rthr");
  assert.deepEqual(text.take(), { text: "one", isComplete: true });
  assert.deepEqual(text.take(), { text: "two", isComplete: true });
  assert.deepEqual(text.take(), { text: "thr", isComplete: false });
  assert.equal(text.take(), undefined);
});

test("Backspace removes a whole character and not the line before, Ctrl-U the line", () => {
  assert.deepEqual(typed("aé🙂", "\u007f", "b").take(), { text: "aéb", isComplete: false });
  assert.deepEqual(typed("a\r", "\u007f\b", "b\r").take(), { text: "a", isComplete: true });
  assert.deepEqual(typed("wrong\u0015right\r").take(), { text: "right", isComplete: true });
});

test("special keys and control characters leave nothing behind", () => {
  for (const keys of ["\u001b[A", "\u001bOP", "\u001b[1;5C", "\u001b", "\t", "\u0004", "\u0000", "\u009b"]) {
    assert.deepEqual(typed("a", keys, "b\r").take(), { text: "ab", isComplete: true }, JSON.stringify(keys));
  }
  assert.deepEqual(typed("a\u001b[A\u001b[200~b\u001bOHc\r").take(), { text: "abc", isComplete: true });
});

test("after a question nothing is complete: all lines become one to look at", () => {
  const text = typed("y\r", "and more\r", "of it");
  text.hold();
  assert.deepEqual(text.take(), { text: "y and more of it", isComplete: false });
  assert.equal(text.take(), undefined);
});

test("whatever is typed, lines are bounded and hold no control characters, and clear forgets them", () => {
  const keys = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom("\r", "\u007f", "x".repeat(9_000)),
  );
  fc.assert(
    fc.property(fc.array(keys), (all) => {
      const text = typed(...all);
      let chars = 0;
      for (let line = text.take(); line !== undefined; line = text.take()) {
        chars += line.text.length;
        for (const character of line.text) assert.doesNotMatch(character, /\p{Cc}/u);
      }
      assert.ok(chars <= 10_001);
      const cleared = typed(...all);
      cleared.clear();
      assert.equal(cleared.take(), undefined);
    }),
  );
});
