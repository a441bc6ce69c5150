import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCurve } from "./treasury.ts";

test("columns are found by name in any order, and a name that is no maturity is passed over", () => {
  const text = 'Date,"30 Yr","Note","1.5 Month","1 Mo"\r\n03/05/2026,4.7,x,4.2,N/A\r\n03/04/2026,,y,-0.05,4.1\r\n';
  assert.deepEqual(parseCurve(text), [
    { day: "2026-03-04", name: "1M", percent: 4.1 },
    { day: "2026-03-04", name: "1.5M", percent: -0.05 },
    { day: "2026-03-05", name: "1.5M", percent: 4.2 },
    { day: "2026-03-05", name: "30Y", percent: 4.7 },
  ]);
});

for (const text of [
  "",
  "Error: no data",
  'Date,"1 Mo"\n2026-03-05,4.1',
  'Date,"1 Mo"\n02/30/2026,4.1',
  'Date,"1 Mo\n03/05/2026,4',
]) {
  test(`${JSON.stringify(text)} is not a curve`, () => {
    assert.throws(() => parseCurve(text), { kind: "upstream", message: /unexpected shape/ });
  });
}
