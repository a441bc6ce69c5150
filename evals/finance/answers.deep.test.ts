/**
 * Answers: with a good model no right call is denied, every answer reaches the user whole, and every figure of it is the
 * fact that it cites, in value, unit, symbol, metric and period. The same figures typed by hand are recognised, and
 * changed ones are marked. What the demo says without a model is held against the facts too.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Fact, factsFrom, ground } from "@baton/assistant";
import type { Json, Prompt, RunEvent } from "@baton/core";
import { inSlice } from "@baton/core/testing";
import { lookInto } from "@baton/core/util";
import { z } from "zod";
import { type AskedRun, of, openAssistant, scriptedModel, understood } from "./assistant-harness.ts";

const QUESTION = z.object({
  id: z.string(),
  input: z.string(),
  symbols: z.array(z.object({ said: z.string(), ticker: z.string() })),
  query_type: z.string(),
  language: z.string(),
  wants: z.array(z.string()),
  calls: z.array(z.object({ tool: z.string(), args: z.json() })),
  is_price: z.boolean().optional(),
});
type Asked = z.output<typeof QUESTION>;

const QUESTIONS = readFileSync(join(import.meta.dirname, "questions.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => QUESTION.parse(JSON.parse(line)));

const ID = /\bf\d[\d.]*\.\d+\b/g;
/** Tools beyond the common ones need no search. */
const ALL_TOOLS = { tool_search_mode: false };
const MAX_CITED = 6;
const MAX_PRICE_TOKENS = 12_000;
const CHARS_PER_TOKEN = 4;

/** A model that looks up what it must, and answers by `write` from the ids that it read. */
const goodModel = ({ symbols, wants, calls, query_type, language }: Asked, write: (ids: readonly string[]) => string) =>
  scriptedModel((prompt) => {
    const reply = { raw_symbols: symbols, wants, query_type, response_language: language };
    if (prompt.agent === "intent") return understood(reply);
    const read = prompt.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    if (read.length === 0) return { calls };
    return { text: write([...new Set(read.flatMap((text) => text.match(ID) ?? []))].slice(0, MAX_CITED)) };
  });

const cite = (ids: readonly string[]): string =>
  ids.length === 0 ? "There is nothing to cite." : `Found: ${ids.map((id) => `{${id}}`).join("; ")}.`;

const FACT = z.looseObject({ id: z.string(), call: z.string(), path: z.string(), value: z.number() });
const NOTE = z.looseObject({
  figures: z.number(),
  referenced: z.number(),
  matched: z.number(),
  unverified: z.array(z.looseObject({ text: z.string(), why: z.string() })),
  spans: z.array(z.object({ start: z.number(), end: z.number(), fact: z.string() })),
  facts: z.array(FACT),
});

const noteOf = (events: readonly RunEvent[]) =>
  NOTE.parse(of(events, "note.made").findLast(({ kind }) => kind === "figures")?.data);

const outputsOf = (events: readonly RunEvent[]): ReadonlyMap<string, Json> =>
  new Map(
    of(events, "call.ended").flatMap(({ call, output }) => (output === undefined ? [] : [[call, output] as const])),
  );

/** Every call was made as it was meant, and nothing was asked or denied. */
function checkCalls({ events }: AskedRun, { calls }: Asked): void {
  const made = of(events, "call.ended").filter(({ agent }) => agent === "analyst");
  assert.deepEqual(made.map(({ tool }) => tool).toSorted(), calls.map(({ tool }) => tool).toSorted());
  assert.deepEqual(
    made.flatMap(({ tool, error }) => (error === undefined ? [] : [`${tool}: ${error.message}`])),
    [],
    "no right call fails",
  );
  assert.deepEqual(of(events, "question.opened"), [], "what the user asked for is not asked again");
}

