import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { estimateTokens, fit, toView } from "./history.ts";
import type { Message } from "../words/message.ts";

const user = (content: string): Message => ({ role: "user", content });
const says = (agent: string, content: string): Message => ({ role: "assistant", agent, content });

/** A reply that asks for tools, with its results, as a history holds them. */
function works(agent: string, tools: readonly string[]): Message[] {
  const calls = tools.map((tool, at) => ({ id: `1.1.${at + 1}`, tool, args: {} }));
  return [
    { role: "assistant", agent, content: "", calls },
    ...calls.map(({ id, tool }): Message => ({ role: "tool", call: id, tool, content: `${tool}: done` })),
  ];
}

const block = fc.oneof(
  fc.string({ maxLength: 200 }).map((content) => [user(content)]),
  fc.tuple(fc.constantFrom("a", "b"), fc.string({ maxLength: 200 })).map(([agent, content]) => [says(agent, content)]),
  fc
    .tuple(fc.constantFrom("a", "b"), fc.array(fc.constantFrom("x", "y"), { minLength: 1, maxLength: 4 }))
    .map(([agent, tools]) => works(agent, tools)),
  fc.constant<Message[]>([{ role: "assistant", content: "from outside", calls: [] }]),
);
const history = fc.array(block, { maxLength: 20 }).map((blocks) => blocks.flat());

/** Every result follows the reply that asked for it, and every call has its result. */
function assertPaired(messages: readonly Message[]): void {
  let waiting: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      assert.equal(waiting.shift(), message.call);
      continue;
    }
    assert.deepEqual(waiting, []);
    waiting = message.role === "assistant" ? (message.calls ?? []).map(({ id }) => id) : [];
  }
  assert.deepEqual(waiting, []);
}

test("a message's tokens are a quarter of its characters and four", () => {
  assert.equal(estimateTokens(user("")), 4);
  assert.equal(estimateTokens(user("12345")), 6);
  assert.equal(estimateTokens({ role: "tool", call: "1", tool: "ignored", content: "1234" }), 5);
});

test("calls and images count too", () => {
  const calls = [{ id: "1.1.1", tool: "sum", args: { a: 1 } }];
  assert.equal(estimateTokens({ role: "assistant", content: "ab", calls }), 4 + (2 + 3 + 7) / 4);
  const images = [{ mediaType: "image/png", data: "x".repeat(100_000) }];
  assert.equal(estimateTokens({ role: "user", content: "", images }), 1_004);
});

test("an agent sees its own work whole and of others only what they said last", () => {
  const own = works("a", ["x", "y"]);
  const outside: Message = { role: "assistant", content: "hello" };
  const view = toView(
    [user("hi"), outside, ...works("b", ["x"]), says("b", "go on [X]"), ...own, says("a", "done")],
    "a",
  );
  assert.deepEqual(view, [user("hi"), outside, user("[b] go on [X]"), ...own, says("a", "done")]);
});

test("results go with the reply before them, though another run's calls had the same ids", () => {
  const own = works("a", ["x"]);
  assert.deepEqual(toView([...own, user("again"), ...works("b", ["x"]), user("well?")], "a"), [
    ...own,
    user("again"),
    user("well?"),
  ]);
});

test("a result that no reply asked for is not shown", () => {
  const stray: Message = { role: "tool", call: "1.1.1", tool: "x", content: "" };
  assert.deepEqual(toView([stray, says("a", "done"), stray], "a"), [says("a", "done")]);
});

test("a view is a fresh list of the same messages, in order, with every call answered", () => {
  fc.assert(
    fc.property(history, (messages) => {
      const view = toView(messages, "a");
      assert.notEqual(view, messages);
      assertPaired(view);
      const kept = view.filter((message) => messages.includes(message));
      const own = messages.filter((message) => view.includes(message));
      assert.deepEqual(kept, own);
      for (const message of messages) {
        if (message.role === "user") assert.ok(view.includes(message));
      }
    }),
  );
});

test("a view that fits is left alone", () => {
  const view = [user("1234"), user("1234")];
  assert.equal(fit(view, { maxTokens: 10, trimPct: 20 }), undefined);
  assert.equal(fit([], { maxTokens: 0, trimPct: 20 }), undefined);
});

