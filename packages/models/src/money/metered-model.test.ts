import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AgentDefinition,
  BatonError,
  type Chunk,
  type Crew,
  defineCrew,
  type Model,
  type Prompt,
  type RunLimits,
} from "@baton/core";
import { Scope, type Settings, type Usage } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryLedger } from "@baton/store";
import { modelError } from "../providers/failure.ts";
import { CallQueue } from "./call-queue.ts";
import { withLedger } from "./metered-model.ts";
import { ModelRegistry } from "../choice/model-registry.ts";
import { priceOf, toUsd } from "./prices.ts";
import { fakeModel, hear, type Heard, newScope, toPrompt } from "../testing/harness.ts";

const HOUR_MS = 3_600_000;

/** A crew of one clerk. */
function toCrew(settings: Partial<Settings> = {}, agent: Partial<AgentDefinition> = {}): Crew {
  const small = { maxTokensPerCall: 4_000, ...settings };
  return defineCrew({ name: "shop", agents: [{ id: "clerk", ...agent }], settings: small });
}

/** A model that says one word and reports this usage; it keeps what it was asked. */
function talker(name: string, usage: Usage = { inputTokens: 10, outputTokens: 10 }, more: Partial<Chunk> = {}) {
  const asked: Prompt[] = [];
  const model: Model = fakeModel(name, (prompt) => {
    asked.push(prompt);
    const end = { type: "end", finish: "stop", usage } as const;
    return { chunks: [{ type: "text", text: "word" }, more.type === "end" ? { ...end, ...more } : end] };
  });
  return { model, asked };
}

interface Setting {
  readonly crew?: Crew;
  readonly backup?: Model;
}

/** A metered model in a world of its own. */
function meter(primary: Model, { crew = toCrew(), backup }: Setting = {}) {
  const clock = new SimulatedClock(1);
  const ledger = new MemoryLedger(clock);
  const told = new Set<string>();
  const isNews = (what: string): boolean => told.size < told.add(what).size;
  const agent = crew.agents.get("clerk");
  assert.ok(agent !== undefined);
  const model = withLedger({ primary, backup }, { ledger, agent, crew, isNews, queue: new CallQueue() });
  // A call that would have to wait is refused, because the run ends first.
  const run = Scope.root({ clock });
  const call = (prompt: Partial<Prompt> = {}): Promise<Heard> =>
    hear(model, toPrompt(prompt), run.child({ name: "step", timeoutMs: 1 }));
  return { clock, model, call };
}

const notes = ({ chunks }: Heard): readonly string[] =>
  chunks.flatMap((chunk) => (chunk.type === "warning" ? [chunk.text] : []));
const endOf = ({ chunks }: Heard) => chunks.find((chunk) => chunk.type === "end");

test("a call whose worst case does not fit is not made, and the error names the limit", async () => {
  const { model, asked } = talker("openai/gpt-5-mini");
  const { call } = meter(model);
  const { error, chunks } = await call({ limits: { maxTokens: 1_000 } });
  assert.equal(error?.code, "limit");
  assert.deepEqual(error.limit, { name: "max_tokens", value: 1_000 });
  assert.match(
    error.message,
    /^the call may use 40\d\d tokens, and 0 of 1000 tokens are used \(max_tokens of run r\)$/,
  );
  assert.deepEqual([asked.length, chunks.length], [0, 0]);
});

test("what a call did not take is there for the next one", async () => {
  const { call } = meter(talker("openai/gpt-5-mini", { inputTokens: 100, outputTokens: 100 }).model);
  const limits = { maxTokens: 4_300 };
  for (let count = 1; count <= 2; count++) assert.equal((await call({ limits })).text, "word");
  assert.equal((await call({ limits })).error?.limit?.name, "max_tokens");
  assert.equal((await call({ limits, run: "other" })).text, "word");
});

test("the cost is that of the table, or of the agent's own prices, and joins the reply's end", async () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };
  const plain = meter(talker("openai/gpt-5-mini", usage).model);
  assert.equal(endOf(await plain.call())?.costUsd, 0.25 + 0.2);
  const costLimits = { inputTokenPricePerMillion: 7, outputTokenPricePerMillion: 10 };
  const own = meter(talker("openai/gpt-5-mini", usage).model, { crew: toCrew({}, { costLimits }) });
  assert.equal(endOf(await own.call())?.costUsd, 8);
});

