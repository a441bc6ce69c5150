import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BatonError } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import type { StartWork, PlacedWork, Work } from "../placement.ts";
import { RestatePlacement } from "./restate-placement.ts";
import { RestateServer } from "./restate-server.ts";

const clock = new SystemClock();
let server: RestateServer;
let works = 0;

before(async () => {
  server = await RestateServer.start();
});

after(() => server[Symbol.asyncDispose]());

/** Work of a session, with a token of its own. */
function newWork(key = `session:local:local:s${++works}`): Work {
  const run = `run-${++works}`;
  return { kind: "segment", run, key, token: `${run}@1` };
}

/** A worker without an engine. */
class Worker implements AsyncDisposable {
  readonly begun: PlacedWork[] = [];
  readonly placement: RestatePlacement;

  constructor(act: (placed: PlacedWork, times: number) => Promise<void> = () => Promise.resolve()) {
    const { ingress, admin } = server;
    this.placement = new RestatePlacement({ clock, ingress, worker: { admin } });
    this.begin = async (placed) => {
      this.begun.push(placed);
      const times = this.times(placed.work);
      return { done: () => act(placed, times) };
    };
  }

  readonly begin: StartWork;

  async start(): Promise<this> {
    await this.placement.serve(this.begin);
    await this.placement.registered;
    return this;
  }

  times({ token }: Work): number {
    return this.begun.filter(({ work }) => work.token === token).length;
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await sleep(5);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.placement[Symbol.asyncDispose]();
  }
}

test("work that is offered for later does not begin before its time, and does not keep other work waiting", async () => {
  await using worker = await new Worker().start();
  const [later, now] = [newWork("session:local:local:late"), newWork("session:local:local:late")];
  const at = clock.now() + 1_000;
  await worker.placement.offer(later, { at });
  await worker.placement.offer(now);
  await worker.until(() => worker.times(now) === 1);
  assert.equal(worker.times(later), 0);
  await worker.until(() => worker.times(later) === 1);
  assert.ok(Date.now() >= at);
});

test("a look for schedules is placed like a segment", async () => {
  await using worker = await new Worker().start();
  const work: Work = { kind: "schedules", token: "schedules@1" };
  await worker.placement.offer(work);
  await worker.until(() => worker.begun.length === 1);
  assert.deepEqual(worker.begun, [{ work, takesOver: true }]);
});

test("offers with one token are one offer while the work is under way, whichever process makes them", async () => {
  const held = Promise.withResolvers<void>();
  await using worker = await new Worker(() => held.promise).start();
  await using other = new RestatePlacement({ clock, ingress: server.ingress });
  const work = newWork();
  await worker.placement.offer(work);
  await worker.until(() => worker.times(work) === 1);
  await Promise.all([worker.placement.offer(work), other.offer(work)]);
  held.resolve();
  const last = newWork(work.kind === "segment" ? work.key : "");
  await worker.placement.offer(last);
  await worker.until(() => worker.times(last) === 1);
  assert.equal(worker.times(work), 1);
});

test("work that fails is tried again until it succeeds, before the next of its session", async () => {
  const ended: string[] = [];
  await using worker = await new Worker(async ({ work }, times) => {
    if (times < 4) throw new BatonError("busy", "not now", { retryAfterMs: times === 3 ? 10 : 0 });
    ended.push(work.token);
  }).start();
  const [one, other] = [newWork("session:local:local:fails"), newWork("session:local:local:fails")];
  await worker.placement.offer(one);
  await worker.placement.offer(other);
  await worker.until(() => ended.length === 2);
  assert.deepEqual(ended, [one.token, other.token]);
  assert.deepEqual(
    worker.begun.map(({ work }) => work.token),
    [one, one, one, one, other, other, other, other].map(({ token }) => token),
  );
});

test("what Baton did not send is dropped, and the next of its session begins", async () => {
  await using worker = await new Worker().start();
  const sent = await fetch(`${server.ingress[0]}/baton_session/session%3Aodd/segment/send`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ run: 7 }),
  });
  assert.equal(sent.status, 202);
  const work = newWork("session:odd");
  await worker.placement.offer(work);
  await worker.until(() => worker.times(work) === 1);
  assert.equal(worker.begun.length, 1);
});

test("keys of any characters reach the worker as they are", async () => {
  await using worker = await new Worker().start();
  const keys = ["session:a/b:c d:é%2F?x=1#y", "run:日本", "session:..:.:x"];
  for (const key of keys) await worker.placement.offer(newWork(key));
  await worker.until(() => worker.begun.length === keys.length);
  const seen = worker.begun.map(({ work }) => (work.kind === "segment" ? work.key : ""));
  assert.deepEqual(seen.toSorted(), keys.toSorted());
});

test("work that is under way when Restate is killed begins again, and is offered while it is down", async () => {
  const held = Promise.withResolvers<void>();
  await using worker = await new Worker(() => held.promise).start();
  const [underWay, offered] = [newWork(), newWork()];
  await worker.placement.offer(underWay);
  await worker.until(() => worker.times(underWay) === 1);
  const [node] = server.nodes;
  await node?.crash();
  const offering = worker.placement.offer(offered);
  await node?.start();
  await offering;
  await worker.until(() => worker.times(underWay) === 2 && worker.times(offered) === 1);
  held.resolve();
});

test("the package of the server is asked for by its name if it is missing", async () => {
  await assert.rejects(RestateServer.start({ from: "/nowhere/file.js" }), {
    code: "not_found",
    message: /npm install --save-dev @restatedev\/restate-server/,
  });
});
