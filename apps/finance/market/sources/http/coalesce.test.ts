import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { InFlight } from "./coalesce.ts";

const stop = () => new BatonError("cancelled", "stop");

/** Work that ends when the gate opens, or when its scope is cancelled. */
function gated() {
  const gate = Promise.withResolvers<string>();
  let begun = 0;
  const reasons: string[] = [];
  const work = (scope: Scope): Promise<string> => {
    begun++;
    scope.onCancel(({ message }) => {
      reasons.push(message);
      gate.reject(new Error("cancelled"));
    });
    return gate.promise;
  };
  return { work, open: () => gate.resolve("answer"), begun: () => begun, reasons };
}

test("those who stay get the answer, though others have left long before it came", async () => {
  const clock = new SimulatedClock(1);
  await using root = Scope.root({ clock });
  const inFlight = new InFlight<string>();
  const { work, open, begun, reasons } = gated();
  const [leaving, staying] = [root.child({ name: "leaving" }), root.child({ name: "staying" })];
  const left = assert.rejects(inFlight.share("key", leaving, work), { message: "stop" });
  const answer = inFlight.share("key", staying, work);
  await leaving.cancel(stop());
  await left;
  await clock.advance(60_000);
  assert.deepEqual([begun(), reasons], [1, []]);
  open();
  assert.equal(await answer, "answer");
});

test("when the last has left, the work is cancelled and nothing of it is left", async () => {
  const clock = new SimulatedClock(1);
  await using root = Scope.root({ clock });
  const inFlight = new InFlight<string>();
  const { work, begun, reasons } = gated();
  const scope = root.child({ name: "only" });
  const left = assert.rejects(inFlight.share("key", scope, work), { message: "stop" });
  await scope.cancel(stop());
  await left;
  await clock.advance(1_000);
  assert.deepEqual([begun(), reasons.length, clock.pending], [1, 1, 0]);
  const next = await inFlight.share("key", root, async () => "anew");
  assert.equal(next, "anew");
});

test("a failure is told to all who wait, and is not kept", async () => {
  await using root = Scope.root({ clock: new SimulatedClock(1) });
  const inFlight = new InFlight<string>();
  const fail = async (): Promise<string> => Promise.reject(new Error("down"));
  const asks = Array.from({ length: 3 }, () => assert.rejects(inFlight.share("key", root, fail), { message: "down" }));
  await Promise.all(asks);
  assert.equal(await inFlight.share("key", root, async () => "up"), "up");
});
