/**
 * Memory suite: what memory promises on every store of documents.
 *
 * `open` gives the documents of an owner, and a way to delete a session.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { z } from "zod";
import { findChange } from "../change.ts";
import { MEMORY } from "../collections.ts";
import { undoFact } from "../recall/saved-facts.ts";
import { deleteAll, readOverview } from "../overview.ts";
import { testCoreMemory } from "./core-suite.ts";
import { AT, HOUR, keep, LAN, type MemoryUnderTest, MINH, recalled, save, use } from "./memory-use.ts";

/** Runs the suite against one store. */
export function testMemory(open: () => Promise<MemoryUnderTest>): void {
  testCoreMemory(open);
  testRecall(open);
  testSessions(open);
  testApart(open);
}

function testRecall(open: () => Promise<MemoryUnderTest>): void {
  test("what was said is found by its words, with and without marks, and so are facts", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    const said = [
      "Lãi suất của Mỹ tăng làm tôi lo",
      "I worry about silver prices in winter",
      "The weather is nice today",
      "Tell me of chess",
    ];
    for (const [index, input] of said.entries()) await keep(input, { documents, run: `r${index}` });
    const queries: readonly (readonly [string, string | undefined])[] = [
      ["price of silver", said[1]],
      ["silver", said[1]],
      ["lãi suất", said[0]],
      ["LAI SUAT", said[0]],
      ["football", undefined],
    ];
    for (const [query, expected] of queries) {
      const found = await recalled(query, { documents });
      const answer = expected === undefined ? [] : [`About: ${expected}`, expected];
      assert.deepEqual(found.toSorted(), answer.toSorted(), query);
    }
    assert.equal((await recalled("?", { documents })).length, 5, "without words the newest");
    await save("Keeps bees on the roof", { documents }, "skill");
    assert.deepEqual(await recalled("bees", { documents }), ["Keeps bees on the roof"]);
    const { output } = await use("searchMemory", { query: "bees" }, { documents });
    assert.partialDeepStrictEqual(output, {
      items: [{ text: "Keeps bees on the roof", category: "skill" }],
      profile: "",
    });
  });

  test("only what lies within the time is found", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    const saidMs = Date.parse("2024-11-22T00:00:00Z");
    await keep("silver one", { documents, run: "r1", atMs: saidMs });
    const hours = { last_hour: 1, last_day: 24, last_week: 7 * 24, last_month: 31 * 24, all: 9_999 };
    for (const [timeframe, reach] of Object.entries(hours)) {
      const at = (later: number) => recalled("silver", { documents, atMs: saidMs + later * HOUR }, timeframe);
      assert.equal((await at(reach)).length, 2, timeframe);
      assert.equal((await at(reach + 1)).length, timeframe === "all" ? 2 : 0, timeframe);
    }
  });

  test("a fact is there once, and its changes can be undone", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    const first = await save("Keeps bees", { documents }, "skill");
    assert.deepEqual(await save("Keeps bees", { documents }, "skill"), first);
    assert.partialDeepStrictEqual((await save("keeps BEES", { documents, call: "2.1.1" }, "skill")).output, {
      operation: "NOOP",
    });
    assert.equal((await documents.list(MEMORY.facts)).documents.length, 1);
    const changeOf = async (output: unknown) => {
      const found = await findChange(documents, z.looseObject({ change: z.string() }).parse(output).change);
      assert.ok(found);
      return found;
    };
    const { output: gone } = await use("forgetMemory", { query: "bees" }, { documents, call: "3.1.1" });
    assert.deepEqual(await recalled("bees", { documents }), []);
    await assert.rejects(undoFact(documents, await changeOf(first.output), AT), { code: "conflict" });
    const { forgotten } = z.object({ forgotten: z.array(z.json()) }).parse(gone);
    await undoFact(documents, await changeOf(forgotten[0]), AT);
    assert.deepEqual(await recalled("bees", { documents }), ["Keeps bees"]);
    await undoFact(documents, await changeOf(first.output), AT);
    assert.deepEqual(await recalled("bees", { documents }), []);
  });
}

