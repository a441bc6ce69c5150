import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, type Chunk, defineCrew, type Model } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryLedger } from "@baton/store";
import { withBackup } from "./backup.ts";
import { ModelTraffic } from "./model-traffic.ts";
import { modelError } from "../providers/failure.ts";
import { ModelRegistry } from "../choice/model-registry.ts";
import { RateLimiter, type RateLimits, withRateLimit } from "./rate-limit.ts";
import { fakeModel, hear, say, toPrompt } from "../testing/harness.ts";

const broken = modelError("a", "overloaded");
const notes = (chunks: Awaited<ReturnType<typeof hear>>["chunks"]): readonly string[] =>
  chunks.flatMap((chunk) => (chunk.type === "warning" ? [chunk.text] : []));

test("the backup is taken at once where trying again cannot help, and the log is told why", async () => {
  const primary = fakeModel("a", () => ({ error: modelError("a", "auth") }));
  const { text, chunks } = await hear(
    withBackup(
      primary,
      fakeModel("b", () => ({ chunks: say("from b") })),
    ),
  );
  assert.equal(text, "from b");
  assert.deepEqual(notes(chunks), ["a: the provider does not accept the key; b takes over"]);
  assert.ok(!chunks.some(({ type }) => type === "restart"));
});

test("a failure that may pass is left to the step's retries, and takes the backup at the last of them", async () => {
  const model = withBackup(
    fakeModel("a", () => ({ error: broken })),
    fakeModel("b", () => ({ chunks: say("from b") })),
  );
  assert.equal((await hear(model, toPrompt({ attempt: 3 }))).error, broken);
  assert.equal((await hear(model, toPrompt({ attempt: 4 }))).text, "from b");
  assert.equal((await hear(model, toPrompt({ attempt: 1, attempts: 1 }))).text, "from b");
});

test("once the backup has taken over, the other tries of the step are its own", async () => {
  const asked: string[] = [];
  const model = withBackup(
    fakeModel("a", () => (asked.push("a"), { chunks: say("from a") })),
    fakeModel("b", () => (asked.push("b"), { chunks: say("from b") })),
  );
  assert.equal(model.hasBackup, true);
  const { text, chunks } = await hear(model, toPrompt({ attempt: 2, isBackup: true }));
  assert.deepEqual([text, asked, chunks.at(-1)], ["from b", ["b"], { ...say("").at(-1), model: "b" }]);
});

test("a provider that asks for more time than is left is given up at once, and the backup is taken", async () => {
  const clock = new SimulatedClock(1);
  await using root = Scope.root({ clock });
  const ask = async (timeoutMs: number): Promise<string> => {
    const busy = modelError("a", "rate", { retryAfterMs: 60_000 });
    const model = withBackup(
      fakeModel("a", () => ({ error: busy })),
      fakeModel("b", () => ({ chunks: say("from b") })),
    );
    await using scope = root.child({ name: "step", timeoutMs });
    const { text, error } = await hear(model, toPrompt({ attempt: 1 }), scope);
    return error === busy ? "try again" : text;
  };
  assert.equal(await ask(60_001), "try again");
  assert.equal(await ask(60_000), "from b");
});

test("text that was already out is taken back before the backup speaks", async () => {
  const primary = fakeModel("a", () => ({
    chunks: [{ type: "text", text: "Half a" }],
    error: modelError("a", "filter"),
  }));
  const { chunks } = await hear(
    withBackup(
      primary,
      fakeModel("b", () => ({ chunks: say("whole") })),
    ),
  );
  assert.deepEqual(
    chunks.map(({ type }) => type),
    ["text", "backup", "warning", "restart", "text", "end"],
  );
});

for (const chunk of [
  { type: "call", tool: "pay", args: "{}" },
  { type: "args", index: 1, tool: "pay", text: "{" },
  { type: "reasoning", text: "Hm" },
  { type: "note", kind: "plan", data: { steps: 2 } },
] as const satisfies readonly Chunk[]) {
  test(`a dead model's ${chunk.type} is taken back before the backup begins`, async () => {
    const primary = fakeModel("a", () => ({ chunks: [chunk], error: modelError("a", "filter") }));
    const { chunks } = await hear(
      withBackup(
        primary,
        fakeModel("b", () => ({ chunks: say("whole") })),
      ),
    );
    assert.deepEqual(
      chunks.map(({ type }) => type),
      [chunk.type, "backup", "warning", "restart", "text", "end"],
    );
  });
}

