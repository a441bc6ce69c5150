import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, type CallContext, defineTool, type Json, type Tool, ToolError } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { callTool, SimulatedClock, toolContext } from "@baton/core/testing";
import { z } from "zod";
import { AssistantMeter } from "../metrics/assistant-meter.ts";
import { type ResultCache, MemoryCache } from "./result-cache.ts";
import { type ToolCacheOptions, withCache } from "./tool-cache.ts";

/** A world in which a tool answers as it is told, and counts its runs. */
function setUp(more: Partial<ToolCacheOptions> = {}) {
  const clock = new SimulatedClock(1);
  const root = Scope.root({ clock });
  const runs: Json[] = [];
  const ends: string[] = [];
  const world: { answer: (given: Context) => Json | Promise<Json> } = { answer: () => ({ n: runs.length }) };
  const tool = defineTool({
    name: "look",
    description: "Looks.",
    effect: "read",
    input: z.object({ symbol: z.string(), limit: z.int().default(5) }),
    run: async (input, context) => {
      runs.push(input);
      context.scope.onCancel(() => ends.push("cancelled"));
      return world.answer({ context });
    },
  });
  const cache = new MemoryCache({ clock });
  const options: ToolCacheOptions = { ttlMs: 10_000, mode: "embedded", cache, ...more };
  const cached = withCache(tool, options);
  const call = (args: Json = { symbol: "A" }, scope = root, of: Tool = cached): Promise<unknown> =>
    callTool(of, args, { ...toolContext()(), scope });
  const ask = (args?: Json): Promise<unknown> => clock.run(call(args));
  return { clock, root, runs, ends, world, tool, cached, options, call, ask };
}

type Context = Readonly<{ context: CallContext }>;

const down = () => Promise.reject(new ToolError("network", "no way there"));

/** An answer that comes after that long. */
const after =
  (ms: number, output: Json) =>
  async ({ context }: Context): Promise<Json> => {
    await context.scope.sleep(ms);
    return output;
  };

test("each call counts as a miss, a hit or coalesced, and a stale result or one without data also as that", async () => {
  const meter = new AssistantMeter();
  const { clock, world, call, ask } = setUp({ meter, toStale: (output) => output });
  await ask();
  await ask();
  await clock.advance(10_000);
  world.answer = down;
  await ask();
  await clock.advance(100_000_000);
  world.answer = () => ({ no_data: true });
  await ask();
  world.answer = after(10, 3);
  await clock.advance(100_000_000);
  await clock.run(Promise.all([call(), call(), call()]));
  const results = meter.read("tool_cache").map(([{ result }, count]) => `${result} ${count}`);
  assert.deepEqual(results, ["miss 4", "hit 1", "coalesced 2"]);
  assert.deepEqual([meter.total("assistant_stale_results"), meter.total("assistant_no_data_results")], [1, 1]);
});

test("a result is used again until its time is over, as it was", async () => {
  const { clock, world, runs, ask } = setUp();
  world.answer = () => ({ as_of: `2025-01-01T00:00:0${runs.length}Z` });
  const first = await ask();
  await clock.advance(9_999);
  assert.deepEqual(await ask(), first);
  assert.equal(runs.length, 1);
  await clock.advance(1);
  assert.notDeepEqual(await ask(), first);
  assert.equal(runs.length, 2);
});

test("arguments that mean the same have one result, others have their own", async () => {
  const keyOf = (args: Json): Json =>
    Object.fromEntries(
      Object.entries(typeof args === "object" ? (args ?? {}) : {}).map(([name, value]) => [
        name,
        typeof value === "string" ? value.toUpperCase() : value,
      ]),
    );
  const { runs, ask } = setUp({ keyOf });
  for (const args of [{ symbol: "A" }, { limit: 5, symbol: "A" }, { symbol: "A", limit: 5 }, { symbol: "a" }])
    await ask(args);
  assert.equal(runs.length, 1);
  await ask({ symbol: "A", limit: 6 });
  await ask({ symbol: "B" });
  assert.equal(runs.length, 3);
});

