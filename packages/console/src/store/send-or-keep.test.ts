/** A message that is said while the machine is offline is sent once, however often the network comes and goes. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { ClientError } from "@baton/client";
import { sendOrKeep } from "./send-or-keep.ts";

const REPLACED = ["window", "navigator"] as const;
const before = REPLACED.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
const network = { onLine: true };

beforeEach(() => {
  network.onLine = true;
  Object.defineProperty(globalThis, "window", { value: new EventTarget(), configurable: true });
  Object.defineProperty(globalThis, "navigator", { value: network, configurable: true });
});
afterEach(() => {
  for (const [name, own] of before) {
    Reflect.deleteProperty(globalThis, name);
    if (own !== undefined) Object.defineProperty(globalThis, name, own);
  }
});

/** Changes the network as a browser notices it, and lets what follows from it happen. */
async function turn(state: "online" | "offline"): Promise<void> {
  network.onLine = state === "online";
  window.dispatchEvent(new Event(state));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Counts requests; each fails while the machine is offline. */
function counted() {
  const seen = { requests: 0, later: new Array<unknown>() };
  const send = async (): Promise<void> => {
    if (!network.onLine) throw new ClientError("network", "offline");
    seen.requests++;
  };
  return { seen, send, onLater: (failure?: unknown) => seen.later.push(failure) };
}

test("offline, say, online, offline, online: one request", async () => {
  const { seen, send, onLater } = counted();
  await turn("offline");
  assert.equal(await sendOrKeep(send, onLater), "kept");
  await turn("online");
  await turn("offline");
  await turn("online");
  assert.deepEqual(seen, { requests: 1, later: [undefined] });
});

test("a network that is gone again before the message is sent keeps it for the next time, once", async () => {
  const { seen, send, onLater } = counted();
  await turn("offline");
  await sendOrKeep(send, onLater);
  window.dispatchEvent(new Event("online"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(seen, { requests: 0, later: [] });
  await turn("online");
  await turn("online");
  assert.deepEqual(seen, { requests: 1, later: [undefined] });
});

test("a refusal is told at once, or later if the message was kept, and is not tried again", async () => {
  const refusal = new ClientError("invalid", "too long");
  const later: unknown[] = [];
  let requests = 0;
  const send = async (): Promise<never> => {
    requests++;
    throw network.onLine ? refusal : new ClientError("network", "offline");
  };
  await assert.rejects(
    sendOrKeep(send, (failure) => later.push(failure)),
    refusal,
  );
  await turn("offline");
  await sendOrKeep(send, (failure) => later.push(failure));
  await turn("online");
  await turn("online");
  assert.deepEqual([requests, later], [3, [refusal]]);
});
