import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, type Chunk, type Model, type Prompt } from "@baton/core";
import { NO_RECORDED_CALLS, Scope, SystemClock } from "@baton/core/ports";
import { AssistantMeter } from "../metrics/assistant-meter.ts";
import { evidenceIn, FACTS } from "./testing/answer-cases.ts";
import { withFigures } from "./with-figures.ts";

type Asked = Readonly<{ model: Model; prompts: readonly Prompt[] }>;

/** A model that gives these replies, one after the other, in pieces of three characters. */
function replies(...texts: readonly string[]): Asked {
  const prompts: Prompt[] = [];
  const model: Model = {
    name: "test/model",
    async *stream(prompt): AsyncGenerator<readonly Chunk[]> {
      const text = texts[prompts.length] ?? "";
      prompts.push(prompt);
      for (let at = 0; at < text.length; at += 3) yield [{ type: "text", text: text.slice(at, at + 3) }];
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 10, outputTokens: 2 }, costUsd: 0.25 }];
    },
  };
  return { model, prompts };
}

async function run(
  model: Model,
  {
    language = "en",
    facts = FACTS,
    said = [],
    messages = [],
    contextAt = 0,
    meter = new AssistantMeter(),
    results = [],
  }: Readonly<{
    language?: string;
    facts?: typeof FACTS;
    said?: readonly string[];
    messages?: Prompt["messages"];
    contextAt?: number;
    meter?: AssistantMeter;
    results?: Prompt["results"];
  }> = {},
) {
  const evidence = evidenceIn(language);
  const wrapped = withFigures(model, {
    ...evidence,
    factsOf: async () => facts,
    languageOf: () => language,
    saidOf: () => said,
    namesOf: () => evidence.names,
    meter,
  });
  const prompt: Prompt = {
    run: "r",
    agent: "writer",
    system: "",
    messages,
    contextAt,
    tools: [],
    attempt: 1,
    attempts: 1,
    results,
    ...NO_RECORDED_CALLS,
    values: new Map(),
  };
  await using scope = Scope.root({ clock: new SystemClock(), name: "test" });
  const chunks: Chunk[] = [];
  for await (const batch of wrapped.stream(prompt, scope)) chunks.push(...batch);
  const last = chunks.findLastIndex(({ type }) => type === "restart");
  const text = chunks
    .slice(last + 1)
    .flatMap((chunk) => (chunk.type === "text" ? [chunk.text] : []))
    .join("");
  const note = chunks.find((chunk) => chunk.type === "note")?.data;
  const restarts = chunks.flatMap((chunk) => (chunk.type === "restart" ? [chunk.reason] : []));
  const warnings = chunks.flatMap((chunk) => (chunk.type === "warning" ? [chunk.text] : []));
  return { text, note: JSON.stringify(note), restarts, warnings, end: chunks.at(-1) };
}

test("an answer whose figures are backed is shown as it streams, and asked for once", async () => {
  const { model, prompts } = replies("The price of Apple was {f2.1.1.1}.");
  const { text, note, restarts } = await run(model);
  assert.equal(text, "The price of Apple was $229.87.");
  assert.match(note, /"figures":1,"referenced":1,"matched":0,"quoted":0,"unverified":\[\]/);
  assert.deepEqual([restarts, prompts.length], [[], 1]);
});

test("a number without a fact is asked for once more, with the facts that can be cited", async () => {
  const { model, prompts } = replies("The price of Apple was $999.00.", "The price of Apple was {f2.1.1.1}.");
  const { text, note, restarts, end } = await run(model);
  assert.equal(text, "The price of Apple was $229.87.");
  assert.match(note, /"unverified":\[\]/);
  assert.deepEqual(restarts, ["numbers without a fact: $999.00"]);
  const asked = prompts[1]?.messages.at(-1)?.content ?? "";
  assert.match(asked, /- \$999\.00: no fact has this value/);
  assert.match(asked, /f2\.1\.1\.1 AAPL price 229\.87 USD/);
  assert.ok(end?.type === "end");
  assert.deepEqual([end.usage.inputTokens, end.usage.outputTokens, end.costUsd], [20, 4, 0.5]);
});