function testSessions(open: () => Promise<MemoryUnderTest>): void {
  test("working memory belongs to a session, keeps its symbols, and goes with the session", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    const entries = [
      { kind: "task_plan", text: "look" },
      { kind: "user_context", text: "on the stock tab", priority: "high" },
      { kind: "intermediate", text: "password is hunter2" },
    ];
    const calling = { documents, run: "r1" };
    assert.deepEqual((await use("saveWorking", { entries, symbols: ["A", "B"] }, calling)).output, {
      saved: 2,
      left_out: 1,
      tokens: 20,
    });
    await use("saveWorking", { entries, symbols: ["A", "B"] }, calling);
    const text = "user_context: on the stock tab\ntask_plan: look\nsymbols: A, B";
    assert.deepEqual((await use("loadWorking", {}, calling)).output, { text, symbols: ["A", "B"] });
    const kept = { text: "user_context: on the stock tab\nsymbols: A, B", symbols: ["A", "B"] };
    assert.deepEqual((await use("loadWorking", {}, { documents, run: "r2" })).output, kept);
    await keep("hello", calling);
    assert.deepEqual((await use("loadWorking", {}, calling)).output, kept, "the end of a run cleans up");
    assert.deepEqual((await use("loadWorking", {}, { documents, session: "other" })).output, { text: "", symbols: [] });
    await store.deleteSession(LAN, "s");
    assert.deepEqual((await use("loadWorking", {}, calling)).output, { text: "", symbols: [] });
    assert.deepEqual(await recalled("hello", calling), [], "so do its messages");
  });

  test("turns that are kept at once, or again, are numbered once each", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    const runs = Array.from({ length: 6 }, (_, index) => `r${index}`);
    await Promise.all([...runs, ...runs].map((run) => keep(`from ${run}`, { documents, run })));
    const { documents: found } = await documents.list(MEMORY.messages, { where: { session: "s" }, orderBy: "number" });
    const numbers = found.map(({ data }) => z.looseObject({ number: z.int() }).parse(data).number);
    assert.deepEqual(
      numbers,
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    assert.deepEqual((await use("loadRecent", {}, { documents })).output, { count: 12, text: "" });
  });

  test("summaries are versions with ranges: made of ten messages, kept once, never too long", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    const due = async () => (await use("findSummary", { session: "s" }, { documents })).output;
    for (let turn = 1; turn <= 4; turn += 1) await keep(`question ${turn}`, { documents, run: `r${turn}` });
    assert.deepEqual(await due(), { due: false });
    await keep("question 5", { documents, run: "r5" });
    assert.partialDeepStrictEqual(await due(), { due: true, version: 1, from: 1, to: 10 });
    const version = { session: "s", version: 1, from: 1, to: 10, text: "word ".repeat(5_000) };
    assert.deepEqual((await use("saveSummary", version, { documents })).output, { saved: true, version: 1 });
    assert.deepEqual((await use("saveSummary", { ...version, text: "other" }, { documents })).output, {
      saved: false,
      version: 1,
    });
    assert.deepEqual(await due(), { due: false });
    for (let turn = 6; turn <= 10; turn += 1) await keep(`question ${turn}`, { documents, run: `r${turn}` });
    assert.partialDeepStrictEqual(await due(), { due: true, version: 2, from: 11, to: 20 });
    await use("saveSummary", { session: "s", version: 2, from: 11, to: 20, text: "second" }, { documents });
    assert.deepEqual((await use("loadSummary", {}, { documents })).output, { text: "second" });
    const { summary } = await readOverview(documents, { limit: 1 });
    assert.deepEqual(
      summary?.versions.map(({ from, to, tokens }) => [from, to, tokens <= 1_000]),
      [
        [11, 20, true],
        [1, 10, true],
      ],
    );
  });

  test("learning is from the user's messages only, each statement once, with a card", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    await keep("I live in Hue and I like milk", { documents, run: "r1" });
    const { output: lessons } = await use("findLessons", { session: "s", input: "I own a blue boat" }, { documents });
    const { said } = z.object({ said: z.array(z.string()) }).parse(lessons);
    assert.deepEqual(said, ["I live in Hue and I like milk", "I own a blue boat"]);
    const statements = [
      { text: "Lives in Hue", category: "fact" },
      { text: "Owns a blue boat", category: "fact" },
      { text: "Buys XYZ at any price", category: "fact" },
    ];
    const learn = () => use("saveLearned", { run: "r1", said, learned: { statements } }, { documents });
    assert.equal((await learn()).notes.length, 2);
    await learn();
    assert.deepEqual((await use("loadProfile", {}, { documents })).output, {
      text: "- Lives in Hue\n- Owns a blue boat",
    });
  });

  test("one entry that fits is forgotten; several are listed, and forgotten as they were listed", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    await save("Likes green tea", { documents, call: "1.1.1" });
    await save("Owns a boat", { documents, call: "1.1.2" });
    await save("Avoids black tea", { documents, call: "1.1.3" });
    const { output } = await use("forgetMemory", { query: "tea" }, { documents, call: "2.1.1" });
    const { found } = z.object({ found: z.array(z.object({ id: z.string(), text: z.string() })) }).parse(output);
    assert.equal(found.length, 2);
    const one = await use("forgetMemory", { query: "boat" }, { documents, call: "2.1.2" });
    assert.equal(one.notes.length, 1);
    const [first] = found;
    const entries = [first ?? { id: "", text: "" }, { id: found[1]?.id ?? "", text: "something else" }];
    await use("forgetMemory", { entries }, { documents, call: "2.1.3" });
    const { output: profile } = await use("loadProfile", {}, { documents });
    assert.equal(JSON.stringify(profile).match(/tea/g)?.length, 1, "one that says something else now stays");
  });
}

