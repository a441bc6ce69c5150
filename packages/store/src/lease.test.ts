/** A process owns its claims as long as it renews its lease, and no longer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import type { Database } from "./database.ts";
import { Lease } from "./lease.ts";
import { SharedMemory } from "./sqlite/memory.ts";
import { withMethods } from "./with-methods.ts";

const LEASE_MS = 3_000;
const BUSY = new BatonError("busy", "the disk is full", { retryable: true });

/** Two processes on one store; calls of the first fail while their names are in `failing`, or are made and only their answer fails. */
async function openPair() {
  const clock = new SimulatedClock(1);
  const data = new SharedMemory({ now: () => clock.now() });
  const failing = new Set<string>();
  const slow: { renew?: Promise<void> } = {};
  const [own, others] = [data.open(), data.open()];
  const toLease = (owner: string, database: Database): Lease =>
    new Lease({ owner, database, clock, leaseMs: LEASE_MS });
  const guard =
    <Args extends readonly unknown[], T>(name: string, call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (name === "renew") await slow.renew;
      if (failing.has(name)) throw BUSY;
      const answer = await call(...args);
      if (failing.has(`${name} answer`)) throw BUSY;
      return answer;
    };
  const claims = withMethods(own.claims, {
    renew: guard("renew", own.claims.renew.bind(own.claims)),
    take: guard("take", own.claims.take.bind(own.claims)),
    release: guard("release", own.claims.release.bind(own.claims)),
    leave: guard("leave", own.claims.leave.bind(own.claims)),
  });
  const lease = toLease("one", withMethods(own, { claims }));
  const other = toLease("two", others);
  await lease.begin();
  await other.begin();
  return { clock, lease, other, failing, slow };
}

test("a claim is another's only when it is released, or its owner has not renewed its lease in time", async () => {
  const { clock, lease, other, failing } = await openPair();
  const claim = await lease.claim("run:a");
  assert.ok(claim !== undefined);
  assert.notEqual(await lease.claim("run:b"), undefined);
  await clock.advance(10 * LEASE_MS);
  assert.equal(await other.claim("run:a"), undefined);
  await lease.release(claim);
  assert.equal((await other.claim("run:a"))?.owner, "two");
  failing.add("renew");
  await clock.advance(LEASE_MS - 1_001);
  assert.equal(await other.claim("run:b"), undefined);
  await clock.advance(1_002);
  assert.equal((await other.claim("run:b"))?.owner, "two");
});

test("a lease that cannot be renewed is a problem until it can be again, each time", async () => {
  const { clock, lease, failing } = await openPair();
  for (let times = 0; times < 2; times++) {
    failing.add("renew");
    await clock.advance(LEASE_MS);
    assert.equal(lease.problem?.code, "busy");
    failing.clear();
    await clock.advance(LEASE_MS);
    assert.equal(lease.problem, undefined);
  }
});

test("a claim that could not be released is released with a later renewal, or before it is claimed again", async () => {
  const { clock, lease, other, failing } = await openPair();
  const [one, two] = [await lease.claim("run:a"), await lease.claim("run:b")];
  assert.ok(one !== undefined && two !== undefined);
  failing.add("release");
  for (const claim of [one, two]) await assert.rejects(lease.release(claim), { code: "busy" });
  await clock.advance(LEASE_MS);
  assert.equal(await other.claim("run:a"), undefined);
  failing.clear();
  const again = await lease.claim("run:b");
  assert.ok(again !== undefined && again.number > two.number);
  await clock.advance(LEASE_MS);
  assert.equal((await other.claim("run:a"))?.owner, "two");
  assert.equal(await other.claim("run:b"), undefined);
});

test("a claim whose answer was lost is given back before this process asks again, or with its next renewal", async () => {
  const { clock, lease, other, failing } = await openPair();
  failing.add("take answer");
  for (const key of ["run:a", "run:b"]) await assert.rejects(lease.claim(key), { code: "busy" });
  failing.clear();
  assert.notEqual(await lease.claim("run:a"), undefined);
  assert.equal(await other.claim("run:b"), undefined);
  await clock.advance(LEASE_MS);
  assert.equal((await other.claim("run:b"))?.owner, "two");
});

test("a claim may be taken over from a living owner, and a lease that ends gives everything back at once", async () => {
  const { clock, lease, other } = await openPair();
  await lease.claim("run:a");
  await lease.claim("run:b");
  assert.equal((await other.claim("run:a", { takesOver: true }))?.owner, "two");
  await lease.end();
  assert.equal((await other.claim("run:b"))?.owner, "two");
  await other.end();
  assert.equal(clock.pending, 0);
});

test("a lease that ends while it is being renewed is not renewed again", async () => {
  const { clock, lease, other, slow } = await openPair();
  const renewal = Promise.withResolvers<void>();
  slow.renew = renewal.promise;
  await clock.advance(LEASE_MS / 3);
  const ending = lease.end();
  renewal.resolve();
  await ending;
  await other.end();
  assert.equal(clock.pending, 0);
});