test("dollars are capped for run, agent and crew alike", async () => {
  const usage = { inputTokens: 1_000, outputTokens: 4_000 };
  const costLimits = { inputTokenPricePerMillion: 0, outputTokenPricePerMillion: 250 };
  const spend = async (crew: Crew, limits?: RunLimits): Promise<readonly (string | undefined)[]> => {
    const { call } = meter(talker("acme/x", usage).model, { crew });
    const heard = [await call({ ...(limits && { limits }) }), await call({ ...(limits && { limits }) })];
    return heard.map(({ error }) => error?.limit?.name);
  };
  assert.deepEqual(await spend(toCrew({}, { costLimits }), { maxUsd: 1.5 }), [undefined, "max_usd"]);
  assert.deepEqual(await spend(toCrew({}, { costLimits: { ...costLimits, maxCostPerDayUsd: 1.5 } })), [
    undefined,
    "max_cost_per_day_usd",
  ]);
  assert.deepEqual(await spend(toCrew({ maxCostPerDayUsd: 1.5 }, { costLimits })), [undefined, "max_cost_per_day"]);
  assert.deepEqual(await spend(toCrew({ maxCostPerDayUsd: 2 }, { costLimits })), [undefined, undefined]);
});

test("max_tokens_per_call caps what a call writes, whatever it reads; the agent's own cap goes first", async () => {
  const long = { messages: [{ role: "user", content: "x".repeat(40_000) } as const] };
  const asked = async (crew: Crew, maxTokens?: number): Promise<number | undefined> => {
    const spy = talker("openai/gpt-5-mini");
    const { call } = meter(spy.model, { crew });
    assert.equal((await call({ ...long, ...(maxTokens === undefined ? {} : { maxTokens }) })).error, undefined);
    return spy.asked[0]?.maxTokens;
  };
  assert.equal(await asked(toCrew()), 4_000);
  assert.equal(await asked(toCrew(), 300), 300);
  assert.equal(await asked(toCrew(), 9_000), 4_000);
  assert.equal(await asked(toCrew({}, { costLimits: { maxTokensPerCall: 16_000 } }), 9_000), 9_000);
});

test("that a reply was cut is left to the step to tell, and a cap of nothing makes no call", async () => {
  const cut = talker("openai/gpt-5-mini", { inputTokens: 1, outputTokens: 4_000 }, { type: "end", finish: "length" });
  const heard = await meter(cut.model).call();
  assert.deepEqual([endOf(heard)?.finish, notes(heard)], ["length", []]);
  for (const maxTokens of [0, 0.5]) {
    const none = await meter(cut.model).call({ maxTokens });
    assert.equal(none.error?.limit?.name, "max_tokens_per_call");
  }
  assert.equal(cut.asked.length, 1);
});

test("a cheaper backup is taken where the primary does not fit, and the log is told", async () => {
  const cheap = talker("openai/gpt-5-nano");
  const dear = talker("openai/gpt-5.5");
  const { call } = meter(dear.model, { backup: cheap.model });
  const heard = await call({ limits: { maxUsd: 0.01 } });
  assert.equal(heard.text, "word");
  assert.match(
    notes(heard)[0] ?? "",
    /^the call may cost \$0\.12\d*, and .*max_usd of run r\); openai\/gpt-5-nano takes over$/,
  );
  assert.equal(endOf(heard)?.model, "openai/gpt-5-nano");
  assert.deepEqual([dear.asked.length, cheap.asked.length], [0, 1]);
  assert.equal(endOf(await call())?.model, undefined);
});

test("where the backup does not fit either, the refusal is the primary's and nothing is told", async () => {
  const { call } = meter(talker("openai/gpt-5.5").model, { backup: talker("openai/gpt-5-nano").model });
  const { error, chunks } = await call({ limits: { maxTokens: 10, maxUsd: 0.01 } });
  assert.deepEqual(error?.limit, { name: "max_tokens", value: 10 });
  assert.deepEqual(chunks, []);
});

test("a backup that takes over after a failure needs its own reservation, and is named at the end", async () => {
  const broken = fakeModel("openai/gpt-5-nano", () => ({ error: modelError("openai/gpt-5-nano", "auth") }));
  const backup = talker("openai/gpt-5.5");
  const { call } = meter(broken, { backup: backup.model });
  assert.equal((await call({ limits: { maxUsd: 0.01 } })).error?.limit?.name, "max_usd");
  const heard = await call();
  assert.deepEqual([heard.text, endOf(heard)?.model], ["word", "openai/gpt-5.5"]);
  assert.equal(backup.asked.length, 1);
});

