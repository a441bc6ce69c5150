/** Shrinking a failed run, and searching commits by halving. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew, defineTool, scriptModel } from "@baton/core";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { bisect, type Tried } from "./bisect.ts";
import { parseCase } from "./eval-case.ts";
import { shrinkRun } from "./shrink.ts";
import { playCase } from "./trial.ts";

let looks = 0;
const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({ at: z.number() }),
  run: () => {
    looks += 1;
    return "a long text that nobody needs";
  },
});
const crew = defineCrew({
  name: "shop",
  tools: [look],
  agents: [{ id: "a", tools: ["Look"] }],
  behaviors: { a: { waitForSignal: true } },
});

async function play(messages: readonly string[], last: object) {
  await using store = await Store.open({ database: openMemory() });
  const replies = {
    a: [
      { call: [1, 2, 3].map((at) => ({ tool: "Look", args: { at } })) },
      { say: "That is wrong. Many more words follow here." },
      last,
    ],
  };
  const one = parseCase({ id: "x", messages, checks: { outcome: "done" } });
  return (await playCase(one, 1, { crew, store, model: () => () => scriptModel(replies) })).events;
}

test("a failed run becomes a small case that fails with the same error, with no tool called", async () => {
  const events = await play(["first question", "second question"], { fail: "the provider is down" });
  looks = 0;
  const { small, failure } = await shrinkRun({ crew, events });
  assert.equal(failure, "failed, model");
  assert.deepEqual(small.messages, ["s"]);
  assert.deepEqual([small.replies, small.doubles], [[{ agent: "a", reply: { fail: "the provider is down" } }], []]);
  assert.equal(looks, 0);
  assert.deepEqual((await shrinkRun({ crew, events })).small, small);
});

test("with checks the same checks fail", async () => {
  const events = await play(["first question"], { say: "never said" });
  const checks = { text: { not_contains: ["wrong"] }, calls: [{ tool: "Look", args: { at: 2 } }] };
  const { small, failure, attempts } = await shrinkRun({ crew, events, checks });
  assert.equal(failure, "text");
  assert.deepEqual(
    small.replies.map(({ reply }) => reply),
    [{ call: [{ tool: "Look", args: { at: 2 } }] }, { say: "That is wrong. Many mo" }],
  );
  assert.ok(attempts <= 500);
});

test("a run that does not fail is refused", async () => {
  const events = await play(["first question"], { say: "" });
  await assert.rejects(shrinkRun({ crew, events }), { code: "invalid", message: /does not fail/ });
  await assert.rejects(shrinkRun({ crew, events, checks: { outcome: ["paused"] } }), { message: /does not fail/ });
});

test("the first commit that differs is found by halving, past those that cannot be tried", async () => {
  const commits = Array.from({ length: 64 }, (_, at) => `c${at}`);
  for (const first of [0, 1, 31, 62, 63]) {
    const tried: string[] = [];
    const found = await bisect(commits, async (commit): Promise<Tried> => {
      tried.push(commit);
      return Number(commit.slice(1)) >= first ? "differs" : "same";
    });
    assert.equal(found?.first, `c${first}`);
    assert.ok(tried.length <= 7);
  }
  const found = await bisect(["c0", "c1", "c2", "c3"], async (commit) => (commit === "c1" ? "skipped" : "differs"));
  assert.deepEqual([found?.first, found?.skipped], ["c0", []]);
  const hidden = await bisect(["c0", "c1", "c2", "c3"], async (commit) =>
    commit === "c1" ? "skipped" : commit === "c0" ? "same" : "differs",
  );
  assert.deepEqual([hidden?.first, hidden?.skipped], ["c2", ["c1"]]);
});
