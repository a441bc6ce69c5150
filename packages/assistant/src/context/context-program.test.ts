import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew, defineTool, type Json, type Message, ToolError } from "@baton/core";
import { of, play } from "@baton/core/testing";
import { z } from "zod";
import { withSummary } from "./compaction.ts";
import { contextProgram, sumTokens } from "./context-program.ts";

const load = (name: string, run: () => Json) =>
  defineTool({ name, description: name, effect: "read", input: z.object({}), run });

const LOADS = [
  { tool: "loadProfile", id: "profile", tag: "USER_PROFILE", priority: 2 },
  { tool: "loadNotes", id: "notes", tag: "NOTES", priority: 1 },
  { tool: "loadMissing", id: "missing", tag: "MISSING", priority: 3 },
] as const;

const NEEDS = { type: "object", properties: { needs_compaction: { type: "boolean" } } } as const;

/** A crew that loads its context, and sums up what is too long. */
function deskOf(tools: readonly ReturnType<typeof load>[], compactAbove = 1_000): Crew {
  return defineCrew({
    name: "desk",
    agents: [
      {
        id: "context",
        model: { name: "code/context" },
        audience: "crew",
        tools: tools.map(({ name }) => name),
        output: NEEDS,
      },
      { id: "compactor", audience: "crew" },
      { id: "writer", isTerminal: true, history: 2, systemPrompt: "You write. {{state.profile}} {{state.summary}}" },
    ],
    tools: [...tools],
    programs: { context: contextProgram({ loads: LOADS, budget: 60, compactAbove }) },
    signals: {
      context: [
        { when: { needs_compaction: true }, target: "compactor" },
        { when: { needs_compaction: false }, target: "writer" },
      ],
    },
    defaults: { compactor: "writer" },
    wrapModel: (model, { id }) =>
      id === "compactor" ? withSummary(model, { keep: 4, maxTokens: 50, tag: "CONV_SUMMARY" }) : model,
  });
}

const REPLIES = { compactor: [{ say: "Task: <b>compare</b> A & B" }], writer: [{ say: "Written." }] };

/** Values that programs and models set in the run's state. */
const setsOf = (events: Parameters<typeof of>[0]): { readonly [key: string]: Json } =>
  Object.fromEntries(of(events, "step.ended").flatMap(({ set = {} }) => Object.entries(set)));

const noteOf = (events: Parameters<typeof of>[0], kind: string) =>
  of(events, "note.made").find((note) => note.kind === kind)?.data;

test("loads are called at once; blocks are state, between tags; what does not fit is named", async () => {
  const crew = deskOf([
    load("loadProfile", () => ({ text: "likes </USER_PROFILE> tea" })),
    load("loadNotes", () => ({ text: "x".repeat(1_000) })),
  ]);
  const { events } = await play(crew, REPLIES, { input: "What now?" });
  const [first] = of(events, "step.ended");
  assert.deepEqual(
    first?.calls.map(({ tool }) => tool),
    ["loadProfile", "loadNotes"],
    "a load whose tool the crew does not have is left out",
  );
  const set = setsOf(events);
  assert.deepEqual(set, {
    question: "What now?",
    profile: "\n<USER_PROFILE>\nlikes &lt;/USER_PROFILE&gt; tea\n</USER_PROFILE>",
  });
  const note = z
    .object({
      blocks: z.array(z.object({ id: z.string(), source: z.string(), tokens: z.number() }).strict()),
      left_out: z.array(z.looseObject({ id: z.string(), reason: z.string() })),
      tokens: z.number(),
    })
    .parse(noteOf(events, "context"));
  assert.deepEqual(
    note.blocks.map(({ id, source }) => [id, source]),
    [["profile", "loadProfile"]],
  );
  assert.match(note.left_out[0]?.reason ?? "", /^it has \d+ tokens, and \d+ of 60 are left$/);
  assert.ok(note.tokens > (note.blocks[0]?.tokens ?? 0), "the conversation counts");
});

test("a load that fails is left out with a warning", async () => {
  const fail = () => {
    throw new ToolError("permanent", "the drawer is locked");
  };
  const crew = deskOf([load("loadProfile", fail), load("loadNotes", () => ({ text: "" }))]);
  const { outcome, events } = await play(crew, REPLIES);
  assert.equal(outcome, "done");
  assert.deepEqual(
    of(events, "warning.raised").map(({ text }) => text),
    ["loadProfile failed, so the answer does without it: the drawer is locked"],
  );
  assert.deepEqual(Object.keys(setsOf(events)), ["question"]);
});

test("without loads nothing is called", async () => {
  const { events } = await play(deskOf([]), REPLIES, { input: "Hi" });
  assert.deepEqual(of(events, "call.started"), []);
  assert.deepEqual(setsOf(events), { question: "Hi" });
});

/** A conversation of about so many tokens. */
function talk(messages: number, tokensEach: number): readonly Message[] {
  return Array.from({ length: messages }, (_, index): Message => {
    const content = `${index} ${"word ".repeat(Math.floor((tokensEach * 4) / 5))}`;
    return index % 2 === 0 ? { role: "user", content } : { role: "assistant", content };
  });
}

test("a conversation over 100,000 tokens is summed up, and the summary takes its place", async () => {
  const history = talk(40, 3_000);
  assert.ok(sumTokens(history) > 100_000);
  const crew = deskOf([], 100_000);
  const { outcome, events } = await play(crew, REPLIES, { input: "And now?", history });
  assert.equal(outcome, "done");
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["context", "compactor", "writer"],
  );
  assert.equal(setsOf(events)["summary"], "\n<CONV_SUMMARY>\nTask: &lt;b&gt;compare&lt;/b&gt; A & B\n</CONV_SUMMARY>");
  const saved = z.object({ tokens_before: z.number(), tokens_after: z.number() }).parse(noteOf(events, "compaction"));
  assert.ok(saved.tokens_before > 100_000);
  assert.ok(saved.tokens_after < 13_000, "the summary and the last four messages");
  const last = of(events, "step.started").find(({ agent }) => agent === "writer");
  assert.ok((last?.tokens ?? Infinity) < 10_000, "the writer is shown the summary and its newest messages");
});

test("a shorter conversation is shown as it is, and so is a long one if the request says so", async () => {
  for (const [history, options] of [
    [talk(10, 1_000), {}],
    [talk(40, 3_000), { enable_compaction: false }],
  ] as const) {
    const { events } = await play(deskOf([], 100_000), REPLIES, { history, options });
    assert.deepEqual(
      of(events, "turn.started").map(({ agent }) => agent),
      ["context", "writer"],
    );
    assert.equal(noteOf(events, "compaction"), undefined);
  }
});

test("a summary is cut at its limit", async () => {
  const history = talk(40, 3_000);
  const long = { ...REPLIES, compactor: [{ say: "ế".repeat(1_000) }] };
  const { events } = await play(deskOf([], 100_000), long, { history });
  assert.equal(setsOf(events)["summary"], `\n<CONV_SUMMARY>\n${"ế".repeat(200)}\n</CONV_SUMMARY>`);
});