test("a model without a price is told of once a run; its tokens are capped, its dollars are not", async () => {
  const { call } = meter(talker("acme/mystery", { inputTokens: 0, outputTokens: 4_000 }).model);
  const limits = { maxTokens: 11_000, maxUsd: 0.001 };
  const first = await call({ limits });
  assert.match(notes(first)[0] ?? "", /^the price of acme\/mystery is not known, so max_usd cannot be enforced/);
  assert.equal(endOf(first)?.costUsd, undefined);
  assert.deepEqual(notes(await call({ limits })), []);
  assert.equal((await call({ limits })).error?.limit?.name, "max_tokens");
  assert.equal(notes(await call({ run: "other" })).length, 1);
});

test("calls are counted by the minute, the hour and the day", async () => {
  const crew = toCrew({ maxCallsPerMinute: 2, maxCallsPerHour: 3, maxCallsPerDay: 4, maxTokensPerDay: 1_000_000 });
  const { clock, call } = meter(talker("openai/gpt-5-mini").model, { crew });
  const limits: (string | undefined)[] = [];
  for (const waitMs of [0, 0, 0, 60_000, 0, HOUR_MS, 0, 23 * HOUR_MS]) {
    await clock.advance(waitMs);
    limits.push((await call()).error?.limit?.name);
  }
  assert.deepEqual(limits, [
    undefined,
    undefined,
    "max_calls_per_minute",
    undefined,
    "max_calls_per_hour",
    undefined,
    "max_calls_per_day",
    undefined,
  ]);
});

test("a call the provider refused costs nothing; one that broke off costs its prompt and what it said", async () => {
  const rest = async (model: Model): Promise<number> => {
    const { call } = meter(model);
    const limits = { maxTokens: 100_000 };
    await call({ limits, maxTokens: 1 });
    const { error } = await call({ limits, messages: [{ role: "user", content: "x".repeat(400_000) }] });
    return Number(/and (\d+) of/.exec(error?.message ?? "")?.[1]);
  };
  const failing = (kind: "rate" | "timeout", chunks: readonly Chunk[]): Model =>
    fakeModel("openai/gpt-5-mini", () => ({ chunks, error: modelError("openai/gpt-5-mini", kind) }));
  assert.equal(await rest(failing("rate", [])), 0);
  const prompt = await rest(failing("timeout", []));
  assert.ok(prompt > 0 && prompt < 20, `${prompt} tokens`);
  assert.equal(await rest(failing("timeout", [{ type: "text", text: "x".repeat(300) }])), prompt + 100);
});

test("a provider that reports no usage is charged by what was read and written, and a warning says so once", async () => {
  const silent = talker("openai/gpt-5-mini", { inputTokens: 0, outputTokens: 0 });
  const { call } = meter(silent.model);
  const heard = await call();
  const { usage, costUsd = 0 } = endOf(heard) ?? {};
  assert.ok(usage !== undefined && usage.inputTokens > 0);
  assert.equal(usage.outputTokens, 2, "4 characters, on the high side");
  assert.equal(costUsd, toUsd(priceOf("openai/gpt-5-mini") ?? assert.fail(), usage));
  const warning = "openai/gpt-5-mini did not report how many tokens it used, so tokens and cost are estimated";
  assert.deepEqual(notes(heard), [warning]);
  assert.deepEqual(notes(await call()), []);
  assert.deepEqual(notes(await call({ run: "other" })), [warning]);
});

test("a step without a provider has the usage it reports, with no warning", async () => {
  for (const name of ["script", "code/plan"]) {
    const heard = await meter(talker(name, { inputTokens: 0, outputTokens: 0 }).model).call({
      limits: { maxTokens: 9_000 },
    });
    assert.deepEqual([notes(heard), endOf(heard)?.usage], [[], { inputTokens: 0, outputTokens: 0 }], name);
  }
});

test("a reader that leaves a reply early gives back what was not taken", async () => {
  const { model } = meter(talker("openai/gpt-5-mini").model);
  const prompt = toPrompt({ limits: { maxTokens: 4_200 } });
  for (let count = 1; count <= 3; count++) {
    for await (const chunks of model.stream(prompt, newScope())) {
      assert.equal(chunks[0]?.type, "text");
      break;
    }
  }
});

test("a cancelled call is no error", async () => {
  const scope = newScope();
  const slow: Model = {
    name: "openai/gpt-5-mini",
    async *stream(_prompt, own) {
      yield [{ type: "text", text: "so" }];
      await own.sleep(60_000);
    },
  };
  const { model } = meter(slow, { crew: toCrew({ maxConsecutiveErrors: 1 }) });
  const heard = hear(model, toPrompt(), scope);
  await scope.cancel(new BatonError("cancelled", "enough"));
  assert.equal((await heard).error?.code, "cancelled");
  for await (const chunks of model.stream(toPrompt(), newScope())) {
    assert.equal(chunks.length, 1);
    break;
  }
});

