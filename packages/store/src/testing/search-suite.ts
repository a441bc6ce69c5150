/**
 * Search suite: what a database promises of finding runs by their texts, of feedback, and of edited sessions.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../database.ts";
import type { RunRecord, SessionRecord } from "../record.ts";
import { ANN, hold, type OpenPair, recordOf } from "./database-pair.ts";

/** Tests what is promised of searches, feedback and edited sessions. */
export function testSearch(open: OpenPair): void {
  testWords(open);
  testFeedback(open);
  testEdits(open);
}

const SESSION: SessionRecord = { id: "s", ...ANN, title: "Cheap flights", createdAt: 1, updatedAt: 1 };

const RUNS: readonly (readonly [RunRecord, string?])[] = [
  [recordOf("a", { createdAt: 1, input: "Giá vàng hôm nay?", session: "s" }), "Vàng miếng SJC giảm."],
  [
    recordOf("b", {
      createdAt: 2,
      input: "Price of gold",
      agent: "desk",
      agents: [{ name: "Market Analyst", turns: 1, errors: 0, tokens: 1, costUsd: 0 }],
      tools: [{ name: "getQuote", calls: 1, errors: 0, ms: 1 }],
      requestId: "checkout-77",
      error: { code: "model", message: "the provider is overloaded" },
    }),
    "Gold costs 2,650 dollars.",
  ],
  [recordOf("c", { createdAt: 3, input: "gold of the price", tenant: "u" }), ""],
];

async function write(database: Database): Promise<void> {
  const claim = await hold(database, "run:writing", "writer");
  await database.commit([{ claim, session: SESSION }]);
  for (const [run, answer] of RUNS) {
    await database.commit([{ claim, run, creates: true }]);
    const ended: RunRecord = { ...run, status: "ended", outcome: "done" };
    await database.commit([{ claim, run: ended, ...(answer === undefined ? {} : { answer }) }]);
  }
}

function testWords(open: OpenPair): void {
  test("runs are found by every word, in any order and field, and each says where", async () => {
    await using pair = await open();
    await write(pair.first);
    const cases: readonly [text: string, found: Readonly<Record<string, readonly string[]>>][] = [
      ["GOLD price", { c: ["input"], b: ["input", "answer"] }],
      ["gia vang", { a: ["input", "answer"] }],
      ["VÀNG miếng", { a: ["input", "answer"] }],
      ["dollars pri", { b: ["input", "answer"] }],
      ["pri dollars", {}],
      ['"price of gold"', { b: ["input"] }],
      ['"of gold"', { b: ["input"] }],
      ['"of gol', { b: ["input"] }],
      ['"gold gold"', {}],
      ["market getq", { b: ["agent", "tool"] }],
      ["checkout-77", { b: ["request_id"] }],
      ["overloaded", { b: ["error"] }],
      ["flights vang", { a: ["input", "answer", "title"] }],
      ["2,650", { b: ["answer"] }],
      ["%", {}],
      ["' OR 1=1 --", {}],
      ['"""', {}],
      ["", {}],
    ];
    for (const [text, expected] of cases) {
      const found = await pair.second.runs.list({ text });
      assert.deepEqual(Object.fromEntries(found.map(({ id, matched }) => [id, matched])), expected, text);
    }
    const ids = async (filter: object) =>
      (await pair.second.runs.list({ text: "gold", ...filter })).map(({ id }) => id);
    assert.deepEqual(await ids({}), ["c", "b"]);
    assert.deepEqual(await ids({ limit: 1 }), ["c"]);
    assert.deepEqual(await ids({ before: "c" }), ["b"]);
    assert.deepEqual(await ids({ tenant: "t" }), ["b"]);
    assert.deepEqual(await ids({ status: "paused" }), []);
    await pair.first.runs.delete("b");
    assert.deepEqual(await ids({}), ["c"]);
    await assert.rejects(pair.second.runs.list({ text: "a ".repeat(33) }), { code: "invalid" });
  });
}

function testFeedback(open: OpenPair): void {
  test("each user judges a run once, and runs are found by that", async () => {
    await using pair = await open();
    await write(pair.first);
    const bob = { ...ANN, user: "bob" };
    const { feedback, runs } = pair.first;
    assert.equal(await feedback.save("a", { ...ANN, rating: "down", comment: "no 'source' \u0000", at: 1 }), true);
    assert.equal(await feedback.save("a", { ...bob, rating: "up", at: 2 }), true);
    assert.equal(await feedback.save("a", { ...ANN, rating: "up", at: 3 }), true);
    assert.equal(await feedback.save("b", { ...ANN, rating: "down", comment: "wrong", at: 4 }), true);
    assert.equal(await feedback.save("nobody", { ...ANN, rating: "down", at: 4 }), false);
    const kept = await pair.second.feedback.list(["a", "b", "c"]);
    assert.deepEqual(kept.get("a"), [
      { ...bob, rating: "up", at: 2 },
      { ...ANN, rating: "up", at: 3 },
    ]);
    assert.deepEqual(kept.get("b"), [{ ...ANN, rating: "down", comment: "wrong", at: 4 }]);
    const ids = async (rating: "up" | "down" | "any" | "none") =>
      (await pair.second.runs.list({ feedback: rating })).map(({ id }) => id);
    assert.deepEqual(await Promise.all([ids("up"), ids("down"), ids("any"), ids("none")]), [
      ["a"],
      ["b"],
      ["b", "a"],
      ["c"],
    ]);
    assert.equal(await feedback.delete("b", ANN), true);
    assert.equal(await feedback.delete("b", ANN), false);
    await runs.delete("a");
    assert.equal((await pair.second.feedback.list(["a", "b"])).size, 0);
  });
}

function testEdits(open: OpenPair): void {
  test("a person names and pins a session, and what a run writes later leaves that as it is", async () => {
    await using pair = await open();
    await write(pair.first);
    const claim = { key: "run:writing", owner: "writer", number: 1 };
    const other = { ...SESSION, id: "t", updatedAt: 5 };
    await pair.first.commit([{ claim, session: other }]);
    const { sessions, runs } = pair.second;
    const given = await sessions.edit(ANN, "s", { title: "Vàng ở Hà Nội", pinned: true });
    assert.deepEqual(given, { ...SESSION, givenTitle: "Vàng ở Hà Nội", pinned: true });
    await pair.first.commit([{ claim, session: { ...SESSION, updatedAt: 2 } }]);
    const ids = async (more: object) => (await sessions.list({ ...ANN, ...more })).map(({ id }) => id);
    assert.deepEqual(await ids({}), ["s", "t"]);
    assert.deepEqual(await ids({ before: { id: "s", updatedAt: 2, pinned: true } }), ["t"]);
    assert.deepEqual(await ids({ text: "hà nội" }), ["s"]);
    const found = await runs.list({ text: "ha noi" });
    assert.deepEqual(
      found.map(({ id, matched }) => [id, matched]),
      [["a", ["title"]]],
    );
    assert.deepEqual(await sessions.edit(ANN, "s", { title: null, pinned: false }), { ...SESSION, updatedAt: 2 });
    assert.deepEqual(await ids({}), ["t", "s"]);
    assert.equal((await runs.list({ text: "cheap" })).length, 1);
    assert.equal(await sessions.edit(ANN, "nobody", { pinned: true }), undefined);
  });
}
