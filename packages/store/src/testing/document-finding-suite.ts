/**
 * Document finding suite: what a database promises of lists, searches and nearest vectors.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Document, DocumentQuery, Documents } from "@baton/core/ports";
import { countMatches, toWordQuery, toWords } from "../documents/folded-text.ts";
import { ANN, type OpenPair } from "./database-pair.ts";

/** The same random documents and queries every time. */
const SEEDED = { seed: 13, numRuns: 25 };

/** Tests what is promised of finding documents. */
export function testFinding(open: OpenPair): void {
  testListing(open);
  testPages(open);
  testSearch(open);
  testNearest(open);
}

const idsOf = (documents: readonly Document[]): readonly string[] => documents.map(({ id }) => id);

function testListing(open: OpenPair): void {
  test("a list holds the documents with all the values asked for, in the order asked for", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    await documents.putAll("alerts", [
      { id: "a", data: 1, index: { symbol: "NVDA", level: 10, state: "on" } },
      { id: "b", data: 1, index: { symbol: "AAPL", level: 9, state: "on" } },
      { id: "c", data: 1, index: { symbol: "NVDA", level: -2.5, state: "off" } },
      { id: "d", data: 1, index: { symbol: "NVDA", level: 9 } },
      { id: "e", data: 1 },
    ]);
    await documents.put("others", { id: "x", data: 1, index: { symbol: "NVDA", level: 1 } });
    const cases: readonly [DocumentQuery, string][] = [
      [{}, "abcde"],
      [{ order: "descending" }, "edcba"],
      [{ where: { symbol: "NVDA" } }, "acd"],
      [{ where: { symbol: "NVDA" }, order: "descending" }, "dca"],
      [{ where: { symbol: "NVDA", state: "on" } }, "a"],
      [{ where: { symbol: "nvda" } }, ""],
      [{ where: { level: 9 } }, "bd"],
      [{ where: { level: "9" } }, ""],
      [{ where: { unknown: 1 } }, ""],
      [{ orderBy: "level" }, "cbda"],
      [{ orderBy: "level", order: "descending" }, "adbc"],
      [{ orderBy: "level", where: { symbol: "NVDA" } }, "cda"],
      [{ orderBy: "symbol", where: { state: "on" } }, "ba"],
      [{ orderBy: "symbol", where: { symbol: "NVDA", state: "off" } }, "c"],
      [{ orderBy: "level", limit: 2 }, "cb"],
    ];
    for (const [query, ids] of cases) {
      const { documents: found } = await pair.second.documents(ANN).list("alerts", query);
      assert.equal(idsOf(found).join(""), ids, JSON.stringify(query));
    }
  });

  test("values are in the order of numbers, then of texts by their code points", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const values = [
      -1e300,
      -2,
      -1.5,
      0,
      5e-324,
      1,
      2,
      10,
      2 ** 53,
      1e300,
      "",
      "10",
      "9",
      "A",
      "B",
      "a",
      "z",
      "é",
      "日",
      "\uFFFD",
      "🎼",
    ];
    const written = values.map((value, index) => ({ id: `${index}`, data: value, index: { value } }));
    await documents.putAll("values", written.toReversed());
    const { documents: found } = await documents.list("values", { orderBy: "value" });
    assert.deepEqual(
      found.map(({ data }) => data),
      values,
    );
    await documents.put("values", { id: "3", data: "zero", index: { value: -0 } });
    assert.deepEqual(idsOf((await documents.list("values", { where: { value: 0 } })).documents), ["3"]);
  });
}