test("a result of one data mode or tool never answers for another", async () => {
  const { clock, tool, options, call, runs } = setUp();
  const live = withCache(tool, { ...options, mode: "live" });
  const other = withCache({ ...tool, name: "look2" }, options);
  for (const used of [live, other, live, other]) await clock.run(call({ symbol: "A" }, undefined, used));
  await clock.run(call());
  assert.equal(runs.length, 3);
});

test("two tools on one cache share their results through it", async () => {
  const { clock, tool, options, call, runs } = setUp();
  await clock.run(call());
  await clock.run(call({ symbol: "A" }, undefined, withCache(tool, options)));
  assert.equal(runs.length, 1);
});

test("ten equal calls at once run once, and all have the result", async () => {
  const { clock, world, runs, call } = setUp();
  world.answer = after(100, { n: 7 });
  const results = await clock.run(Promise.all(Array.from({ length: 10 }, () => call())));
  assert.deepEqual(
    results,
    Array.from({ length: 10 }, () => ({ n: 7 })),
  );
  assert.equal(runs.length, 1);
});

test("ten equal calls at once fail together, and the next one runs again", async () => {
  const { clock, world, runs, call, ask } = setUp();
  world.answer = down;
  const results = await clock.run(Promise.allSettled(Array.from({ length: 10 }, () => call())));
  assert.ok(results.every(({ status }) => status === "rejected"));
  assert.equal(runs.length, 1);
  world.answer = () => 1;
  assert.equal(await ask(), 1);
});

test("a caller that is cancelled leaves at once, and the others still get the result", async () => {
  const { clock, root, world, ends, call } = setUp();
  world.answer = after(100, { n: 7 });
  const scope = root.child({ name: "first" });
  const first = assert.rejects(call(undefined, scope), { code: "cancelled" });
  const second = call();
  await clock.advance(10);
  await clock.run(scope.cancel(new BatonError("cancelled", "stop")));
  await clock.run(first);
  assert.deepEqual(ends, []);
  assert.deepEqual(await clock.run(second), { n: 7 });
});

test("the work is cancelled when the last caller has gone, and a later call starts anew", async () => {
  const { clock, root, world, ends, runs, call } = setUp();
  world.answer = after(100_000, { n: 7 });
  const scopes = [root.child({ name: "one" }), root.child({ name: "two" })];
  const calls = scopes.map((scope) => assert.rejects(call(undefined, scope), { code: "cancelled" }));
  await clock.advance(10);
  for (const scope of scopes) await clock.run(scope.cancel(new BatonError("cancelled", "stop")));
  await clock.run(Promise.all(calls));
  assert.deepEqual(ends, ["cancelled"]);
  world.answer = () => ({ n: 8 });
  assert.deepEqual(await clock.run(call()), { n: 8 });
  assert.equal(runs.length, 2);
  assert.equal(clock.pending, 0);
});

test("a call that comes while cancelled work is still settling does not join it", async () => {
  const { clock, root, world, runs, call } = setUp();
  const slow = Promise.withResolvers<Json>();
  world.answer = () => slow.promise;
  const scope = root.child({ name: "first" });
  const first = assert.rejects(call(undefined, scope), { code: "cancelled" });
  await clock.advance(10);
  const stopped = scope.cancel(new BatonError("cancelled", "stop"));
  await clock.advance(10);
  world.answer = () => ({ n: 8 });
  assert.deepEqual(await clock.run(call()), { n: 8 });
  assert.equal(runs.length, 2);
  slow.resolve(7);
  await clock.run(Promise.all([first, stopped]));
});

test("a call of a scope that is over is refused and starts nothing", async () => {
  const { clock, root, runs, call } = setUp();
  const scope = root.child({ name: "gone" });
  await clock.run(scope.cancel(new BatonError("cancelled", "stop")));
  await clock.run(assert.rejects(call(undefined, scope), { code: "cancelled" }));
  assert.equal(runs.length, 0);
});

