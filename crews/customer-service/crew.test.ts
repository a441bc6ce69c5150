/** Three kinds of request by the script, and a refund that a person allows or refuses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { collect, of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));
const run = (input: string) => play(crew, script, { input });

const BROKEN = "My teapot arrived broken. I am C-1001, the order is O-5001.";

async function decide(value: "allow" | "deny") {
  const { run: paused } = await run(BROKEN);
  return collect((await paused.command({ type: "answer", question: "2.2.1", value })).run);
}

test("a refund waits for a person, who sees exactly what is to be done", async () => {
  const { events, outcome, agent, questions } = await run(BROKEN);
  assert.deepEqual(
    of(events, "turn.started").map((turn) => turn.agent),
    ["classifier", "resolver"],
  );
  assert.deepEqual({ outcome, agent }, { outcome: "paused", agent: "resolver" });
  assert.deepEqual(
    questions.map(({ question, tool, args }) => ({ question, tool, args })),
    [
      {
        question: "2.2.1",
        tool: "IssueRefund",
        args: {
          customer: "C-1001",
          order_id: "O-5001",
          amount_usd: 39,
          reason: "Teapot arrived broken, told us within 30 days",
        },
      },
    ],
  );
});

test("an allowed refund is made, and the customer reads of it", async () => {
  const { events, outcome, content } = await decide("allow");
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["classifier", "resolver", "responder"],
  );
  assert.deepEqual(
    of(events, "call.started").map(({ tool }) => tool),
    ["SearchKnowledgeBase", "ViewOrderHistory", "IssueRefund"],
  );
  assert.ok(of(events, "call.ended").every(({ error }) => error === undefined));
  assert.equal(outcome, "done");
  assert.match(content, /^We have refunded the 39 USD/);
});

test("a refused refund is not made, and nobody says that it was", async () => {
  const { events, outcome, content } = await decide("deny");
  const refund = of(events, "call.ended").find(({ tool }) => tool === "IssueRefund");
  assert.equal(refund?.error?.kind, "permission");
  assert.equal(outcome, "done");
  assert.match(content, /We could not settle this at once/);
});

for (const [input, tools] of [
  ["I am C-1002 and cannot log in.", ["CheckAccountStatus", "SearchKnowledgeBase", "ResetPassword"]],
  ["Do you sell gift cards?", ["SearchKnowledgeBase", "CreateTicket"]],
] as const) {
  test(`"${input}" is settled with ${tools.at(-1)}, and nobody is asked`, async () => {
    const { events, outcome } = await run(input);
    assert.deepEqual(
      of(events, "turn.started").map(({ agent }) => agent),
      ["classifier", "resolver", "responder"],
    );
    assert.deepEqual(
      of(events, "call.started").map(({ tool }) => tool),
      tools,
    );
    assert.ok(of(events, "call.ended").every(({ error }) => error === undefined));
    assert.equal(outcome, "done");
  });
}
