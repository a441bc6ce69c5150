import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/client";
import { RUN_EN } from "../../words/en/run.ts";
import { RUN_VI } from "../../words/vi/run.ts";
import { eventLabel, isOfFamily } from "./event-label.ts";

const WAITS: RunEvent = {
  run: "r",
  seq: 5,
  at: 1,
  lane: "",
  type: "limit.waiting",
  limit: "max_calls_per_minute",
  delayMs: 12_300,
  agent: "host",
  of: "1.1",
};
const story = { fates: new Map() };
const nameOf = () => "Ms Hale";

test("a wait for a cap says who waits, how long and for which setting, in both languages", () => {
  assert.equal(
    eventLabel(WAITS, { say: RUN_EN.happened, story, nameOf }),
    "Ms Hale waits about 13 s for room under max_calls_per_minute",
  );
  assert.equal(
    eventLabel(WAITS, { say: RUN_VI.happened, story, nameOf }),
    "Ms Hale chờ khoảng 13 s vì giới hạn max_calls_per_minute",
  );
  assert.equal(isOfFamily(WAITS, "error"), true);
});

test("tokens of a cache have words in both languages", () => {
  assert.deepEqual(
    [RUN_EN, RUN_VI].map(({ output }) => [output.cached, output.cachedOf("800", "20")]),
    [
      ["Cached", "800 read, 20 written"],
      ["Bộ nhớ đệm", "đọc 800, ghi 20"],
    ],
  );
});