/** The answer is whole, and each figure is the value at its path in the recorded output. */
function checkFigures({ events, text }: AskedRun): void {
  const note = noteOf(events);
  assert.doesNotMatch(text, /\{f|\(\?\)/);
  assert.deepEqual([note.unverified, note.referenced], [[], note.spans.length]);
  const outputs = outputsOf(events);
  const facts = new Map(note.facts.map((fact) => [fact.id, fact]));
  for (const { start, end, fact: id } of note.spans) {
    const fact = facts.get(id);
    assert.ok(fact !== undefined && end > start, id);
    const path = fact.path.replaceAll(/\[(\d+)\]/g, ".$1");
    assert.equal(lookInto(outputs.get(fact.call) ?? null, path), fact.value, `${id} at ${fact.path}`);
  }
}

const tokensOf = ({ system, messages, tools }: Prompt): number =>
  JSON.stringify([system, messages, tools]).length / CHARS_PER_TOKEN;

test("a price question is three model calls, within its tokens, and the next one begins with the same bytes", async () => {
  await using assistant = await openAssistant();
  const [asked] = QUESTIONS.filter(({ is_price }) => is_price);
  assert.ok(asked);
  const first = await assistant.ask(goodModel(asked, cite), { input: asked.input, session: "s" });
  const sum = first.prompts.reduce((total, prompt) => total + tokensOf(prompt), 0);
  assert.ok(first.prompts.length <= 3 && sum <= MAX_PRICE_TOKENS, `${first.prompts.length} calls, ${sum} tokens`);
  const second = await assistant.ask(goodModel(asked, cite), { input: "And now?", session: "s" });
  const beginning = ({ system, tools, messages }: Prompt) => JSON.stringify([tools, system, messages[0]]);
  const [one, other] = [first, second].map(({ prompts }) => prompts.find(({ agent }) => agent === "analyst"));
  assert.ok(one && other);
  assert.equal(beginning(other), beginning(one));
});

for (const asked of inSlice(QUESTIONS)) {
  test(`${asked.id}: no right call is denied, the answer is whole, and its figures are facts`, async () => {
    await using assistant = await openAssistant();
    const run = await assistant.ask(goodModel(asked, cite), { input: asked.input, options: ALL_TOOLS });
    assert.equal(of(run.events, "run.ended").at(-1)?.outcome, "done");
    checkCalls(run, asked);
    checkFigures(run);
    assert.ok(run.prompts.length <= 3);
  });
}

/** A sentence with a fact's own names and a number. */
const say = ({ symbol, metric }: Fact, number: string): string => `${symbol} ${metric}: ${number}.`;

for (const asked of inSlice(QUESTIONS.filter(({ language }) => language === "en"))) {
  test(`${asked.id}: figures that the model types are recognised, and changed ones are marked`, async () => {
    await using assistant = await openAssistant();
    const cited = await assistant.ask(goodModel(asked, cite), { input: asked.input, options: ALL_TOOLS });
    const { spans } = noteOf(cited.events);
    const factsOf = factsFrom([...assistant.crew.tools.values()]);
    const facts = await factsOf(toRecorded(cited.events));
    const shown = spans.flatMap(({ start, end, fact: id }) => {
      const fact = facts.find((one) => one.id === id);
      const number = cited.text.slice(start, end);
      // What is a count, or 0 or 100 in any unit, may be said of anything.
      return fact === undefined || !/[.,$%]/.test(number) || Math.abs(fact.value) < 0.1 ? [] : [{ fact, number }];
    });
    const evidence = { ...toEvidence(facts), said: [asked.input] };
    for (const { fact, number } of shown) {
      const right = ground({ text: say(fact, number), spans: [], missing: [] }, evidence);
      assert.deepEqual(right.unverified, [], say(fact, number));
      const changed = number.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 5) % 10));
      const wrong = ground({ text: say(fact, changed), spans: [], missing: [] }, evidence);
      const isOther = facts.every(({ value }) => !isPrinted(changed, value));
      if (isOther) assert.equal(wrong.unverified.length, 1, say(fact, changed));
    }
  });
}

const isPrinted = (printed: string, value: number): boolean =>
  Math.abs(Math.abs(Number(printed.replaceAll(/[^\d.]/g, ""))) - Math.abs(value)) < 0.006;

function toRecorded(events: readonly RunEvent[]): Pick<Prompt, "calls" | "outputOf"> {
  const outputs = outputsOf(events);
  const calls = of(events, "call.ended").map(({ call, tool, agent, error }) => {
    return { call, tool, agent, args: {}, ok: error === undefined };
  });
  return { calls, outputOf: async (call) => outputs.get(call) };
}

function toEvidence(facts: readonly Fact[]) {
  const names = new Map<string, readonly string[]>(facts.map(({ symbol }) => [symbol, []]));
  return { facts, names, language: "en", wordsOf: () => [], thresholds: new Map<string, readonly number[]>() };
}

const DEMO = readFileSync(join(import.meta.dirname, "../../apps/finance/demo/questions.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#") && !/\t(?:-|help)$/.test(line))
  .map((line) => line.split("\t")[0] ?? "");

for (const input of inSlice(DEMO)) {
  test(`without a model, “${input}”: every number of the answer is a fact`, async () => {
    await using assistant = await openAssistant();
    const program = assistant.crew.programs.get("offline");
    assert.ok(program);
    const { events, text } = await assistant.ask({ ...program, name: "code/offline" }, { input });
    const { spans } = noteOf(events);
    const facts = await factsFrom([...assistant.crew.tools.values()])(toRecorded(events));
    const language = /[ăâđêôơư]/i.test(text) ? "vi" : "en";
    const { unverified } = ground({ text, spans, missing: [] }, { ...toEvidence(facts), language, said: [input] });
    assert.deepEqual(
      unverified.filter(({ isFigure }) => isFigure).map((one) => `${one.text}: ${one.why}`),
      [],
      text,
    );
  });
}
