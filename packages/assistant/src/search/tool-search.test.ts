import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, callTool, refusedPaths } from "@baton/core/testing";
import * as fc from "fast-check";
import { openToolIndex, type SearchableTool } from "./tool-index.ts";
import { defineToolSearch } from "./tool-search.ts";
import { toNameWords, toWords } from "./words.ts";

const CATALOGUE: readonly SearchableTool[] = [
  tool("getForecast", "The weather of the coming days.", ["will it rain", "dự báo thời tiết", "trời mưa không"]),
  tool("getTemperature", "The temperature at a place now.", ["how warm", "how cold", "nhiệt độ bao nhiêu"]),
  tool("findTrains", "Connections between two stations.", ["train timetable", "when does it leave", "giờ tàu chạy"]),
  tool("bookTrain", "Books a seat on a train.", ["buy a ticket", "reserve a seat", "đặt vé tàu"]),
  tool("findRecipes", "Recipes by what is in the kitchen.", ["what can I cook", "nấu món gì", "công thức nấu ăn"]),
  tool("convertUnits", "Converts lengths, weights and volumes.", ["miles in kilometres", "đổi đơn vị"]),
  tool("getWaR", "Words and rhymes.", ["poem", "thơ"]),
];

const NEEDS: readonly (readonly [query: string, name: string])[] = [
  ["is it going to rain tomorrow", "getForecast"],
  ["thoi tiet Ha Noi ngay mai", "getForecast"],
  ["dự báo thời tiết", "getForecast"],
  ["temperatures", "getTemperature"],
  ["nhiệt độ", "getTemperature"],
  ["timetables", "findTrains"],
  ["station connection", "findTrains"],
  ["gio tau chay", "findTrains"],
  ["reserving seats", "bookTrain"],
  ["I want to buy tickets", "bookTrain"],
  ["đặt vé", "bookTrain"],
  ["cooking", "findRecipes"],
  ["nau an", "findRecipes"],
  ["converting weight", "convertUnits"],
  ["booktrain", "bookTrain"],
  ["war", "getWaR"],
  ["CONVERTUNITS", "convertUnits"],
];

test("needs find their tool, in both languages, without accents, and with endings", () => {
  for (const [query, name] of NEEDS) assert.equal(openToolIndex(CATALOGUE)(query)[0]?.name, name, query);
});

test("what has nothing in common with a query is not found", () => {
  for (const query of ["", "   ", "?!", "the of and", "xylophone zebra", "là của cho"]) {
    assert.deepEqual(openToolIndex(CATALOGUE)(query), [], query);
  }
});

test("at most the wanted number is given, without the excluded ones", () => {
  const all = openToolIndex(CATALOGUE)("train station seat recipe weather");
  assert.ok(all.length > 3);
  assert.deepEqual(openToolIndex(CATALOGUE)("train station seat recipe weather", { topK: 2 }), all.slice(0, 2));
  const exclude = [all[0]?.name ?? ""];
  const names = openToolIndex(CATALOGUE)("train station seat recipe weather", { exclude }).map(({ name }) => name);
  assert.ok(!names.includes(exclude[0] ?? "") && names.length === all.length - 1);
});

test("the order depends on scores and names alone, not on the order of the catalogue", () => {
  const query = fc.array(fc.constantFrom("train", "rain", "seat", "tau", "cook", "weather", "find", "unit"), {
    maxLength: 5,
  });
  const order = fc.shuffledSubarray([...CATALOGUE], { minLength: CATALOGUE.length });
  fc.assert(
    fc.property(query, order, (words, shuffled) => {
      const names = (catalogue: readonly SearchableTool[]) =>
        openToolIndex(catalogue)(words.join(" ")).map(({ name }) => name);
      assert.deepEqual(names(shuffled), names(CATALOGUE));
    }),
  );
});

test("tools that fit equally well are in the order of their names", () => {
  const twins = ["b", "c", "a"].map((name) => tool(name, "Counts sheep.", ["sheep"]));
  assert.deepEqual(
    openToolIndex(twins)("sheep").map(({ name }) => name),
    ["a", "b", "c"],
  );
});

test("no query breaks the search, and scores fall", () => {
  const find = openToolIndex(CATALOGUE);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (query) => {
      const scores = find(query).map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((one, other) => other - one),
      );
      assert.ok(scores.every((score) => score > 0 && Number.isFinite(score)));
    }),
  );
});

test("a search takes time in proportion to the catalogue", () => {
  const words = Array.from({ length: 400 }, (_, index) => `w${(index * 7_919).toString(36)}`);
  assertLinear(60, (size) => {
    const many = Array.from({ length: size }, (_, index) =>
      tool(
        `t${index}`,
        words
          .slice(index % 300)
          .slice(0, 40)
          .join(" "),
        [],
      ),
    );
    const find = openToolIndex(many);
    return () => find("wabc unknown words qwertyuiop temprature");
  });
});

test("the tool gives names and descriptions as an agent with tool_search expects them", async () => {
  const search = defineToolSearch([...CATALOGUE, tool("tool_search", "Finds weather, trains and all.", ["weather"])]);
  assert.deepEqual([search.name, search.effect], ["tool_search", "read"]);
  const output = await callTool(search, { query: "weather", top_k: 3, exclude_tools: ["getTemperature"] });
  assert.deepEqual(output, { tools: [{ name: "getForecast", description: "The weather of the coming days." }] });
});

test("the tool's arguments are a query, at most 20 results and names to leave out", async () => {
  const search = defineToolSearch(CATALOGUE);
  const wrong = [
    {},
    { query: "" },
    { query: 1 },
    { query: "a", top_k: 21 },
    { query: "a", top_k: 0 },
    { query: "a", exclude_tools: "b" },
  ];
  for (const args of wrong) assert.ok((await refusedPaths(search, args)).length > 0, JSON.stringify(args));
  assert.deepEqual(await refusedPaths(search, { query: "a", top_k: 20, exclude_tools: ["b"] }), []);
});

test("words are folded, split and stemmed", () => {
  const stems = (text: string) => toWords(text).map(({ stem }) => stem);
  assert.deepEqual(stems("Đường ĐIỆN"), ["duong", "dien"]);
  assert.deepEqual(stems("ABC14 x-ray"), ["abc", "14", "x", "ray"]);
  for (const [one, other] of [
    ["prices", "price"],
    ["companies", "company"],
    ["planned", "plan"],
    ["comparing", "compare"],
    ["boxes", "box"],
    ["averages", "average"],
  ] as const) {
    assert.deepEqual(stems(one), stems(other), one);
  }
  assert.notDeepEqual(stems("news"), stems("knew"));
  assert.deepEqual(
    toNameWords("getLongName_of").map(({ text }) => text),
    ["get", "long", "name", "of"],
  );
});

function tool(name: string, description: string, phrases: readonly string[]): SearchableTool {
  return { name, description, phrases };
}
