/** Documents with embeddings are found by meaning beside words, and by words alone if embeddings fail. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { withDocumentLayers } from "../documents/document-layer.ts";
import { toWords } from "../documents/folded-text.ts";
import { SharedMemory } from "../sqlite/memory.ts";
import { ANN, type DatabasePair } from "../testing/database-pair.ts";
import { countRows } from "../testing/shared-memory.ts";
import { testFinding } from "../testing/document-finding-suite.ts";
import { testLifetimes } from "../testing/document-lifetime-suite.ts";
import { testDocuments } from "../testing/document-suite.ts";
import { type Embed, joinByRank, tryEmbed, type TryEmbed, withEmbeddings } from "./with-embeddings.ts";

/** Words with one meaning are one dimension. */
const MEANINGS: readonly (readonly string[])[] = [
  ["car", "automobile", "xe"],
  ["price", "cost", "gia"],
  ["dog", "puppy"],
];

const meaningOf = (text: string): Float32Array => {
  const words = toWords(text);
  const parts = MEANINGS.map((same) => words.filter((word) => same.includes(word)).length);
  return Float32Array.from([...parts, 0.05]);
};

const embedByMeaning: Embed = async (texts) => texts.map(meaningOf);

function openPair(embed: TryEmbed): DatabasePair {
  const clock = new SimulatedClock(1);
  const data = new SharedMemory({ now: () => clock.now() });
  const openOne = () =>
    withDocumentLayers(data.open(), { wrap: (documents) => withEmbeddings(documents, embed), layers: [] });
  return {
    first: openOne(),
    second: openOne(),
    pass: (ms) => clock.advance(ms),
    now: () => clock.now(),
    countRequests: async () => countRows(data, "requests"),
    countDocuments: async () => countRows(data, "documents"),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Vectors in which no text is like another: then a search is full text. */
const UNLIKE: TryEmbed = async (texts, purpose) =>
  texts.map(() => Float32Array.from(purpose === "query" ? [1, 0, 0, 0, 0] : [0, 1, 0, 0, 0]));

for (const [name, embed] of [
  ["without embeddings now", async () => undefined],
  ["in which no text is like another", UNLIKE],
] as const) {
  describe(`documents with embeddings (${name}) are documents`, { timeout: 60_000 }, () => {
    testDocuments(async () => openPair(embed));
    testLifetimes(async () => openPair(embed));
    testFinding(async () => openPair(embed));
  });
}

const idsOf = (documents: readonly { readonly id: string }[]) => documents.map(({ id }) => id);

test("a search finds what means the same beside what has the words, the best of both first", async () => {
  const { first } = openPair(tryEmbed(embedByMeaning));
  const documents = first.documents(ANN);
  await documents.putAll("notes", [
    { id: "words", data: 1, text: "the word car, once among many others that say nothing" },
    { id: "both", data: 1, text: "car cost" },
    { id: "meaning", data: 1, text: "an automobile" },
    { id: "dog", data: 1, text: "a puppy" },
    { id: "given", data: 1, text: "a car", vector: [0, 0, 1, 0] },
    { id: "none", data: 1 },
  ]);
  const found = await documents.search("notes", { text: "car" });
  assert.deepEqual(idsOf(found).toSorted(), ["both", "given", "meaning", "words"]);
  assert.ok(idsOf(found).indexOf("words") < idsOf(found).indexOf("given"));
  assert.deepEqual(Object.keys(found[0] ?? {}).toSorted(), ["collection", "data", "id", "updatedAt", "version"]);
  assert.deepEqual(idsOf(await documents.search("notes", { text: "Xe" })).toSorted(), ["both", "meaning", "words"]);
  assert.equal((await documents.search("notes", { text: "car", limit: 2 })).length, 2);
  assert.deepEqual(await documents.search("notes", { text: "…" }), []);
  await assert.rejects(documents.search("notes", { text: "car", limit: 0 }), { code: "invalid" });
  await assert.rejects(documents.search("notes", { text: "car ".repeat(33) }), { code: "invalid" });
});

test("texts get their vectors in one request, and only those that need one", async () => {
  const asked: string[] = [];
  const embed: TryEmbed = async (texts, purpose) => {
    asked.push(`${purpose}: ${texts.join(" | ")}`);
    return texts.map(meaningOf);
  };
  const documents = openPair(embed).first.documents(ANN);
  await documents.putAll("notes", [
    { id: "a", data: 1, text: "car" },
    { id: "b", data: 1 },
    { id: "c", data: 1, text: " … " },
    { id: "d", data: 1, text: "dog", vector: [1, 0] },
    { id: "e", data: 1, text: "dog" },
  ]);
  await documents.put("notes", { id: "f", data: 1 });
  await documents.search("notes", { text: "xe" });
  await documents.search("notes", { text: "!" });
  assert.deepEqual(asked, ["document: car | dog", "query: xe"]);
  const near = await documents.nearest("notes", { vector: [1, 0, 0, 0], limit: 1 });
  assert.deepEqual(idsOf(near), ["a"]);
});

test("if embeddings fail, documents are kept and found by words, with one warning for each outage, and asked for again later", async () => {
  const warnings: string[] = [];
  const clock = new SimulatedClock(1);
  let asked = 0;
  let isDown = true;
  const embed: Embed = async (texts) => {
    asked++;
    if (isDown) throw new Error("openai/m: too many requests");
    return texts.map(meaningOf);
  };
  const { first } = openPair(tryEmbed(embed, { clock, warn: (text) => warnings.push(text) }));
  const documents = first.documents(ANN);
  await documents.put("notes", { id: "a", data: 1, text: "car" });
  assert.deepEqual(idsOf(await documents.search("notes", { text: "car" })), ["a"]);
  assert.deepEqual(idsOf(await documents.search("notes", { text: "xe" })), []);
  assert.equal(asked, 1);
  await clock.advance(5_000);
  await documents.search("notes", { text: "car" });
  assert.equal(asked, 2);
  assert.deepEqual(warnings, [
    "openai/m: too many requests; documents are kept and found by their words alone until there are embeddings again",
  ]);
  isDown = false;
  await clock.advance(5_000);
  await documents.put("notes", { id: "a", data: 1, text: "car" });
  assert.deepEqual(idsOf(await documents.search("notes", { text: "xe" })), ["a"]);
  assert.equal(warnings.length, 1);
  isDown = true;
  assert.deepEqual(idsOf(await documents.search("notes", { text: "car" })), ["a"]);
  assert.equal(warnings.length, 2);
});

test("embeddings that take too long, or are too few, are done without", async () => {
  const clock = new SimulatedClock(1);
  const warnings: string[] = [];
  const aborts: AbortSignal[] = [];
  const slow: Embed = (_texts, { abort }) => {
    if (abort !== undefined) aborts.push(abort);
    return new Promise(() => {});
  };
  const waiting = tryEmbed(slow, { clock, timeoutMs: 500, warn: (text) => warnings.push(text) })(["a"], "query");
  await clock.advance(500);
  assert.equal(await waiting, undefined);
  assert.equal(aborts[0]?.aborted, true);
  assert.match(warnings.join(), /no embeddings within 500 ms/);
  assert.equal(await tryEmbed(async () => [], { clock })(["a"], "query"), undefined);
  assert.equal(clock.pending, 0);
});

test("lists are joined by reciprocal rank", () => {
  const toDocuments = (ids: string) =>
    Array.from(ids, (id) => ({ id, collection: "c", version: 1, data: 1, updatedAt: 1 }));
  const join = (...lists: readonly string[]) => idsOf(joinByRank(lists.map(toDocuments))).join("");
  assert.equal(join("abc", ""), "abc");
  assert.equal(join("abc", "cd"), "cabd");
  assert.equal(join("ab", "ba"), "ab");
  assert.equal(join("abcd", "xd"), "daxbc");
});