test("a note of a model goes through every wrapper as it is", async () => {
  const note: Chunk = { type: "note", kind: "plan", data: { steps: ["Look()", 2] } };
  const noting = fakeModel("noting", () => ({ chunks: [note, ...say("Look here")] }));
  const clock = new SimulatedClock(1);
  const crew = defineCrew({ name: "desk", agents: [{ id: "clerk" }] });
  const [agent] = crew.agents.values();
  assert.ok(agent !== undefined);
  const models = new ModelRegistry({ models: new Map([["noting", noting]]), ledger: new MemoryLedger(clock), clock });
  const asked = { model: { name: "noting" }, backup: { name: "offline" }, caller: { agent, crew } };
  const wrapped = [
    new ModelTraffic(clock).guard({ model: noting, id: "noting", hasBackup: false }),
    withRateLimit(noting, new RateLimiter({ concurrent: 1 }, clock)),
    models.forAgent({ ...asked, toolCalls: "auto" }),
    models.forAgent({ ...asked, toolCalls: "text" }),
  ];
  const tools = [{ name: "Look", description: "", inputSchema: {} }];
  for (const model of wrapped) {
    const { chunks, text } = await hear(model, toPrompt({ tools, isUncalled: true }));
    const made = chunks.filter(({ type }) => type === "note");
    assert.deepEqual([made, text], [[note], "Look here"]);
  }
});

test("the window of a model with a backup is the smaller one, as far as it is known", () => {
  const toModel = (contextTokens?: number): Model => ({
    ...fakeModel("m", () => ({})),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  });
  assert.equal(withBackup(toModel(5), toModel(3)).contextTokens, 3);
  assert.equal(withBackup(toModel(5), toModel()).contextTokens, 5);
  assert.equal(withBackup(toModel(), toModel(3)).contextTokens, 3);
  assert.equal(withBackup(toModel(), toModel()).contextTokens, undefined);
});

test("a cancel and other people's errors do not take the backup", async () => {
  const limit = new BatonError("limit", "too dear");
  const model = withBackup(
    fakeModel("a", () => ({ error: limit })),
    fakeModel("b", () => ({ chunks: say("b") })),
  );
  assert.equal((await hear(model)).error, limit);
});

/** Starts calls one after another under limits, and gives when each began. */
async function startTimes(limits: RateLimits, calls: readonly { readonly chars: number; readonly lastsMs: number }[]) {
  const clock = new SimulatedClock(1);
  const limiter = new RateLimiter(limits, clock);
  const began: number[] = [];
  const sizes: number[] = [];
  const inner: Model = {
    name: "a",
    async *stream(prompt, scope) {
      began.push(clock.monotonic());
      sizes.push(prompt.system.length);
      await scope.sleep(Number(prompt.agent));
      yield say("ok");
    },
  };
  const model = withRateLimit(inner, limiter);
  await using root = Scope.root({ clock });
  const all = calls.map(({ chars, lastsMs }) =>
    hear(model, toPrompt({ agent: String(lastsMs), system: "x".repeat(chars), messages: [] }), root),
  );
  const heard = await clock.run(Promise.all(all));
  assert.equal(clock.pending, 0);
  assert.equal(limiter.waiting, 0);
  return { began, sizes, waited: heard.map(({ chunks }) => notes(chunks).length > 0) };
}

test("requests beyond the limit wait their turn, first come first served, and say so", async () => {
  const call = { chars: 4, lastsMs: 0 };
  const { began, waited } = await startTimes({ requestsPerMinute: 2 }, [call, call, call, call]);
  assert.deepEqual(began, [0, 0, 30_000, 60_000]);
  assert.deepEqual(waited, [false, false, true, true]);
});

test("a large call at the head of the line is not overtaken by small ones", async () => {
  const { began, sizes } = await startTimes({ tokensPerMinute: 1_000 }, [
    { chars: 4_000, lastsMs: 300_000 },
    { chars: 3_996, lastsMs: 300_000 },
    { chars: 4, lastsMs: 0 },
  ]);
  assert.deepEqual(sizes, [4_000, 3_996, 4]);
  assert.deepEqual(began, [0, 59_940, 60_000]);
});

