import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { toBatches } from "./batches.ts";

/** A stream that says one word and fails when the call is aborted, as that of a provider does. */
function createStream(abort: AbortSignal): ReadableStream<string> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue("begin");
      abort.addEventListener("abort", () => controller.error(abort.reason), { once: true });
    },
  });
}

test("a call that is cancelled while it waits for more was stopped, and did not finish", async () => {
  const root = Scope.root({ clock: new SystemClock(), name: "test" });
  const call = root.child({ name: "model" });
  const batches = toBatches(createStream(call.abort), call);
  assert.deepEqual((await batches.next()).value, ["begin"]);
  const more = assert.rejects(batches.next(), { code: "cancelled" });
  assert.deepEqual(await root.cancel(new BatonError("cancelled", "enough")), {
    stopped: ["model"],
    finished: [],
    abandoned: [],
  });
  await more;
  await root[Symbol.asyncDispose]();
});
