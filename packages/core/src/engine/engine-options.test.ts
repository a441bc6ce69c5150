/** Options that an engine cannot work with are refused when it is made, not when a run needs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "./engine.ts";
import { scriptModel } from "../ports/script.ts";

test("maxToolCalls is a whole number, 1 or more", () => {
  const model = () => scriptModel({});
  for (const maxToolCalls of [0, -1, 0.5, 2.5, Number.NaN]) {
    assert.throws(() => new Engine({ model, maxToolCalls }), { code: "invalid" }, String(maxToolCalls));
  }
  for (const maxToolCalls of [1, 256, Infinity]) assert.doesNotThrow(() => new Engine({ model, maxToolCalls }));
});
