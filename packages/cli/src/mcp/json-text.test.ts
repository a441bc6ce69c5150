import assert from "node:assert/strict";
import { test } from "node:test";
import { readMember, setMember } from "./json-text.ts";

const PATH = ["servers", "baton"] as const;
const ENTRY = { url: "x" };

test("a member is set in the layout of its neighbours, and every other byte stays", () => {
  for (const [before, after] of [
    ["{}", '{\n  "servers": {\n    "baton": {\n      "url": "x"\n    }\n  }\n}'],
    ['{"servers":{}}', '{"servers":{\n  "baton": {\n    "url": "x"\n  }\n}}'],
    ['{"servers":{"a":1 ,"b" : [ 1e5,"}\\""]} }', '{"servers":{"a":1 ,"b" : [ 1e5,"}\\""], "baton": {"url":"x"}} }'],
    [
      '{\r\n\t"servers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n',
      '{\r\n\t"servers": {\r\n\t\t"a": {},\r\n\t\t"baton": {\r\n\t\t\t"url": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
    ],
    [
      '{\n  "servers": {\n    "baton": {"url": "old"},\n    "z": -1\n  }\n}',
      '{\n  "servers": {\n    "baton": {\n      "url": "x"\n    },\n    "z": -1\n  }\n}',
    ],
    ['{"__proto__": {"servers": 1}}', '{"__proto__": {"servers": 1}, "servers": {"baton":{"url":"x"}}}'],
  ] as const) {
    assert.equal(setMember(before, PATH, ENTRY), after);
    assert.deepEqual(readMember(after, PATH), ENTRY);
  }
});

test("what is not plain JSON, or is not an object where one is needed, is refused", () => {
  for (const text of [
    "",
    "[]",
    "1",
    "\uFEFF{}",
    "{} // no",
    '{"servers": [],}',
    '{"servers": []}',
    '{"servers": null}',
  ])
    assert.equal(setMember(text, PATH, ENTRY), undefined, text);
  assert.equal(setMember('{"servers": {}, "servers": {}}', PATH, ENTRY), undefined);
});