test("an alert is told once a day when its share is used", async () => {
  const { model } = talker("openai/gpt-5-mini", { inputTokens: 41_000, outputTokens: 0 });
  const { clock, call } = meter(model, { crew: toCrew({ maxTokensPerDay: 100_000 }) });
  assert.deepEqual(notes(await call()), []);
  assert.deepEqual(notes(await call()), ["82000 of 100000 tokens are used (max_tokens_per_day of crew shop)"]);
  assert.deepEqual(notes(await call()), []);
  assert.equal((await call()).error?.limit?.name, "max_tokens_per_day");
  await clock.advance(24 * HOUR_MS);
  assert.deepEqual(notes(await call()), []);
  assert.equal(notes(await call()).length, 1);
});

test("an agent's own alert share counts for its own caps, and the crew's for the crew's", async () => {
  const { model } = talker("openai/gpt-5-mini", { inputTokens: 41_000, outputTokens: 0 });
  const costLimits = { maxTokensPerDay: 100_000, alertThreshold: 0.3 };
  const { call } = meter(model, {
    crew: toCrew({ maxTokensPerDay: 100_000, costAlertThreshold: 0.8 }, { costLimits }),
  });
  const alert = (of: string, used: number) => `${used} of 100000 tokens are used (max_tokens_per_day of ${of})`;
  assert.deepEqual(notes(await call()), [alert("agent clerk of crew shop", 41_000)]);
  assert.deepEqual(notes(await call()), [alert("crew shop", 82_000)]);
});

test("with block_on_quota_exceed: false nothing is refused, and what is reached is told once", async () => {
  const crew = toCrew({ blockOnQuotaExceed: false, maxTokensPerDay: 50, maxCallsPerMinute: 2 });
  const { call } = meter(talker("openai/gpt-5-mini", { inputTokens: 45, outputTokens: 0 }).model, { crew });
  assert.deepEqual(notes(await call()), ["45 of 50 tokens are used (max_tokens_per_day of crew shop)"]);
  assert.deepEqual(notes(await call()), [
    "2 of 2 calls are made (max_calls_per_minute of crew shop)",
    "90 of 50 tokens are used (max_tokens_per_day of crew shop)",
  ]);
  const third = await call();
  assert.deepEqual([third.text, notes(third)], ["word", []]);
});

test("script and offline count in no quota of a crew, but in what the caller of a run set", async () => {
  for (const name of ["script", "offline"]) {
    const spy = talker(name, { inputTokens: 10, outputTokens: 4_000 });
    const crew = toCrew({ maxCallsPerDay: 0, maxTokensPerDay: 0 }, { costLimits: { maxTokensPerDay: 0 } });
    const { call } = meter(spy.model, { crew });
    assert.equal((await call()).text, "word");
    assert.equal(spy.asked[0]?.maxTokens, undefined);
    const limits = { maxTokens: 5_000 };
    assert.equal((await call({ limits })).text, "word");
    assert.equal((await call({ limits })).error?.limit?.name, "max_tokens");
  }
});

test("a prompt in a script of many bytes is not taken for a short one", async () => {
  const asks = async (content: string): Promise<number> => {
    const { call } = meter(talker("openai/gpt-5-mini").model);
    const { error } = await call({ limits: { maxTokens: 1 }, messages: [{ role: "user", content }], maxTokens: 1 });
    return Number(/may use (\d+)/.exec(error?.message ?? "")?.[1]);
  };
  assert.ok((await asks("汉".repeat(3_000))) >= 3_000);
  assert.ok((await asks("x".repeat(3_000))) <= 1_200);
});

test("models with a ledger meter every agent, and want to know whose limits count", async () => {
  const crew = toCrew({ maxCallsPerDay: 1 });
  const agent = crew.agents.get("clerk");
  assert.ok(agent !== undefined);
  const own = new Map([["acme/x", talker("acme/x").model]]);
  const models = new ModelRegistry({ models: own, ledger: new MemoryLedger(new SimulatedClock(1)) });
  assert.throws(() => models.forAgent({ model: { name: "acme/x" } }), { code: "invalid" });
  const request = { model: { name: "acme/x" }, toolCalls: "text", caller: { agent, crew } } as const;
  const first = await hear(models.forAgent(request), toPrompt());
  assert.deepEqual([first.text, notes(first).length], ["word", 1]);
  const scope = newScope().child({ name: "step", timeoutMs: 1 });
  assert.equal((await hear(models.forAgent(request), toPrompt(), scope)).error?.limit?.name, "max_calls_per_day");
});
