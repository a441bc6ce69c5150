import assert from "node:assert/strict";
import { test } from "node:test";
import { QUERY_TYPES } from "../intent/intent.ts";
import { openMarket } from "../market/chain/open-market.ts";
import { createTools } from "../tools/catalogue.ts";
import { parseQuestions } from "./question-lines.ts";
import { splitOf } from "./question.ts";
import { QUESTIONS } from "./questions/index.ts";

const market = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: { now: () => 0 } });
const tools = new Map(createTools(market).map((tool) => [tool.name, tool]));

/** Called by programs and by the store's clock. */
const UNOFFERED: ReadonlySet<string> = new Set(["loadPortfolio", "checkAlert"]);

test("there are at least 300 questions, each asked once under its own id, at least 40 % in Vietnamese", () => {
  assert.ok(QUESTIONS.length >= 300);
  assert.equal(new Set(QUESTIONS.map(({ id }) => id)).size, QUESTIONS.length);
  const asked = QUESTIONS.map(({ earlier, text, options }) => JSON.stringify([earlier, text, options]));
  assert.equal(new Set(asked).size, QUESTIONS.length);
  const vietnamese = QUESTIONS.filter(({ expect }) => expect.language === "vi").length;
  assert.ok(vietnamese / QUESTIONS.length >= 0.4);
});

test("every tool of the 43 is expected at least six times, the others at least once, every type at least three times", () => {
  const toolsOf = QUESTIONS.map(({ expect }) => new Set(expect.ways.flat().flatMap((call) => call.tools)));
  const allowed = new Set(QUESTIONS.flatMap(({ expect }) => expect.allowed));
  for (const { name, tags } of tools.values()) {
    const least = tags?.includes("core") === true ? 6 : 1;
    const count = toolsOf.filter((used) => used.has(name)).length + (allowed.has(name) ? 1 : 0);
    assert.ok(count >= least || UNOFFERED.has(name), `${name}: ${count}`);
  }
  for (const type of QUERY_TYPES) {
    assert.ok(QUESTIONS.filter(({ expect }) => expect.types.includes(type)).length >= 3, type);
  }
});

test("expected tools, arguments and symbols exist", () => {
  const symbols = new Set([...market.directory.listings()].map(({ symbol }) => symbol));
  for (const { id, expect } of QUESTIONS) {
    const uses = expect.ways.flat().flatMap(({ tools: names, args }) => names.map((name) => ({ name, args })));
    for (const { name, args } of uses) {
      const schema = JSON.stringify(tools.get(name)?.inputSchema ?? null);
      const unknown = [...args.keys()].filter((argument) => !schema.includes(`"${argument}"`));
      assert.deepEqual(unknown, [], `${id}: ${name}`);
    }
    for (const name of expect.allowed) assert.ok(tools.has(name), `${id}: ${name}`);
    for (const symbol of expect.symbols) assert.ok(symbols.has(symbol), `${id}: ${symbol}`);
  }
});

test("the two halves are about equally large, and each has every kind of question", () => {
  const dev = QUESTIONS.filter((question) => splitOf(question) === "dev");
  assert.ok(Math.abs(dev.length / QUESTIONS.length - 0.5) < 0.05);
  for (const half of [dev, QUESTIONS.filter((question) => splitOf(question) === "held")]) {
    for (const tag of ["typo", "bare", "no_data", "word", "class", "two_markets", "tab", "injection", "advice"]) {
      assert.ok(
        half.some(({ tags }) => tags.includes(tag)),
        tag,
      );
    }
  }
});

test("a line is read with its conversation, ways, rules and options", () => {
  const [question] = parseQuestions(
    "x-1 | hi >> RSI of NVDA | technical,follow_up | getRSI/getEMA NVDA period=7,14 || getBands NVDA | vi symbols=NVDA,AMD? tab=stock #a",
  );
  assert.deepEqual(question?.earlier, ["hi"]);
  assert.deepEqual(question.expect.types, ["technical", "follow_up"]);
  assert.deepEqual(question.expect.ways.length, 2);
  assert.deepEqual(question.expect.ways[0]?.[0]?.tools, ["getRSI", "getEMA"]);
  assert.deepEqual(question.expect.ways[0][0].args.get("period"), { kind: "one_of", values: [7, 14] });
  assert.deepEqual([question.expect.symbols, question.expect.optionalSymbols], [["NVDA"], ["AMD"]]);
  assert.deepEqual(question.options, { ui_context: { active_tab: "stock" } });
  assert.throws(() => parseQuestions("x-2 | hello | greeting"), /not a question/);
  assert.throws(() => parseQuestions("x-3 | hello | greeting | - | unknown"), /"unknown" is not known/);
});
