import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { crew as dialect } from "../dialects/crew.ts";
import { toFormat } from "./stream-format.ts";

test("a stream is silent no longer than its dialect or its crew allows", () => {
  for (const [own, ofCrew, expected] of [
    [undefined, 30_000, 30_000],
    [15_000, 30_000, 15_000],
    [15_000, 5_000, 5_000],
  ] as const) {
    const crew = defineCrew({ name: "quiet", agents: [{ id: "a" }], settings: { sseKeepAliveMs: ofCrew } });
    const context = { run: "run", session: undefined, crew, createdAt: 0, model: "quiet" };
    const { keepAliveMs } = toFormat({ ...dialect, ...(own === undefined ? {} : { keepAliveMs: own }) }, context);
    assert.equal(keepAliveMs, expected);
  }
});
