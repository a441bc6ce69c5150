/** The tools that the librarian uses for each question, by the script. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));

for (const [input, tools] of [
  ["How many messages are there?", ["GetMessageCount", "CountMessagesBy"]],
  ["Did I say coffee?", ["SearchMessages"]],
  ["What time is it?", ["GetCurrentTime"]],
  ["What was this about?", ["GetConversationSummary"]],
] as const) {
  test(`the librarian answers "${input}" with ${tools.join(" and ")}`, async () => {
    const { events, outcome } = await play(crew, script, { input });
    assert.deepEqual(
      of(events, "turn.started").map(({ agent }) => agent),
      ["librarian"],
    );
    assert.deepEqual(
      of(events, "call.started").map(({ tool }) => tool),
      tools,
    );
    assert.ok(of(events, "call.ended").every(({ error }) => error === undefined));
    assert.equal(outcome, "done");
  });
}

test("the tools see the conversation they are part of", async () => {
  const { events } = await play(crew, script, { input: "Did I say coffee?" });
  const [search] = of(events, "call.ended");
  assert.partialDeepStrictEqual(search?.output, { found: 1 });
});

test("later in a conversation the latest question counts, whatever the tools quote", async () => {
  const history = [
    { role: "user", content: "What time is it?" },
    { role: "assistant", content: "Ten.", agent: "librarian" },
    { role: "user", content: "Did I say coffee?" },
    { role: "assistant", content: "Yes.", agent: "librarian" },
  ] as const;
  const { events, content } = await play(crew, script, { input: "What was this about?", history });
  assert.deepEqual(
    of(events, "call.started").map(({ tool }) => tool),
    ["GetConversationSummary"],
  );
  assert.match(JSON.stringify(of(events, "call.ended")[0]?.output), /What time is it\?/);
  assert.match(content, /^I summed this conversation up/);
});
