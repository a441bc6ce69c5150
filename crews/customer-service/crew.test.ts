/** Three kinds of request by the script, and a refund that a person allows or refuses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { collect, of, play, type Replies } from "@baton/core/testing";
import type { Json } from "@baton/core";
import { readCrew } from "@baton/crewfile";
import { toGuard } from "@baton/policy";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));
const run = (input: string) => play(crew, script, { input, guardOf: toGuard });

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

const REFUND = { customer: "C-1001", order_id: "O-5001", amount_usd: 39, reason: "Teapot arrived broken" };
const refunding = (args: Json, read: readonly { tool: string; args: Json }[] = []): Replies => ({
  classifier: [{ say: "Category: refund" }],
  resolver: [
    ...read.map((call) => ({ call: [call] })),
    { call: [{ tool: "IssueRefund", args }] },
    { say: "Not done." },
  ],
  responder: [{ say: "Your card 4111 1111 1111 1111 was not charged." }],
});

test("an order that was not read is not refunded, whoever asks, and no card number is shown", async () => {
  const played = await play(crew, refunding(REFUND), { input: BROKEN, guardOf: toGuard });
  const [refund] = of(played.events, "call.ended");
  assert.equal(
    refund?.error?.message,
    "Read the customer's orders with ViewOrderHistory before you refund one. (policy order_not_read)",
  );
  assert.deepEqual(of(played.events, "permission.decided")[0]?.rules, ["order_not_read"]);
  assert.equal(played.content, "I cannot write card numbers here. A colleague will look at your case.");
  assert.ok(!JSON.stringify(played.events).includes("4111"));
});

test("a large refund says so in the question", async () => {
  const read = [{ tool: "ViewOrderHistory", args: { customer: "C-1001" } }];
  const played = await play(crew, refunding({ ...REFUND, amount_usd: 250 }, read), { input: BROKEN, guardOf: toGuard });
  assert.match(played.questions[0]?.text ?? "", /wants to use IssueRefund: It is more than 100 USD\.$/);
});
