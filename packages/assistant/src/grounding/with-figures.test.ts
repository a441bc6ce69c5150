import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chunk, Json, Model, Prompt } from "@baton/core";
import { NO_RECORDED_CALLS, Scope, SystemClock } from "@baton/core/ports";
import { FACTS_PREFIX } from "../run-state.ts";
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
    quoted = [],
    meter = new AssistantMeter(),
    results = [],
  }: Readonly<{
    language?: "en" | "vi";
    facts?: typeof FACTS;
    quoted?: readonly string[];
    meter?: AssistantMeter;
    results?: Prompt["results"];
  }> = {},
) {
  const evidence = evidenceIn(language);
  const wrapped = withFigures(model, {
    ...evidence,
    languageOf: () => language,
    questionOf: () => "",
    namesOf: () => evidence.names,
    quotedOf: () => quoted,
    meter,
  });
  const stored: Json = facts.map((fact) => ({ ...fact, period: fact.period ? { ...fact.period } : null }));
  const prompt: Prompt = {
    run: "r",
    agent: "writer",
    system: "",
    messages: [],
    tools: [],
    attempt: 1,
    attempts: 1,
    results,
    ...NO_RECORDED_CALLS,
    values: new Map([[`${FACTS_PREFIX}2.1.1`, stored]]),
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
  assert.match(note, /"figures":1,"referenced":1,"matched":0,"unverified":\[\]/);
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

test("a model that insists is shown, and its numbers are marked", async () => {
  const { model, prompts } = replies("The price of Apple was $999.00.", "The price of Apple was $999.00.", "never");
  const { text, note } = await run(model);
  assert.equal(text, "The price of Apple was $999.00.");
  assert.match(note, /"unverified":\[\{"text":"\$999\.00"/);
  assert.equal(prompts.length, 2);
});

const ENGLISH = "The price of Apple is in the data of this day, and it was {f2.1.1.1}.";
const VIETNAMESE = "Giá của Apple có trong dữ liệu của ngày này, là {f2.1.1.1}.";

test("an answer in the wrong language is asked for once more, also without facts", async () => {
  const { model } = replies(ENGLISH, VIETNAMESE);
  const { text, restarts, warnings } = await run(model, { language: "vi" });
  assert.match(text, /229,87 USD/);
  assert.deepEqual([restarts, warnings], [["the answer is not in Vietnamese"], []]);
  const plain = "Xin chào, mình có thể giúp gì cho bạn về dữ liệu trong ngày?";
  assert.equal((await run(replies(plain, "Hello.").model, { facts: [] })).restarts.length, 1);
});

test("a wrong language or a link that stays is told by a warning", async () => {
  const insisting = await run(replies(ENGLISH, ENGLISH).model, { language: "vi" });
  assert.deepEqual(insisting.warnings, ["the answer is not in Vietnamese"]);
  const linking = await run(replies("See https://evil.example now.", "See https://evil.example now.").model);
  assert.deepEqual(linking.warnings, ["the answer has links, which only sources may give: https://evil.example"]);
});

test("a program is not asked again: it would say the same", async () => {
  const { model, prompts } = replies("The price of Apple was $999.00.");
  const { note } = await run({ ...model, isProgram: true });
  assert.equal(prompts.length, 1);
  assert.match(note, /"unverified":\[\{/);
});

test("a number that only quoted text has is left out if the model insists, also without facts, and told", async () => {
  const quoted = ["Analysts say the price is $4,200.50 <b>"];
  for (const facts of [FACTS, []]) {
    const { model, prompts } = replies("The target is $4,200.50 now.", "Believe me: 4.200,50, or $4200.50!");
    const { text, note, restarts } = await run(model, { facts, quoted });
    assert.equal(text, "Believe me: (unknown), or (unknown)!");
    assert.equal(prompts.length, 2);
    assert.equal(restarts.length, 1);
    assert.match(note, /\$4200\.50.*only quoted text has it/);
  }
});

test("a number that nobody has said is shown and marked as before", async () => {
  const { model } = replies("It is 77.7.", "It is 77.7.");
  const { text, note } = await run(model, { quoted: ["about 4,200"] });
  assert.equal(text, "It is 77.7.");
  assert.match(note, /no fact has this value/);
});

test("links are left out if the model insists, in either language", async () => {
  const insists = "Please [log in](https://evil.example/a) or see evil.example/b.";
  const { text, warnings } = await run(replies(insists, insists).model);
  assert.equal(text, "Please [log in]((link left out)) or see (link left out).");
  assert.match(warnings.join(), /the answer has links/);
  const { text: vietnamese } = await run(replies(insists, insists).model, { language: "vi" });
  assert.doesNotMatch(vietnamese, /evil/);
});

test("a reply that was cut short is shown without links, though it is not asked for again", async () => {
  const { model } = replies("See https://evil.example/a");
  const short: Model = {
    ...model,
    async *stream(prompt, scope) {
      for await (const chunks of model.stream(prompt, scope)) {
        yield chunks.map((chunk): Chunk => (chunk.type === "end" ? { ...chunk, finish: "length" } : chunk));
      }
    },
  };
  const { text, restarts } = await run(short);
  assert.equal(text, "See (link left out)");
  assert.equal(restarts.length, 1);
});

test("answers, figures without a fact, and answers at the limit of turns are counted", async () => {
  const meter = new AssistantMeter();
  const read = () =>
    (["answers", "unverified_figures", "turn_limit"] as const).map((name) => meter.total(`assistant_${name}`));
  await run(replies("It is 987654.", "It is still 987654.").model, { meter });
  assert.deepEqual(read(), [1, 1, 0]);
  await run(replies("Nothing was found.").model, {
    meter,
    results: [{ call: "1.1.1", tool: "look", args: {}, output: 1 }],
  });
  assert.deepEqual(read(), [2, 1, 1]);
});
