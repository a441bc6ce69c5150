/** The assistant against providers that speak OpenAI's and Anthropic's format: understanding, tools, figures, costs. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, beforeEach, suite, test } from "node:test";
import type { Crew, RunEvent } from "@baton/core";
import { readCrew } from "@baton/crewfile";
import { DurableEngine } from "@baton/durable";
import { ModelRegistry } from "@baton/models";
import { readAll, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { LLMock } from "@copilotkit/aimock";

const PROVIDERS = [
  { name: "openai/gpt-5-mini", path: "/v1" },
  { name: "anthropic/claude-haiku-4-5", path: "" },
] as const;

const mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 3 });
const keys = new Map(["openai", "anthropic"].map((name) => [name, "sk-secret-key"]));

/** Prompts are told apart by the first words that each agent is given. */
const INTENT = /You read the latest message to a finance assistant/;
const ANALYST = /You are Baton's finance analyst/;
const DIRECT = /This\s+message needs no data/;

const of = <T extends RunEvent["type"]>(events: readonly RunEvent[], type: T) =>
  events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);

/** The reply of a small model that understands a question about Apple. */
const understood = (more: object = {}) => ({
  content: JSON.stringify({
    intent_summary: "price of Apple",
    query_type: "stock_price",
    complexity: "tool_required",
    parts: ["price of Apple"],
    raw_symbols: [{ said: "apple", ticker: "AAPL" }],
    wants: [],
    response_language: "en",
    confidence: 0.9,
    ...more,
  }),
});

const QUOTE = [{ name: "getStockQuote", arguments: { symbols: ["AAPL"] } }];

suite("the assistant with a provider's model", () => {
  let crew: Crew;
  before(async () => {
    await mock.start();
    const read = await readCrew(join(import.meta.dirname), { providers: ["auto"] });
    assert.ok(read.crew);
    const { after: _, ...rest } = read.crew;
    crew = rest;
  });
  after(() => mock.stop());
  beforeEach(() => {
    mock.reset();
  });

  async function ask(provider: (typeof PROVIDERS)[number], input: string) {
    const models = new ModelRegistry({ keys });
    const model = { name: provider.name, url: mock.url + provider.path };
    const database = openMemory();
    const store = await Store.open({ database });
    const engine = new DurableEngine({
      store,
      crews: [crew],
      model: ({ backup, toolCalls }) => models.forAgent({ model, backup, toolCalls }),
    });
    const run = await engine.start(crew, { input });
    await run.result;
    const events = await readAll(database, run.id);
    await engine.stop();
    await store[Symbol.asyncDispose]();
    return events;
  }

  for (const provider of PROVIDERS) {
    test(`${provider.name}: a price is three model calls, and its figure is the fact`, async () => {
      mock.on({ systemMessage: INTENT }, understood());
      mock.on({ systemMessage: ANALYST, hasToolResult: false }, { content: "Looking it up.", toolCalls: QUOTE });
      mock.on({ systemMessage: ANALYST, hasToolResult: true }, { content: "Apple's last known price is {f4.1.1.1}." });
      const events = await ask(provider, "How much is apple?");
      assert.equal(of(events, "run.ended")[0]?.text, "Apple's last known price is $229.87.");
      const steps = of(events, "step.ended").filter(({ agent }) => agent === "intent" || agent === "analyst");
      assert.deepEqual(
        steps.map(({ agent, commentary }) => [agent, commentary === true]),
        [
          ["intent", false],
          ["analyst", true],
          ["analyst", false],
        ],
      );
      const figures = of(events, "note.made").find(({ kind }) => kind === "figures");
      assert.partialDeepStrictEqual(figures?.data, { figures: 1, referenced: 1, unverified: [] });
    });
  }

  test("a number that no result has is asked for once more, then shown whole with a warning", async () => {
    mock.on({ systemMessage: INTENT }, understood());
    mock.on({ systemMessage: ANALYST, hasToolResult: false }, { content: "", toolCalls: QUOTE });
    mock.on({ systemMessage: ANALYST, hasToolResult: true }, { content: "Apple costs $999.00, believe me." });
    const events = await ask(PROVIDERS[0], "How much is apple?");
    assert.equal(of(events, "run.ended")[0]?.text, "Apple costs $999.00, believe me.");
    assert.ok(of(events, "warning.raised").some(({ text }) => text.includes("$999.00")));
  });

  test("a question that nothing understood is answered as it is", async () => {
    mock.on({ systemMessage: INTENT }, { content: "no JSON at all" });
    mock.on({ systemMessage: ANALYST }, { content: "Tell me which company you mean." });
    const events = await ask(PROVIDERS[0], "and that one?");
    assert.equal(of(events, "run.ended")[0]?.text, "Tell me which company you mean.");
    assert.partialDeepStrictEqual(of(events, "note.made").find(({ kind }) => kind === "intent")?.data, { by: "none" });
  });

  test("a greeting needs no data, and a write that the user did not ask for waits for a yes after the answer", async () => {
    mock.on({ systemMessage: INTENT }, understood({ complexity: "direct", query_type: "greeting", raw_symbols: [] }));
    mock.on({ systemMessage: DIRECT }, { content: "Hello!" });
    assert.equal(of(await ask(PROVIDERS[0], "hi"), "run.ended")[0]?.text, "Hello!");
    mock.reset();
    const alert = [{ name: "setAlert", arguments: { symbol: "AAPL", kind: "price_above", value: 300 } }];
    mock.on({ systemMessage: INTENT }, understood({ wants: ["set_alert"] }));
    mock.on({ systemMessage: ANALYST, hasToolResult: false }, { content: "", toolCalls: alert });
    mock.on({ systemMessage: ANALYST, hasToolResult: true }, { content: "The alert waits for your yes." });
    const events = await ask(PROVIDERS[0], "How much is apple? Alert at 260");
    const types = events.map(({ type }) => type);
    assert.equal(of(events, "question.opened")[0]?.tool, "setAlert");
    assert.ok(of(events, "turn.ended").some(({ content }) => content === "The alert waits for your yes."));
    assert.ok(types.indexOf("question.opened") > types.lastIndexOf("turn.ended"), "the answer comes first");
  });
});
