/** The assistant against a provider that speaks OpenAI's and Anthropic's format: classification, tools, figures. */
import assert from "node:assert/strict";
import { after, before, beforeEach, suite, test } from "node:test";
import type { RunEvent } from "@baton/core";
import { ModelRegistry } from "@baton/models";
import { LLMock } from "@copilotkit/aimock";
import { openEvalHarness } from "../evals/eval-harness.ts";

const PROVIDERS = [
  { name: "openai/gpt-5-mini", path: "/v1" },
  { name: "anthropic/claude-haiku-4-5", path: "" },
] as const;

const mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 3 });
const keys = new Map(["openai", "anthropic"].map((name) => [name, "sk-secret-key"]));

/** Prompts are told apart by the first words that each agent is given. */
const ANALYST = /You look up what a finance question needs/;
const WRITER = /You are a careful financial analyst/;
const PLANNER = /Plan what to look up/;
const DIRECT = /You have no data for this answer/;
const CLASSIFIER = /You classify one question/;

const of = <T extends RunEvent["type"]>(events: readonly RunEvent[], type: T) =>
  events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);

async function ask(provider: (typeof PROVIDERS)[number], text: string) {
  const models = new ModelRegistry({ keys });
  const model = { name: provider.name, url: mock.url + provider.path };
  await using harness = await openEvalHarness({
    modelOf: ({ backup, toolCalls }) => models.forAgent({ model, backup, toolCalls }),
  });
  const { events } = await harness.askFully({ text, earlier: [], options: {} });
  return events;
}

suite("the assistant with a provider's model", () => {
  before(() => mock.start());
  after(() => mock.stop());
  beforeEach(() => {
    mock.reset();
  });

  for (const provider of PROVIDERS) {
    test(`${provider.name}: a price needs two calls beside the answer's own, and its figure is the fact`, async () => {
      const calls = [{ name: "getStockPrice", arguments: { symbol: "AAPL" } }];
      mock.on({ systemMessage: ANALYST, hasToolResult: false }, { content: "Looking it up.", toolCalls: calls });
      mock.on({ systemMessage: ANALYST, hasToolResult: true }, { content: "The price was found." });
      mock.on({ systemMessage: WRITER }, { content: "Apple trades at {f3.1.1.1} on 2024-11-22." });
      const events = await ask(provider, "What is the price of Apple?");
      assert.equal(of(events, "run.ended")[0]?.text, "Apple trades at $229.87 on 2024-11-22.");
      const asked = of(events, "step.ended").filter(({ agent }) =>
        ["intent_model", "analyst", "writer"].includes(agent),
      );
      assert.equal(asked.length, 3);
      const figures = of(events, "note.made").find(({ kind }) => kind === "figures");
      assert.partialDeepStrictEqual(figures?.data, { figures: 1, referenced: 1, matched: 0, unverified: [] });
      assert.ok(of(events, "text.delta").filter(({ agent }) => agent === "writer").length > 4, "it streams");
    });

    test(`${provider.name}: a number that the model made up is asked for again, with what can be cited`, async () => {
      const calls = [{ name: "getStockPrice", arguments: { symbol: "AAPL" } }];
      mock.on({ systemMessage: ANALYST, hasToolResult: false }, { toolCalls: calls });
      mock.on({ systemMessage: ANALYST, hasToolResult: true }, { content: "Found." });
      mock.on({ systemMessage: WRITER, userMessage: /was not shown/ }, { content: "It trades at {f3.1.1.1}." });
      mock.on({ systemMessage: WRITER }, { content: "Apple trades at $250.00." });
      const events = await ask(provider, "What is the price of Apple?");
      assert.equal(of(events, "run.ended")[0]?.text, "It trades at $229.87.");
      assert.equal(of(events, "step.retried").filter(({ agent }) => agent === "writer").length, 1);
    });

    test(`${provider.name}: a call on a company that the question does not name is denied`, async () => {
      const calls = [
        { name: "getStockPrice", arguments: { symbol: "AAPL" } },
        { name: "getStockPrice", arguments: { symbol: "TSLA" } },
      ];
      mock.on({ systemMessage: ANALYST, hasToolResult: false }, { toolCalls: calls });
      mock.on({ systemMessage: ANALYST, hasToolResult: true }, { content: "Found." });
      mock.on({ systemMessage: WRITER }, { content: "Apple trades at {f3.1.1.1}." });
      const events = await ask(provider, "What is the price of Apple?");
      const ended = new Map(of(events, "call.ended").map(({ call, error }) => [call, error?.kind]));
      assert.deepEqual([ended.get("3.1.1"), ended.get("3.1.2")], [undefined, "permission"]);
    });

    test(`${provider.name}: a plan as structured output is carried out`, async () => {
      const task = (id: string, tool: string) => ({
        id,
        title: tool,
        tool,
        args: { symbol: "NVDA" },
        depends_on: [],
        priority: 0,
      });
      const plan = { title: "NVDA report", tasks: [task("a", "getStockPrice"), task("b", "getIncomeStatement")] };
      mock.on({ systemMessage: PLANNER }, { content: JSON.stringify(plan) });
      mock.on({ systemMessage: WRITER }, { content: "NVIDIA trades at {f4.1.1.1}." });
      const events = await ask(provider, "Full report on NVDA");
      assert.deepEqual(
        of(events, "call.ended").flatMap(({ agent, tool, error }) => (agent === "runner" ? [[tool, error]] : [])),
        [
          ["getStockPrice", undefined],
          ["getIncomeStatement", undefined],
        ],
      );
      assert.equal(of(events, "run.ended")[0]?.text, "NVIDIA trades at $141.95.");
      assert.ok(of(events, "note.made").filter(({ kind }) => kind === "plan").length >= 2);
    });

    test(`${provider.name}: a question that the rules do not know is classified by the model`, async () => {
      const intent = {
        query_type: "general",
        symbols: [],
        requires_tools: false,
        needs_plan: false,
        reasoning: "general knowledge",
        summary: "explain",
      };
      mock.on({ systemMessage: CLASSIFIER }, { content: JSON.stringify(intent) });
      mock.on({ systemMessage: DIRECT }, { content: "Gladly." });
      const events = await ask(provider, "nên làm gì bây giờ");
      assert.equal(of(events, "run.ended")[0]?.outcome, "done");
      const note = of(events, "note.made").find(({ kind }) => kind === "intent");
      assert.partialDeepStrictEqual(note?.data, { by: "model", query_type: "general", response_language: "vi" });
    });
  }
});