function testPages(open: OpenPair): void {
  const readAll = async (documents: Documents, query: DocumentQuery): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let after: string | undefined; ids.length < 100;) {
      const page = await documents.list("many", { ...query, limit: 3, ...(after === undefined ? {} : { after }) });
      ids.push(...idsOf(page.documents));
      assert.ok(page.documents.length <= 3);
      if (page.next === undefined) return ids;
      after = page.next;
    }
    return ids;
  };

  test("pages one after the other hold each document once, in the order of the list", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const many = Array.from({ length: 12 }, (_, n) => ({
      id: `d${n % 2}/${n}`,
      data: n,
      index: { group: n % 3, name: `n${n % 4}`, all: 1 },
    }));
    await documents.putAll("many", many);
    const queries: readonly DocumentQuery[] = [
      {},
      { orderBy: "group" },
      { orderBy: "name", order: "descending" },
      { where: { all: 1 } },
      { where: { group: 1 }, orderBy: "name" },
      { where: { all: 1 }, order: "descending" },
    ];
    for (const query of queries) {
      const { documents: whole, next } = await documents.list("many", query);
      assert.equal(next, undefined);
      assert.deepEqual(await readAll(documents, query), idsOf(whole), JSON.stringify(query));
    }
  });

  test("a page continues where the last one ended, though that document is gone or has moved", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    await documents.putAll(
      "many",
      ["a", "b", "c", "d"].map((id, rank) => ({ id, data: 1, index: { rank } })),
    );
    for (const query of [{ limit: 2 }, { limit: 2, orderBy: "rank" }]) {
      const { next = "" } = await documents.list("many", query);
      const kept = await documents.get("many", "b");
      await documents.delete("many", "b");
      assert.deepEqual(idsOf((await documents.list("many", { ...query, after: next })).documents), ["c", "d"]);
      await documents.put("many", { id: "b", data: 1, index: { rank: 9 } });
      const { documents: rest } = await documents.list("many", { ...query, after: next });
      assert.deepEqual(idsOf(rest).slice(0, 2), ["c", "d"]);
      await documents.put("many", { id: "b", data: 1, ...(kept?.index && { index: kept.index }) });
    }
  });
}

function testSearch(open: OpenPair): void {
  test("a search finds texts with all words, the last as a prefix, whatever the case and marks", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const texts = {
      dong: "Tỷ giá đồng Việt Nam hôm nay",
      fed: "The Fed's rate: 5.25–5.50 %, FEDFUNDS_RATE",
      file: "NVIDIA 10-K (2024) — Straße, ΟΔΟΣ, 日本語 テスト 🎼 naïve",
      none: "",
    };
    await documents.putAll(
      "notes",
      Object.entries(texts).map(([id, text]) => ({ id, data: 1, text })),
    );
    const cases: readonly [text: string, ids: string][] = [
      ["ĐỒNG viet", "dong"],
      ["dong vie", "dong"],
      ["don viet", ""],
      ["viet dong", "dong"],
      ["fed", "fed"],
      ["fed rate 5", "fed"],
      ["fedfunds ra", "fed"],
      ["nvidia 10 k", "file"],
      ["nvidia -10", "file"],
      ["οδοσ", "file"],
      ["ΟΔΟς naive", "file"],
      ["日本", "file"],
      ["straß", "file"],
      ["", ""],
      ["  …!  ", ""],
      ['" OR "x* NOT (', ""],
      ["' | !a & :*", ""],
      ["AND", ""],
    ];
    for (const [text, ids] of cases)
      assert.equal(idsOf(await pair.second.documents(ANN).search("notes", { text })).join(" "), ids, text);
  });

  test("texts that have a word more often, or little else, come first", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const filler = "one two three four five six seven eight nine ten eleven twelve ";
    await documents.putAll("notes", [
      { id: "once-long", data: 1, text: `${filler}gold ${filler}${filler}` },
      { id: "often", data: 1, text: `gold gold ${filler}gold` },
      { id: "short", data: 1, text: "gold price" },
      { id: "never", data: 1, text: filler },
    ]);
    const found = idsOf(await documents.search("notes", { text: "gold" }));
    assert.equal(found.length, 3);
    assert.equal(found.at(-1), "once-long");
    assert.deepEqual(idsOf(await documents.search("notes", { text: "gold", limit: 2 })), found.slice(0, 2));
  });

  test("of very many texts that match, the newest are found, and the best of them come first", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    await documents.put("notes", { id: "oldest", data: 1, text: "gold" });
    const many = Array.from({ length: 2_000 }, (_, n) => ({
      id: `${n}`,
      data: 1,
      text: n === 7 ? "gold" : "gold and more",
    }));
    await documents.putAll("notes", many);
    const found = idsOf(await documents.search("notes", { text: "gold", limit: 1_000 }));
    assert.equal(found.length, 1_000);
    assert.equal(found[0], "7");
    assert.ok(!found.includes("oldest"));
    await documents.put("notes", { id: "oldest", data: 1, text: "gold" });
    assert.deepEqual(idsOf(await documents.search("notes", { text: "gold", limit: 2 })).toSorted(), ["7", "oldest"]);
  });

  test("random searches find exactly the texts that match", async () => {
    await using pair = await open();
    const words = fc.constantFrom("a", "ab", "abc", "b", "Đá", "da", "ĐẠI", "dai", "10", "1", "Σ", "σας", "日本", "日");
    const glue = fc.constantFrom(" ", "-", "_", ". ", "'", "\u0000", " OR ", "\u0301 ");
    const text = fc.array(fc.tuple(words, glue), { maxLength: 6 }).map((parts) => parts.flat().join(""));
    let count = 0;
    const property = fc.asyncProperty(
      fc.array(text, { maxLength: 8 }),
      fc.array(text, { maxLength: 6 }),
      async (texts, queries) => {
        const documents = pair.first.documents({ tenant: "t", user: `u${++count}` });
        await documents.putAll(
          "notes",
          texts.map((one, id) => ({ id: `${id}`, data: one, text: one })),
        );
        for (const query of queries) {
          for (const match of ["all", "any"] as const) {
            const wanted = toWordQuery(query, match);
            const matching = texts.flatMap((one, id) =>
              wanted !== undefined && countMatches(toWords(one), wanted) !== undefined ? [`${id}`] : [],
            );
            const found = await documents.search("notes", { text: query, match });
            assert.deepEqual(idsOf(found).toSorted(), matching, query);
          }
        }
      },
    );
    await fc.assert(property, SEEDED);
  });
}