test("a model that insists is shown as it was first, whole, with its numbers marked and a warning", async () => {
  const { model, prompts } = replies("The price of Apple was $999.00.", "It was $998.00.", "never");
  const { text, note, restarts, warnings } = await run(model);
  assert.equal(text, "The price of Apple was $999.00.");
  assert.match(note, /"unverified":\[\{"text":"\$999\.00"/);
  assert.deepEqual([prompts.length, restarts], [2, []]);
  assert.deepEqual(warnings, ["Not verified by any source: $999.00"]);
});

test("a second try that fails leaves the first answer", async () => {
  const { model } = replies("The price of Apple was $999.00.");
  let asked = 0;
  const failing: Model = {
    ...model,
    stream(prompt, scope) {
      asked += 1;
      if (asked > 1) throw new BatonError("model", "overloaded");
      return model.stream(prompt, scope);
    },
  };
  const { text, end } = await run(failing);
  assert.deepEqual([text, asked, end?.type], ["The price of Apple was $999.00.", 2, "end"]);
});

test("no words around a reference are judged, in any language", async () => {
  const { model, prompts } = replies("Der Schlusskurs von Microsoft 2016: {f2.1.1.1}, gefallen um {f2.1.1.11:abs}.");
  const { text, note } = await run(model, { language: "de" });
  assert.equal(text, "Der Schlusskurs von Microsoft 2016: 229,87 USD, gefallen um 2,51%.");
  assert.match(note, /"referenced":2.*"unverified":\[\]/);
  assert.equal(prompts.length, 1);
});

test("a bare number that is no figure is marked, and not worth another try", async () => {
  const { model, prompts } = replies("There are 987654 of them.");
  const { note } = await run(model);
  assert.match(note, /987654/);
  assert.equal(prompts.length, 1);
});

test("results of earlier questions are shown without ids, those of this one with them", async () => {
  const { model, prompts } = replies("Fine.");
  const digest = "getQuote A · 2024-11-22\nf2.1.1.1 price 1 USD\nB: f2.1.1.2 3 | f2.1.1.3 4";
  const result = { role: "tool", call: "c", tool: "getQuote", content: digest } as const;
  await run(model, { messages: [result, { role: "user", content: "?" }, result], contextAt: 1 });
  assert.deepEqual(
    prompts[0]?.messages.map(({ content }) => content),
    ["getQuote A · 2024-11-22\nprice 1 USD\nB: 3 | 4", "?", digest],
  );
});

test("the user's own numbers may be repeated", async () => {
  const { model, prompts } = replies("You hold 10 at $60,000.00.");
  const { note, warnings } = await run(model, { said: ["i have 10 btc at 60k"] });
  assert.match(note, /"quoted":1,"unverified":\[\]/);
  assert.deepEqual([prompts.length, warnings], [1, []]);
});

test("a program is not asked again, and its own words are not marked", async () => {
  const { model, prompts } = replies("The price of Apple was $999.00.");
  const { note } = await run({ ...model, isProgram: true });
  assert.equal(prompts.length, 1);
  assert.match(note, /"unverified":\[\]/);
});

test("a reply that calls tools is no answer: it is neither checked nor asked for again", async () => {
  const { model, prompts } = replies("I look up $999.00.");
  const calling: Model = {
    ...model,
    async *stream(prompt, scope) {
      for await (const chunks of model.stream(prompt, scope)) {
        yield chunks.map((chunk): Chunk => (chunk.type === "end" ? { ...chunk, finish: "calls" } : chunk));
      }
    },
  };
  const { note, end } = await run(calling);
  assert.deepEqual([note, prompts.length, end?.type], [undefined, 1, "end"]);
});

test("addresses are left out, also of a reply that was cut short", async () => {
  const { model } = replies("Please [log in](https://evil.example/a), it was {f2.1.1.1}.");
  const { text, restarts, note } = await run(model);
  assert.equal(text, "Please [log in]((…)), it was $229.87.");
  assert.equal(restarts.length, 1);
  assert.match(note, /"referenced":1/);
});

test("answers, figures without a fact, and answers at the limit of turns are counted", async () => {
  const meter = new AssistantMeter();
  const read = () =>
    (["answers", "unverified_figures", "turn_limit"] as const).map((name) => meter.total(`assistant_${name}`));
  await run(replies("It is 9876.54.", "It is still 9876.54.").model, { meter });
  assert.deepEqual(read(), [1, 1, 0]);
  await run(replies("Nothing was found.").model, {
    meter,
    results: [{ call: "1.1.1", tool: "look", args: {}, output: 1 }],
  });
  assert.deepEqual(read(), [2, 1, 1]);
});