test("errors are not kept, but no_data is, for a shorter time", async () => {
  const { clock, world, runs, ask } = setUp({ ttlMs: 20_000 });
  world.answer = down;
  await assert.rejects(ask(), /no way there/);
  await assert.rejects(ask(), /no way there/);
  assert.equal(runs.length, 2);
  world.answer = () => ({ no_data: true, message: "nothing" });
  await ask();
  await clock.advance(1_999);
  assert.deepEqual(await ask(), { no_data: true, message: "nothing" });
  assert.equal(runs.length, 3);
  await clock.advance(1);
  await ask();
  assert.equal(runs.length, 4);
});

const DAY_MS = 24 * 3_600_000;

const STALE: Partial<ToolCacheOptions> = {
  toStale: (output) => ({ ...Object.fromEntries(Object.entries(output ?? {})), stale: true }),
};

test("an old result stands in for a run that fails, marked, until its limit", async () => {
  const { clock, world, ask } = setUp(STALE);
  await ask();
  world.answer = down;
  await clock.advance(10_001);
  assert.deepEqual(await ask(), { n: 1, stale: true });
  await clock.advance(DAY_MS - 2);
  assert.deepEqual(await ask(), { n: 1, stale: true });
  await clock.advance(1);
  await assert.rejects(ask(), /no way there/);
});

test("a cache that keeps things for ever does not make results older than they may be", async () => {
  const held = new Map<string, Json>();
  const eternal: ResultCache = {
    get: async (key) => held.get(key),
    set: async (key, value) => {
      held.set(key, value);
    },
    delete: async (key) => {
      held.delete(key);
    },
  };
  const { clock, world, ask } = setUp({ ...STALE, cache: eternal });
  await ask();
  world.answer = down;
  await clock.advance(DAY_MS + 9_999);
  assert.deepEqual(await ask(), { n: 1, stale: true });
  await clock.advance(1);
  await assert.rejects(ask(), /no way there/);
  world.answer = () => ({ no_data: true });
  await ask();
  world.answer = down;
  await clock.advance(10_001);
  await assert.rejects(ask(), /no way there/);
});

test("an old result stands in only for failures that may pass, and never for a cancel", async () => {
  const { clock, root, world, call, ask } = setUp(STALE);
  await ask();
  await clock.advance(10_001);
  world.answer = () => Promise.reject(new ToolError("validation", "bad arguments"));
  await assert.rejects(ask(), /bad arguments/);
  world.answer = after(100_000, 1);
  const scope = root.child({ name: "call", timeoutMs: 50 });
  await clock.run(assert.rejects(call(undefined, scope), { code: "timeout" }));
});

test("an old no_data never stands in", async () => {
  const { clock, world, ask } = setUp(STALE);
  world.answer = () => ({ no_data: true });
  await ask();
  await clock.advance(10_001);
  world.answer = down;
  await assert.rejects(ask(), /no way there/);
});

test("the breaker opens after failures in a row, says until when, and one trial call decides", async () => {
  const { clock, world, runs, call, ask } = setUp({ breaker: { failures: 2, openMs: 30_000 } });
  world.answer = down;
  await assert.rejects(ask(), /no way there/);
  await assert.rejects(ask(), /no way there/);
  await assert.rejects(ask(), {
    kind: "permanent",
    message: "look failed 2 times in a row and is not called again until 2025-01-01T00:00:30.000Z",
  });
  assert.equal(runs.length, 2);
  await clock.advance(30_000);
  world.answer = async (context) => {
    await after(10, 0)(context);
    return down();
  };
  const trial = assert.rejects(call({ symbol: "T" }), /no way there/);
  await clock.advance(1);
  await clock.run(assert.rejects(call({ symbol: "B" }), /until a trial call has ended/));
  await clock.run(trial);
  await assert.rejects(ask(), /not called again until/);
  await clock.advance(30_000);
  world.answer = () => 1;
  assert.equal(await ask(), 1);
  assert.equal(await ask({ symbol: "C" }), 1);
});