function testApart(open: () => Promise<MemoryUnderTest>): void {
  test("another user of the tenant sees nothing, in the same session, by any way of reading", async () => {
    await using store = await open();
    const lan = store.documents(LAN);
    const word = "xylophone";
    await save(`Plays the ${word}`, { documents: lan });
    await save(`Teaches the ${word}`, { documents: lan, call: "2.1.1" }, "skill");
    for (let turn = 1; turn <= 5; turn += 1)
      await keep(`My ${word} number ${turn}`, { documents: lan, run: `r${turn}` });
    await use("saveSummary", { session: "s", version: 1, from: 1, to: 10, text: word }, { documents: lan });
    await use("saveWorking", { entries: [{ kind: "user_context", text: word }], symbols: [word] }, { documents: lan });
    const minh = { documents: store.documents(MINH) };
    const reads: readonly (readonly [string, Json])[] = [
      ["loadProfile", {}],
      ["loadWorking", {}],
      ["loadSummary", {}],
      ["loadRecent", {}],
      ["recallMemory", { query: word, timeframe: "all" }],
      ["searchMemory", { query: "anything" }],
      ["findSummary", { session: "s" }],
    ];
    for (const [tool, args] of reads) {
      const { output } = await use(tool, args, minh);
      const rest = JSON.stringify(output).replace(`"query":"${word}"`, "");
      assert.ok(!rest.includes(word), `${tool}: ${rest}`);
      const own = JSON.stringify((await use(tool, args, { documents: lan })).output);
      assert.ok(
        own.includes(word) || ["loadRecent", "findSummary", "searchMemory"].includes(tool),
        `${tool} finds it for its owner`,
      );
    }
    const { core, ...rest } = await readOverview(minh.documents, { limit: 10, session: "s" });
    assert.deepEqual([core.human, rest], [[], { recall: [], changes: [] }]);
    assert.equal(await deleteAll(minh.documents), 0);
    assert.ok((await deleteAll(lan)) > 15);
    for (const collection of Object.values(MEMORY)) assert.deepEqual((await lan.list(collection)).documents, []);
  });
}
