import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { defineCrew, scriptModel } from "@baton/core";
import { type Clock, NO_RECORDED_CALLS } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryLedger } from "@baton/store";
import { ExpiringCache } from "./expiring-cache.ts";
import { modelError } from "../providers/failure.ts";
import { ModelRegistry } from "./model-registry.ts";
import { ModelTraffic } from "../wrappers/model-traffic.ts";
import { costUsd, priceOf } from "../money/prices.ts";
import { fakeModel, hear, say, toPrompt } from "../testing/harness.ts";
import windows from "./context-windows.json" with { type: "json" };

test("a missing key is an error that names the variable, and no option of a command", () => {
  const models = new ModelRegistry({ env: {} });
  for (const [name, variable] of [
    ["openai/gpt-5-mini", "OPENAI_API_KEY"],
    ["anthropic/claude-haiku-5-5", "ANTHROPIC_API_KEY"],
    ["google/gemini-2.5-pro", "GEMINI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY or GOOGLE_API_KEY"],
  ] as const) {
    assert.throws(() => models.resolve({ name }), { code: "invalid", message: `${name} needs a key: set ${variable}` });
  }
});

test("an unknown name lists what is known, and a server of one's own needs an address", () => {
  const models = new ModelRegistry({});
  for (const name of ["gpt-5", "acme/x", "openai/", "", "/x", "__proto__/x"]) {
    assert.throws(() => models.resolve({ name }), { code: "invalid", message: /openai\/…, .*ollama\/…, .*offline/ });
  }
  assert.throws(() => models.resolve({ name: "claude-x" }), {
    message: /; did you mean anthropic\/claude-x\? it knows /,
  });
  assert.throws(() => models.resolve({ name: "openai-compatible/m" }), {
    message: "openai-compatible/m needs an address: set provider_url or OPENAI_COMPATIBLE_BASE_URL",
  });
  assert.throws(() => models.resolve({ name: "openai-compatible/m", url: "nonsense" }), { message: /not an address/ });
  for (const [name, url] of [
    ["openai-compatible/m", "http://bob:hunter2@localhost/v1"],
    ["ollama/m", "http://bob@localhost"],
  ] as const) {
    assert.throws(
      () => models.resolve({ name, url }),
      (error: Error) => /address has a user/.test(error.message) && !error.message.includes("bob"),
    );
  }
});

test("a name may hold slashes, and the same model is made once for one key and address", () => {
  const env: Record<string, string> = { OPENAI_API_KEY: "one" };
  const models = new ModelRegistry({ env });
  const model = models.resolve({ name: "openai/ft:acme/7" });
  assert.equal(model.name, "openai/ft:acme/7");
  assert.equal(models.resolve({ name: "openai/ft:acme/7" }), model);
  assert.notEqual(models.resolve({ name: "openai/ft:acme/7", url: "http://localhost/v1" }), model);
  env["OPENAI_API_KEY"] = "two";
  assert.notEqual(models.resolve({ name: "openai/ft:acme/7" }), model);
});

test("a provider's model has one breaker for all registries that share their traffic, which begins closed", () => {
  const traffic = new ModelTraffic(new SimulatedClock(1));
  const [one, other] = [1, 2].map(() => new ModelRegistry({ env: { OPENAI_API_KEY: "one" }, traffic }));
  one?.forAgent({ model: { name: "offline" } });
  assert.deepEqual([...traffic.breakers()], []);
  one?.forAgent({ model: { name: "openai/gpt-5-mini" } });
  other?.forAgent({ model: { name: "openai/gpt-5-mini" } });
  assert.deepEqual([...traffic.breakers()], [["openai/gpt-5-mini", false]]);
});

test("models of the host go by their own name and may be a backup", async () => {
  const own = new Map([["script", fakeModel("script", () => ({ chunks: say("by script") }))]]);
  const models = new ModelRegistry({ models: own, keys: new Map([["openai", "k"]]), timeouts: { connectMs: 50 } });
  const model = models.forAgent({
    model: { name: "openai/x", url: "http://127.0.0.1:9/v1" },
    backup: { name: "script" },
  });
  const { text } = await hear(model, {
    run: "r",
    agent: "a",
    system: "",
    messages: [],
    tools: [],
    attempt: 3,
    attempts: 3,
    values: new Map(),
    results: [],
    ...NO_RECORDED_CALLS,
  });
  assert.equal(text, "by script");
});

