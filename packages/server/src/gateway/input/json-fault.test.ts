import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { findFault } from "./json-fault.ts";

suite("the place of a fault is that of the first character that cannot be there, counted from 1", () => {
  const faults: [string, number][] = [
    ['{"input":NaN}', 10],
    ['{"input":"a",}', 14],
    ["[1,]", 4],
    ["[1 2]", 4],
    ["[1}", 3],
    ["{1:2}", 2],
    ['{"a" 1}', 6],
    ['{"a":}', 6],
    ["{,}", 2],
    ["[,]", 2],
    ["]", 1],
    ["{} {}", 4],
    ["1,", 2],
    ["01", 2],
    ["1.", 2],
    ["-", 1],
    ["nul", 1],
    ["'a'", 1],
    ['"a\nb"', 3],
    [String.raw`"a\x"`, 3],
    [String.raw`"\u12g4"`, 2],
    ['["😀",]', 6],
  ];
  for (const [text, character] of faults) {
    test(text, () => {
      assert.throws(() => JSON.parse(text));
      assert.equal(findFault(text), character);
    });
  }
});

test("a text that breaks off goes wrong behind its end, wherever that is", () => {
  const whole = String.raw`{"a": [1, -2.5e+3, true, false, null, {}, [], ""], "b\n\u00e9": {"c": "d"}}`;
  assert.deepEqual(JSON.parse(whole), { a: [1, -2500, true, false, null, {}, [], ""], "b\né": { c: "d" } });
  assert.equal(findFault(whole), whole.length + 1);
  for (let length = 0; length < whole.length; length++) {
    const fault = findFault(whole.slice(0, length));
    // What has begun and is not whole, such as `tru` or `\u00`, cannot be there as it is.
    assert.ok(fault <= length + 1 && fault > length - "false".length, `${length}: ${fault}`);
  }
});

test("where one character is wrong, the place is that character, or where the word with it begins", () => {
  const whole = '{"a":[1,{"b":"c"},null],"d":""}';
  for (let at = 0; at < whole.length; at++) {
    const broken = `${whole.slice(0, at)}\u0001${whole.slice(at + 1)}`;
    const fault = findFault(broken);
    assert.ok(fault <= at + 1 && fault > at - "null".length, `${at}: ${fault}`);
  }
});