test("the first and the newest messages stay, and a note says how many were left out", () => {
  const view = Array.from({ length: 20 }, (_, at) => user(`message ${at}`.padEnd(24, ".")));
  const fitted = fit(view, { maxTokens: 100, trimPct: 20 });
  assert.deepEqual(fitted, {
    messages: [view[0], user("[14 earlier messages left out]"), ...view.slice(-5)],
    dropped: 14,
    leftOut: 14,
    tokensBefore: 200,
    tokensAfter: 72,
  });
});

test("a reply and its results go together, also where it comes first or last", () => {
  const head = works("a", ["x", "y"]);
  const tail = works("a", ["x", "y", "x"]);
  const fitted = fit([...head, user("one"), user("two"), ...tail], { maxTokens: 1, trimPct: 20 });
  assert.deepEqual(fitted?.messages, [...head, user("[2 earlier messages left out]"), ...tail]);
});

test("where nothing can be left out, nothing is", () => {
  const view = [user("one"), user("two"), user("three")];
  const fitted = fit(view, { maxTokens: 1, trimPct: 20 });
  assert.deepEqual([fitted?.dropped, fitted?.messages, fitted?.tokensAfter], [0, view, fitted?.tokensBefore]);
});

test("a model's own count is used", () => {
  const view = Array.from({ length: 10 }, (_, at) => user(`${at}`));
  assert.equal(fit(view, { maxTokens: 60, trimPct: 0, count: () => 10 })?.dropped, 5);
});

const countAll = (messages: readonly Message[]): number =>
  messages.reduce((total, message) => total + estimateTokens(message), 0);

/** Counts the messages that stay or go together with the first of these. */
function leadLength(messages: readonly Message[]): number {
  const next = messages.findIndex((message, at) => at > 0 && message.role !== "tool");
  return next === -1 ? messages.length : next;
}

test("fitting never parts a call from its result, and keeps the first, the newest and the limit", () => {
  const options = fc.record({ maxTokens: fc.integer({ min: 0, max: 600 }), trimPct: fc.integer({ min: 0, max: 100 }) });
  fc.assert(
    fc.property(history, options, (view, { maxTokens, trimPct }) => {
      const fitted = fit(view, { maxTokens, trimPct });
      const head = view.slice(0, leadLength(view));
      if (fitted === undefined) return assert.ok(countAll(view) <= maxTokens);
      if (fitted.dropped === 0) {
        const rest = view.slice(head.length);
        assert.deepEqual(fitted.messages, view);
        return assert.ok(countAll(view) > maxTokens && rest.length - leadLength(rest) < 2);
      }
      const { messages, dropped, tokensBefore, tokensAfter } = fitted;
      const newest = messages.slice(head.length + 1);
      assertPaired(messages);
      assert.ok(countAll(view) > maxTokens && dropped > 0);
      assert.equal(head.length + dropped + newest.length, view.length);
      assert.deepEqual(messages, [...head, messages[head.length], ...view.slice(-newest.length)]);
      assert.match(messages[head.length]?.content ?? "", new RegExp(`^\\[${dropped} earlier messages? left out\\]$`));
      assert.deepEqual([tokensBefore, tokensAfter], [countAll(view), countAll(messages)]);
      assert.ok(newest.length >= 2);
      const isLeast = newest.length - leadLength(newest) < 2;
      return assert.ok(tokensAfter <= maxTokens * (1 - trimPct / 100) || isLeast);
    }),
    { numRuns: 2_000 },
  );
});

test("as much of the newest is kept as the limit allows", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 100 }), { minLength: 3, maxLength: 30 }),
      fc.nat({ max: 300 }),
      (sizes, maxTokens) => {
        const view = sizes.map((size) => user("x".repeat(size)));
        const fitted = fit(view, { maxTokens, trimPct: 0 });
        if (fitted === undefined) return;
        const nextOut = view[fitted.dropped] ?? user("");
        assert.ok(fitted.tokensAfter + estimateTokens(nextOut) > maxTokens - 1);
      },
    ),
  );
});