test("models of the host are read for calls as the agent says, also as a backup", async () => {
  const models = new ModelRegistry({
    models: new Map([
      ["script", scriptModel({ clerk: [{ say: "Look()" }] })],
      ["broken", fakeModel("broken", () => ({ error: modelError("broken", "auth") }))],
    ]),
  });
  const prompt = toPrompt({ tools: [{ name: "Look", description: "", inputSchema: {} }], isUncalled: true });
  const [script, broken] = [{ name: "script" }, { name: "broken" }];
  for (const asked of [{ model: script }, { model: broken, backup: script }]) {
    for (const [toolCalls, expected] of [
      ["auto", 1],
      ["text", 1],
      ["native", 0],
    ] as const) {
      const { chunks } = await hear(models.forAgent({ ...asked, toolCalls }), prompt);
      assert.equal(chunks.filter(({ type }) => type === "call").length, expected, toolCalls);
    }
  }
});

test("a model's window is known where its provider publishes it, also under a ledger, a limit and text calls", () => {
  const models = new ModelRegistry({
    env: { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" },
    limits: new Map([["openai", { concurrent: 1 }]]),
    ledger: new MemoryLedger(new SimulatedClock(1)),
  });
  const crew = defineCrew({ name: "shop", agents: [{ id: "clerk" }] });
  const [agent] = crew.agents.values();
  assert.ok(agent !== undefined);
  const windowOf = (name: string, backup?: string): number | undefined => {
    const request = { model: { name }, toolCalls: "text", caller: { agent, crew } } as const;
    return models.forAgent({ ...request, ...(backup === undefined ? {} : { backup: { name: backup } }) }).contextTokens;
  };
  assert.equal(windowOf("openai/gpt-5-mini"), 272_000);
  assert.equal(windowOf("openai-chat/gpt-4o-2024-08-06"), 128_000);
  assert.equal(windowOf("openai/gpt-5-mini", "anthropic/claude-haiku-4-5"), 200_000);
  assert.equal(windowOf("openai/gpt-99"), undefined);
  assert.equal(windowOf("offline"), undefined);
  assert.equal(windowOf("offline", "openai/gpt-4o"), 128_000);
});

test("the table of windows lists models that have a price, and no others", () => {
  for (const [model, tokens] of Object.entries(windows.inputTokens)) {
    assert.ok(priceOf(model) !== undefined && Number.isInteger(tokens) && tokens >= 100_000, model);
  }
});

test("a cost counts cached input at its own rate, and long prompts at theirs", () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 400_000 };
  assert.equal(costUsd("openai/gpt-5-mini", usage), 0.6 * 0.25 + 0.4 * 0.025 + 0.1 * 2);
  assert.equal(costUsd("openai-chat/gpt-5-mini-2025-08-07", usage), costUsd("openai/gpt-5-mini", usage));
  assert.equal(costUsd("anthropic/claude-haiku-5-5", { inputTokens: 100_000, outputTokens: 0 }), 0.01);
  assert.equal(costUsd("anthropic/claude-haiku-5-5", { inputTokens: 200_000, outputTokens: 0 }), 0.1);
});

test("one's own price goes first, local models cost nothing, and of others no price is made up", () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };
  assert.equal(costUsd("openai/gpt-5-mini", usage, new Map([["openai/gpt-5-mini", { input: 7, output: 7 }]])), 7);
  assert.equal(costUsd("ollama/qwen3", usage), 0);
  assert.equal(costUsd("offline", usage), 0);
  assert.equal(costUsd("openai/gpt-99", usage), undefined);
  assert.equal(costUsd("__proto__", usage), undefined);
});

test("a cache holds no more than it may, and nothing longer than it may", async () => {
  const clock = new SimulatedClock(1);
  const cache = new ExpiringCache<object>({ clock, maxEntries: 2, maxIdleMs: 1_000 });
  const make = (): object => ({});
  const a = cache.get("a", make);
  cache.get("b", make);
  assert.equal(cache.get("a", make), a);
  cache.get("c", make);
  assert.equal(cache.size, 2);
  assert.equal(cache.get("a", make), a);
  await pass(clock, 1_000);
  assert.notEqual(cache.get("a", make), a);
  assert.equal(cache.size, 1);
});

const pass = (clock: SimulatedClock, ms: number): Promise<void> =>
  clock.run(new Promise((resolve) => (clock satisfies Clock).after(ms, resolve)));

test("importing the package loads no provider's package", () => {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) { if (url.includes("/node_modules/")) loaded.push(url); return next(url, context); } });
    const { ModelRegistry } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
    new ModelRegistry({ keys: new Map([["openai", "k"]]) }).resolve({ name: "openai/gpt-5-mini" });
    console.log(JSON.stringify(loaded));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  assert.equal(stdout.trim(), "[]", stderr);
});
