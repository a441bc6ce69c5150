import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import * as fc from "fast-check";
import { toMarketData } from "../market/chain/chain.ts";
import { createTools } from "../tools/catalogue.ts";
import { classify } from "./classify.ts";
import { INTENT } from "./intent.ts";
import { detectLanguage } from "./language.ts";
import { planReport } from "./calls/report-plan.ts";
import { after, SITUATION } from "./testing/directory.ts";
import { ENGLISH } from "./testing/english.ts";
import { VIETNAMESE } from "./testing/vietnamese.ts";
import { chooseTools } from "./calls/tool-choice.ts";

const seed = Number(process.env["SEED"] ?? 20_241_122);
const RUNS = { seed, numRuns: 100 };
const questionsOf = (table: string) =>
  table
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(0, line.lastIndexOf(" => ")));
const English = inSlice(questionsOf(ENGLISH));
const Vietnamese = inSlice(questionsOf(VIETNAMESE));

const PIECES = fc.constantFrom(
  ..."AAPL|giá|price|of|$|10|%|tỷ|under|1.234,5|between|and|từ|đến|2015|RSI|\ud800|😀|'s|nó|it|vs|last|years|-|/|^|\n|10-K|BTC|mã|so sánh|9999999999".split(
    "|",
  ),
);
const TEXT = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(PIECES, { maxLength: 40 }).map((parts) => parts.join(" ")),
);

test(`no text makes the rules fail, and what they say is valid (seed ${seed})`, () => {
  fc.assert(
    fc.property(TEXT, TEXT, (earlier, question) => {
      const situation = after(earlier, earlier);
      const intent = classify(question, situation);
      assert.deepEqual(INTENT.parse(intent), intent);
      assert.ok(intent.route !== "planner" || intent.requires_tools);
      for (const { args } of chooseTools(intent, question, situation)) {
        if (typeof args["symbol"] === "string")
          assert.ok(args["symbol"] === "^VNINDEX" || intent.validated_symbols.includes(args["symbol"]));
      }
      assert.ok(planReport(intent, situation).tasks.length <= 15);
    }),
    RUNS,
  );
});

test(`every call that is chosen has arguments that its tool takes (seed ${seed})`, async () => {
  const market = toMarketData({ directory: SITUATION.directory, mode: "closed", today: () => "", chains: {} });
  const tools = new Map(createTools(market).map((tool) => [tool.name, tool]));
  const made = fc.sample(TEXT, { seed, numRuns: 100 });
  for (const question of [...English, ...Vietnamese, ...made]) {
    for (const { tool, args } of chooseTools(classify(question, SITUATION), question, SITUATION)) {
      const prepared = await tools.get(tool)?.prepare({ ...args });
      assert.ok(prepared?.ok === true, `${question}: ${tool} ${JSON.stringify(args)}`);
    }
  }
});

test("English in plain letters is never taken for Vietnamese", () => {
  for (const question of English)
    assert.equal(detectLanguage(question.replaceAll(/[^\x20-\x7e]/g, "")), "en", question);
});

/** Type, symbols and calls. */
const read = (question: string) => {
  const intent = classify(question, SITUATION);
  return JSON.stringify([intent.query_type, intent.validated_symbols, chooseTools(intent, question, SITUATION)]);
};
/** Greetings and thanks change what they are added to. */
const isTalk = (question: string) =>
  ["greeting", "chitchat", "help"].includes(classify(question, SITUATION).query_type);

test("politeness changes neither type nor symbols nor calls", () => {
  const wrong: string[] = [];
  const check = (question: string, polite: readonly string[]) => {
    for (const said of polite) if (read(said) !== read(question)) wrong.push(said);
  };
  for (const question of English.filter((text) => !isTalk(text) && /[a-z0-9]$/i.test(text) && !text.includes("15%"))) {
    check(question, [`${question} please`, `Please, ${question}`, `${question}, thank you`]);
  }
  for (const question of Vietnamese.filter((text) => !isTalk(text) && !/[?.]$/.test(text))) {
    const isBare = /^[\x20-\x7e]*$/.test(question);
    const said = isBare ? ["nhe", "a", "giup minh voi"] : ["nhé", "ạ", "giúp mình với"];
    check(
      question,
      said.map((polite) => `${question} ${polite}`),
    );
  }
  assert.deepEqual(wrong, []);
});

test(`another company in its place changes only the symbol (seed ${seed})`, () => {
  const companies = [...SITUATION.directory.listings()].filter(
    ({ type, exchange, symbol }) =>
      type === "stock" && (exchange === "NYSE" || exchange === "NASDAQ") && /^[A-Z]{4}$/.test(symbol),
  );
  const unique = companies
    .filter(({ symbol }) => classify(`$${symbol}`, SITUATION).ambiguous.length === 0)
    .slice(0, 400);
  const templates = [...questionsOf(ENGLISH), ...questionsOf(VIETNAMESE)].filter(
    (question) => question.includes("MSFT") && !/AAPL|GOOGL/.test(question),
  );
  assert.ok(templates.length >= 8);
  fc.assert(
    fc.property(fc.constantFrom(...templates), fc.constantFrom(...unique), (template, { symbol }) => {
      const swapped = read(template.replaceAll("MSFT", `$${symbol}`)).replaceAll(`$${symbol}`, symbol);
      assert.equal(swapped.replaceAll(symbol, "MSFT"), read(template));
    }),
    RUNS,
  );
});

test("only the first 1,500 characters of a question are read", () => {
  const long = `price of AAPL ${"x ".repeat(3_000)}`;
  assert.equal(read(long), read(long.slice(0, 1_500)));
});
