/** Nothing counts as on disk that was added after the last write began. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { watch } from "./testing/moments.ts";
import { Watermark } from "./watermark.ts";

test("what is added while something is written is on disk only after the next write", async () => {
  const watermark = new Watermark();
  watermark.add();
  const first = watch(watermark.wait({ isFirm: false }));
  watermark.take();
  watermark.add();
  const second = watch(watermark.wait({ isFirm: false }));
  watermark.reach();
  await Promise.resolve();
  assert.deepEqual([watermark.isReached, first.now, second.now], [false, "done", "open"]);
  watermark.take();
  watermark.reach();
  await Promise.resolve();
  assert.deepEqual([watermark.isReached, second.now], [true, "done"]);
});

test("those who may be refused are, and those who wait for the truth are told when it is known", async () => {
  const watermark = new Watermark();
  watermark.add();
  const [some, firm] = [watch(watermark.wait({ isFirm: false })), watch(watermark.wait({ isFirm: true }))];
  watermark.refuse(new BatonError("closed", "left"));
  await Promise.resolve();
  assert.deepEqual([some.now, firm.now], ["closed", "open"]);
  watermark.giveUp(new BatonError("busy", "the disk is full"));
  await Promise.resolve();
  assert.equal(firm.now, "busy");
  await assert.rejects(watermark.wait({ isFirm: false }), { code: "busy" });
});
