/** Nearest entries of the bundled collections. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool, refusedPaths, toolOf } from "@baton/core/testing";
import { cosine, DIMENSIONS, embed } from "./embedding.ts";
import tools from "./tools.ts";

const call = (name: string, args = {}) => callTool(toolOf(tools, name), args);

const search = (collection_name: string, text: string) =>
  call("SearchCollection", { collection_name, query_vector: embed(text), limit: 1 });

test("a vector has length 1 and is the same for the same words in any order, case and number", () => {
  const vector = embed("store coffee beans");
  assert.equal(vector.length, DIMENSIONS);
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 0.01);
  assert.deepEqual(embed("The BEANS of a coffee: store!"), embed("bean coffee store"));
});

test("the cosine is 1 for one direction, −1 for the opposite, 0 for a right angle or no direction", () => {
  assert.equal(cosine([3, 4], [6, 8]), 1);
  assert.equal(cosine([3, 4], [-3, -4]), -1);
  assert.equal(cosine([1, 0], [0, 1]), 0);
  assert.equal(cosine([0, 0], [1, 1]), 0);
});

test("the nearest note is the one that shares the words", async () => {
  const expected = [
    ["coffee", "store coffee beans fresh", "c1"],
    ["coffee", "coffee tastes bitter", "c6"],
    ["coffee", "french press wait", "c3"],
    ["garden", "water tomatoes morning", "g1"],
    ["garden", "yellow leaves", "g6"],
    ["garden", "keep mint pot", "g5"],
  ] as const;
  for (const [collection, query, id] of expected) {
    assert.partialDeepStrictEqual(await search(collection, query), [{ id }], query);
  }
});

test("a vector of another length, an unknown vector and an unknown collection are refused", async () => {
  const tool = toolOf(tools, "SearchCollection");
  assert.deepEqual(await refusedPaths(tool, { collection_name: "coffee", query_vector: [1, 2] }), ["query_vector"]);
  await assert.rejects(call("SearchCollection", { collection_name: "coffee", query_vector: "1.9.9/vector" }), {
    kind: "validation",
    message: /there is no vector "1\.9\.9\/vector"/,
  });
  await assert.rejects(call("GetCollectionInfo", { collection_name: "cars" }), { message: /coffee, garden/ });
});

test("a text of filler words has no vector to search with", async () => {
  await assert.rejects(call("GenerateEmbedding", { text: "what is it?" }), { kind: "validation" });
});

test("nothing is found where nothing is near", async () => {
  const zeros = Array.from({ length: DIMENSIONS }, () => 0);
  assert.match(String(await call("SearchCollection", { collection_name: "coffee", query_vector: zeros })), /No note/);
});

test("collections are listed with their sizes", async () => {
  assert.partialDeepStrictEqual(await call("ListCollections"), [
    { name: "coffee", notes: 8 },
    { name: "garden", notes: 8 },
  ]);
  assert.partialDeepStrictEqual(await call("GetCollectionInfo", { collection_name: "garden" }), {
    dimensions: DIMENSIONS,
    distance: "cosine",
  });
});