test("tokens taken by an estimate are given back when the call took fewer", async () => {
  const { began } = await startTimes({ tokensPerMinute: 1_000 }, [
    { chars: 4_000, lastsMs: 100 },
    { chars: 4_000, lastsMs: 0 },
  ]);
  assert.ok((began[1] ?? 0) < 1_000, `began at ${began[1]}`);
});

test("no more calls at once than allowed", async () => {
  const call = { chars: 4, lastsMs: 1_000 };
  const { began } = await startTimes({ concurrent: 2 }, [call, call, call, call, call]);
  assert.deepEqual(began, [0, 0, 1_000, 1_000, 2_000]);
});

test("a call larger than the whole limit is let through when nothing is taken", async () => {
  const { began } = await startTimes({ tokensPerMinute: 10 }, [{ chars: 4_000, lastsMs: 0 }]);
  assert.deepEqual(began, [0]);
});

test("users are served by turns, and each one's calls in their order", async () => {
  const clock = new SimulatedClock(1);
  const limiter = new RateLimiter({ concurrent: 1 }, clock);
  await using root = Scope.root({ clock });
  const served: string[] = [];
  const call = async (tenant: string, user: string, system: string): Promise<void> => {
    const inner: Model = {
      name: "a",
      async *stream(prompt, scope) {
        served.push(`${prompt.tenant}/${prompt.user} ${prompt.system}`);
        await scope.sleep(1);
        yield say("ok");
      },
    };
    await hear(withRateLimit(inner, limiter), toPrompt({ tenant, user, system }), root);
  };
  const eve = ["1", "2", "3", "4"].map((name) => call("evil", "x", name));
  // The same user name at another tenant is another user.
  const ann = ["1", "2"].map((name) => call("acme", "x", name));
  await clock.run(Promise.all([...eve, ...ann, call("acme", "bob", "1")]));
  assert.deepEqual(served, ["evil/x 1", "evil/x 2", "acme/x 1", "acme/bob 1", "evil/x 3", "acme/x 2", "evil/x 4"]);
});

test("a call that is cancelled while it waits lets the next one go at once", async () => {
  const clock = new SimulatedClock(1);
  const limiter = new RateLimiter({ tokensPerMinute: 1_000 }, clock);
  await using root = Scope.root({ clock });
  await using impatient = root.child({ name: "impatient" });
  (await limiter.enter({ tokens: 500 }, root)).end(500);
  const large = limiter.enter({ tokens: 1_000 }, impatient);
  const small = limiter.enter({ tokens: 100 }, root);
  const failed = assert.rejects(large, { message: "enough" });
  assert.equal(limiter.waiting, 2);
  await impatient.cancel(new BatonError("cancelled", "enough"));
  await failed;
  // No time has passed and no other call has ended: only the cancel can have let it go.
  assert.equal(limiter.waiting, 0);
  (await small).end(100);
  assert.equal(clock.monotonic(), 0);
  assert.deepEqual([clock.pending, root.open], [0, 1]);
});

test("a cancelled call between two of its user leaves them both, in their order", async () => {
  const clock = new SimulatedClock(1);
  const limiter = new RateLimiter({ concurrent: 1 }, clock);
  await using root = Scope.root({ clock });
  await using impatient = root.child({ name: "impatient" });
  const first = await limiter.enter({ tokens: 1 }, root);
  const order: string[] = [];
  const second = limiter.enter({ tokens: 1 }, root).then((permit) => (order.push("second"), permit));
  const cancelled = limiter.enter({ tokens: 1 }, impatient);
  const third = limiter.enter({ tokens: 1 }, root).then((permit) => (order.push("third"), permit));
  const failed = assert.rejects(cancelled, { message: "enough" });
  await impatient.cancel(new BatonError("cancelled", "enough"));
  await failed;
  first.end(1);
  (await second).end(1);
  (await third).end(1);
  assert.deepEqual(order, ["second", "third"]);
  assert.equal(limiter.waiting, 0);
});