function testNearest(open: OpenPair): void {
  test("the nearest vectors come first, whatever their length, and only those with as many dimensions", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    await documents.putAll("facts", [
      { id: "east", data: 1, vector: [100, 0, 0] },
      { id: "north", data: 1, vector: new Float32Array([0, 0.001, 0]) },
      { id: "north-east", data: 1, vector: [1, 1, 0] },
      { id: "west", data: 1, vector: [-1, 0, 0] },
      { id: "flat", data: 1, vector: [1, 0] },
      { id: "none", data: 1 },
    ]);
    const near = await pair.second.documents(ANN).nearest("facts", { vector: [2, 0.5, 0] });
    assert.deepEqual(idsOf(near), ["east", "north-east", "north", "west"]);
    const cosines = [2, 2.5 / Math.SQRT2, 0.5, -2].map((value) => (value / Math.hypot(2, 0.5)).toFixed(3));
    assert.deepEqual(
      near.map(({ similarity }) => similarity.toFixed(3)),
      cosines,
    );
    const two = await documents.nearest("facts", { vector: new Float32Array([0, 1, 0]), limit: 2 });
    assert.deepEqual(idsOf(two), ["north", "north-east"]);
    assert.equal(two[0]?.similarity, 1);
    assert.deepEqual(await documents.nearest("empty", { vector: [1] }), []);
  });

  test("the nearest of thousands are those that a comparison of all gives", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const vectors = new Map(
      Array.from({ length: 2_500 }, (_, n) => [`${n}`, [Math.sin(n), Math.cos(n * 1.7), Math.sin(n * 0.3)]]),
    );
    await documents.putAll(
      "facts",
      Array.from(vectors, ([id, vector]) => ({ id, data: 1, vector })),
    );
    const query = [0.3, -0.8, 0.5];
    const cosine = (vector: readonly number[]) =>
      vector.reduce((sum, part, index) => sum + part * (query[index] ?? 0), 0) /
      (Math.hypot(...vector) * Math.hypot(...query));
    const best = [...vectors].toSorted(([, one], [, other]) => cosine(other) - cosine(one)).slice(0, 20);
    assert.deepEqual(
      idsOf(await documents.nearest("facts", { vector: query, limit: 20 })),
      best.map(([id]) => id),
    );
    // Each is compared once, also those at the ends of pages.
    const many = idsOf(await documents.nearest("facts", { vector: vectors.get("999") ?? query, limit: 1_000 }));
    assert.equal(new Set(many).size, 1_000);
  });
}
