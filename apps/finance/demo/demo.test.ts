/** The demo without a model: a question has one of its forms with every word accounted for, or it is refused. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, suite, test } from "node:test";
import { loadMarket } from "../market/chain/open-market.ts";
import type { IndexedDirectory } from "../market/directory/directory.ts";
import { createFindName } from "./find-name.ts";
import { readGrammar } from "./form.ts";
import { matchQuestion, toHoldings } from "./match.ts";
import { findTable } from "./pasted-table.ts";

/** Questions and what they must be read as: a form and its symbols, or `-` for a refusal. */
const QUESTIONS = readFileSync(join(import.meta.dirname, "questions.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

suite("the demo's grammar", () => {
  const grammar = readGrammar();
  let directory: IndexedDirectory;
  before(() => {
    ({ directory } = loadMarket());
  });

  const read = (question: string) => {
    const { reading } = matchQuestion(question, grammar, createFindName(directory, question, { language: "en" }));
    if (reading === undefined) return "-";
    const symbols = reading.names.flatMap(({ listings: [first] }) => first?.symbol ?? []);
    return [reading.form.id, ...symbols].join(" ");
  };

  test("reads every question as what it is, or refuses it", () => {
    const wrong = QUESTIONS.flatMap(([question = "", expected]) => {
      const found = read(question);
      return found === expected ? [] : [`${question}: ${found}, not ${expected}`];
    });
    assert.deepEqual(wrong, []);
    assert.ok(QUESTIONS.length >= 120, String(QUESTIONS.length));
  });

  test("every form understands its own example, in both languages, also without marks", () => {
    for (const { id, help } of grammar.forms) {
      for (const example of [help.en, help.vi]) {
        if (example === undefined) continue;
        assert.equal(read(example).split(" ")[0], id, example);
        const bare = example.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("đ", "d");
        assert.equal(read(bare).split(" ")[0], id, bare);
      }
    }
  });

  test("one more word that it does not know makes it refuse", () => {
    for (const { help, rest } of grammar.forms) {
      if (help.en === undefined || rest === "text") continue;
      for (const word of ["why", "worthless", "tomorrow", "without"]) {
        assert.equal(read(`${help.en} ${word}`), "-", `${help.en} ${word}`);
      }
    }
  });

  test("a name that may be a better known one, misspelt, is unclear", () => {
    const find = createFindName(directory, "price of aple");
    const { reading } = matchQuestion("price of aple", grammar, find);
    assert.deepEqual(
      reading?.names.map(({ isUnclear }) => isUnclear),
      [true],
    );
  });
});

test("holdings are a number before each name, and at most one after it", () => {
  const name = (at: number) => ({ said: "x", at, listings: [], isUnclear: false });
  const number = (at: number, value: number) => ({ at, value, text: String(value) });
  const amounts = (names: readonly number[], numbers: readonly (readonly [number, number])[]) =>
    toHoldings(
      names.map(name),
      numbers.map(([at, value]) => number(at, value)),
    )?.map(({ quantity, cost }) => [quantity, cost]);
  assert.deepEqual(
    amounts(
      [1],
      [
        [0, 10],
        [2, 150],
      ],
    ),
    [[10, 150]],
  );
  assert.deepEqual(
    amounts(
      [1, 4],
      [
        [0, 10],
        [2, 150],
        [3, 5],
        [5, 300],
      ],
    ),
    [
      [10, 150],
      [5, 300],
    ],
  );
  assert.deepEqual(
    amounts(
      [1, 3],
      [
        [0, 10],
        [2, 5],
      ],
    ),
    [
      [10, undefined],
      [5, undefined],
    ],
  );
  assert.equal(amounts([0], [[1, 10]]), undefined);
  assert.equal(
    amounts(
      [1],
      [
        [0, 10],
        [2, 150],
        [3, 7],
      ],
    ),
    undefined,
  );
});

test("a table is found with the words around it", () => {
  const table = findTable("my portfolio:\nsymbol,quantity,cost\nAAPL,10,150\nMSFT,5,300\nthanks");
  assert.deepEqual(table, { csv: "symbol,quantity,cost\nAAPL,10,150\nMSFT,5,300", rest: "my portfolio: thanks" });
  assert.equal(findTable("compare AAPL, MSFT and GE"), undefined);
});