test("failures that say nothing of the other side do not open the breaker", async () => {
  const { world, runs, ask } = setUp({ breaker: { failures: 2, openMs: 30_000 } });
  world.answer = () => Promise.reject(new ToolError("validation", "bad arguments"));
  for (let count = 0; count < 5; count += 1) await assert.rejects(ask(), /bad arguments/);
  assert.equal(runs.length, 5);
});

test("a trial call that is cancelled does not leave the breaker open for ever", async () => {
  const { clock, root, world, call, ask } = setUp({ breaker: { failures: 1, openMs: 1_000 } });
  world.answer = down;
  await assert.rejects(ask());
  await clock.advance(1_000);
  world.answer = after(100_000, 1);
  await clock.run(assert.rejects(call(undefined, root.child({ name: "call", timeoutMs: 50 })), { code: "timeout" }));
  world.answer = () => 1;
  assert.equal(await ask(), 1);
});

test("while the breaker is open an old result stands in", async () => {
  const { clock, world, ask, runs } = setUp({ ...STALE, breaker: { failures: 1, openMs: 30_000 } });
  await ask();
  await clock.advance(10_001);
  world.answer = down;
  assert.deepEqual(await ask(), { n: 1, stale: true });
  assert.deepEqual(await ask(), { n: 1, stale: true });
  assert.equal(runs.length, 2);
});

test("the rate lets a minute's worth through, and makes the next wait their turn", async () => {
  const { clock, runs, call } = setUp({ rate: { perMinute: 2 } });
  const started = clock.monotonic();
  await clock.run(Promise.all(Array.from({ length: 4 }, (_, index) => call({ symbol: `S${index}` }))));
  assert.equal(clock.monotonic() - started, 60_000);
  assert.equal(runs.length, 4);
});

test("hits cost neither rate nor breaker", async () => {
  const { ask, runs } = setUp({ rate: { perMinute: 1 } });
  for (let count = 0; count < 5; count += 1) await ask();
  assert.equal(runs.length, 1);
});

test("a cached tool sees nothing of one caller that could reach another", async () => {
  const { world, ask } = setUp();
  const uses: readonly ((context: CallContext) => unknown)[] = [
    ({ state }) => state.get("a"),
    ({ state }) => state.set("a", 1),
    ({ state }) => state.entries(),
    ({ note }) => note("seen", 1),
  ];
  for (const use of uses) {
    world.answer = ({ context }) => {
      use(context);
      return 1;
    };
    await assert.rejects(ask(), /is cached, so it may neither use the run's state nor make notes/);
  }
  world.answer = ({ context: { messages, user, tenant, session } }) => [
    messages.length,
    user ?? 0,
    tenant ?? 0,
    session ?? 0,
  ];
  assert.deepEqual(await ask(), [0, 0, 0, 0]);
});

test("a cache that fails or holds something else costs nothing but the hit", async () => {
  const broken: ResultCache = {
    get: () => Promise.reject(new Error("cache is down")),
    set: () => Promise.reject(new Error("cache is down")),
    delete: () => Promise.reject(new Error("cache is down")),
  };
  const first = setUp({ cache: broken });
  assert.deepEqual(await first.ask(), { n: 1 });
  const odd: ResultCache = {
    ...broken,
    get: async () => ({ tool: "other", output: 1, at: 0, until: 1e15, keptUntil: 1e15 }),
  };
  const second = setUp({ cache: odd });
  assert.deepEqual(await second.ask(), { n: 1 });
});

test("what is not JSON is not kept and is passed on as it is", async () => {
  const { world, runs, ask } = setUp();
  world.answer = () => 1;
  await ask();
  const large = setUp();
  large.world.answer = () => "x".repeat(2_000_000);
  await large.ask();
  await large.ask();
  assert.deepEqual([runs.length, large.runs.length], [1, 2]);
});

test("arguments that do not fit are refused as before", async () => {
  const { cached } = setUp();
  const prepared = await cached.prepare({ limit: "many" });
  assert.ok(!prepared.ok);
});
