import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, type Chunk, type Crew, defineCrew, defineProgram, Engine, type Model } from "@baton/core";
import { collect, play, type Replies } from "@baton/core/testing";
import type { ChatOptions } from "./chat-state.ts";
import { DESK, LONG_TEXT } from "./testing/chat-harness.ts";
import { parseFrame, resultsOf, toContentText, type ReadFrame, framesBySegment } from "./testing/chat-frames.ts";

const PLAN = {
  title: "Report",
  tasks: [
    { id: "a", title: "A", tool: "look", args: { word: "x" } },
    { id: "b", title: "B", tool: "look", args: { word: "$a.data.word" } },
  ],
};

const REPLIES: Replies = {
  intent_model: [{ say: '{"route":"direct"}' }],
  direct: [{ say: "Hello there." }],
  analyst: [
    { say: "I look it up. Then I stop.", call: [{ tool: "look", args: { word: "x" } }] },
    { say: "Found. [WRITE]" },
  ],
  planner: [{ say: JSON.stringify(PLAN) }],
  writer: [{ say: "The answer." }],
};

const parse = (frames: ReturnType<typeof framesBySegment>): readonly ReadFrame[][] =>
  frames.map((segment) => segment.map(({ data }) => parseFrame(data)));

interface Scene extends ChatOptions {
  readonly replies?: Replies;
  readonly options?: { readonly [name: string]: boolean };
  readonly crew?: Crew;
}

/** The frames of a question, without the warning about the load that fails. */
async function ask(input: string, { replies = REPLIES, options, crew = DESK, ...chat }: Scene = {}) {
  const { events } = await play(crew, replies, { input, ...(options === undefined ? {} : { options }) });
  return (parse(framesBySegment(crew, events, chat))[0] ?? []).filter(({ type }) => type !== "warning");
}

const typesOf = (frames: readonly ReadFrame[]): readonly string[] =>
  frames.map(({ type }) => type).filter((type, index, all) => type !== "content_delta" || all[index - 1] !== type);

const find = (frames: readonly ReadFrame[], type: string): ReadFrame => {
  const found = frames.find((frame) => frame.type === type);
  assert.ok(found !== undefined, `no ${type}`);
  return found;
};

test("a question without anything to look up is classified and answered", async () => {
  const frames = await ask("direct hello");
  assert.deepEqual(typesOf(frames), ["classification", "content_start", "content_delta", "content_end", "done"]);
  assert.deepEqual(frames[0], {
    type: "classification",
    data: { query_type: "greeting", symbols: ["A"], complexity: "tool_required", by: "rules" },
  });
  assert.equal(toContentText(frames), "Hello there.");
  assert.partialDeepStrictEqual(find(frames, "done"), {
    data: { flow_id: "v4_session_1000", status: "done", total_turns: 0, total_tool_calls: 0, tool_time_ms: 0 },
  });
});

test("a model that classifies is thinking, which is told after the classification all the same", async () => {
  const frames = await ask("unsure hello");
  assert.deepEqual(typesOf(frames).slice(0, 5), [
    "classification",
    "thinking_start",
    "turn_start",
    "thinking_end",
    "content_start",
  ]);
  assert.partialDeepStrictEqual(frames[0], { data: { by: "model" } });
});

test("what the crew thinks and looks up comes before the answer; loads of the context are not told", async () => {
  const frames = await ask("analyst question");
  assert.deepEqual(typesOf(frames), [
    "classification",
    "thinking_start",
    "turn_start",
    "thinking_step",
    "tool_calls",
    "tool_results",
    "turn_start",
    "thinking_step",
    "thinking_end",
    "content_start",
    "content_delta",
    "content_end",
    "sources",
    "done",
  ]);
  const [first, second] = frames.filter(({ type }) => type === "thinking_step");
  assert.deepEqual(first?.["step"], { title: "I look it up.", content: "I look it up. Then I stop." });
  assert.deepEqual(second?.["step"], { title: "Found.", content: "Found." }, "without its signal");
  assert.deepEqual(find(frames, "tool_calls")["tools"], [{ id: "3.1.1", name: "look", args: { word: "x" } }]);
  const output = {
    data: { word: "x", size: 1 },
    provenance: { source: "archive", kind: "history", as_of: "2024-11-22T21:00:00Z", url: "https://a.org/x" },
  };
  assert.partialDeepStrictEqual(find(frames, "tool_results"), {
    results: [{ id: "3.1.1", name: "look", success: true, data: output, preview: JSON.stringify(output) }],
  });
  assert.deepEqual(find(frames, "sources")["items"], [
    {
      n: 1,
      title: "look",
      source: "archive",
      as_of: "2024-11-22T21:00:00Z",
      kind: "history",
      call: "3.1.1",
      url: "https://a.org/x",
    },
  ]);
  assert.partialDeepStrictEqual(find(frames, "done"), {
    data: { total_turns: 2, total_tool_calls: 1, tools_succeeded: 1, tools_failed: 0 },
  });
});

test("a plan is told at every change, with the calls that carry it out", async () => {
  const frames = await ask("planner report");
  const plans = frames.filter(({ type }) => type === "plan_update");
  const [first, last] = [plans[0], plans.at(-1)];
  const toTask = (id: string, status: string, depends_on: readonly string[]) => {
    return { id, title: id.toUpperCase(), tool: "look", status, depends_on };
  };
  assert.deepEqual(first?.["plan"], {
    title: "Report",
    tasks: [toTask("a", "in_progress", []), toTask("b", "pending", ["a"])],
  });
  assert.deepEqual(last?.["plan"], {
    title: "Report",
    tasks: [toTask("a", "completed", []), toTask("b", "completed", ["a"])],
  });
  assert.equal(frames.filter(({ type }) => type === "tool_calls").length, 2);
  assert.ok(find(frames, "sources"));
  assert.partialDeepStrictEqual(find(frames, "done"), { data: { total_tool_calls: 2, total_turns: 4 } });
});

test("without thinking its frames are left out, and turns and tools stay", async () => {
  const frames = await ask("analyst question", { options: { enable_thinking: false } });
  assert.ok(!frames.some(({ type }) => type.startsWith("thinking")));
  assert.equal(frames.filter(({ type }) => type === "turn_start").length, 2);
  assert.ok(find(frames, "tool_results"));
});

test("calls that are denied or fail are told as such; an output over 64 KB is named by its address", async () => {
  const call = ["locked", "broken", "long"].map((tool) => ({ tool, args: {} }));
  const frames = await ask("analyst question", { replies: { ...REPLIES, analyst: [{ call }, { say: "Enough." }] } });
  const byName = new Map(resultsOf(frames).map((result) => [result.name, result]));
  const refused = { kind: "permission", message: "not for this question" };
  assert.partialDeepStrictEqual(byName.get("locked"), {
    success: false,
    data: { error: refused },
    preview: refused.message,
  });
  assert.partialDeepStrictEqual(byName.get("broken"), { success: false, preview: "the archive is closed" });
  const { ms, ...long } = byName.get("long") ?? { ms: undefined };
  assert.equal(typeof ms, "number");
  assert.deepEqual(long, {
    id: "3.1.3",
    name: "long",
    success: true,
    preview: `{"text":"${LONG_TEXT}`.slice(0, 200),
    truncated: true,
    href: "/api/runs/run/calls/3.1.3",
  });
  assert.ok(!JSON.stringify(find(frames, "sources")).includes("javascript"), "only links that a browser may open");
  assert.partialDeepStrictEqual(find(frames, "done"), {
    data: { total_tool_calls: 3, tools_succeeded: 1, tools_failed: 2 },
  });
});

test("a question to the user ends the answer as paused; the next one continues after it", async () => {
  const erase = { tool: "erase", args: { path: "a.txt" } };
  const replies = { ...REPLIES, analyst: [{ say: "I erase it.", call: [erase] }, { say: "Done. [WRITE]" }] };
  const { run } = await play(DESK, replies, { input: "analyst erase", id: "run" });
  const answered = await run.command({ type: "answer", question: "3.1.1", value: "allow" });
  const { events } = await collect(answered.run);
  const [first = [], second = []] = parse(framesBySegment(DESK, events, { disclaimer: { en: "not advice" } }));
  assert.deepEqual(typesOf(first).slice(-3), ["thinking_end", "question", "done"]);
  assert.partialDeepStrictEqual(find(first, "question")["question"], {
    id: "3.1.1",
    kind: "approval",
    text: "analyst wants to use erase",
    ...erase,
    schema: { anyOf: [{ enum: ["allow", "deny"] }] },
  });
  assert.partialDeepStrictEqual(find(first, "done"), { data: { status: "paused", disclaimer: "not advice" } });
  assert.deepEqual(typesOf(second), [
    "tool_results",
    "thinking_start",
    "turn_start",
    "thinking_step",
    "thinking_end",
    "content_start",
    "content_delta",
    "content_end",
    "done",
  ]);
  assert.equal("disclaimer" in Object(find(second, "done")["data"]), false);
});

const NOTES = defineCrew({
  name: "notes",
  agents: [{ id: "writer", model: { name: "code/writer" }, isTerminal: true }],
  programs: {
    writer: defineProgram(() => ({
      say: "Up.",
      notes: [
        { kind: "intent", data: { response_language: "vi" } },
        { kind: "context", data: { blocks: [], left_out: [], tokens: 40 } },
        { kind: "compaction", data: { tokens_before: 900, tokens_after: 100 } },
        { kind: "chart", data: { type: "one" } },
        { kind: "chart", data: { type: "two" } },
        { kind: "figures", data: { figures: 3, referenced: 1, matched: 1, unverified: [{ text: "7" }], spans: [] } },
        { kind: "other", data: "unseen" },
      ],
    })),
  },
});

test("notes are in the sum: charts, grounding, context, what was saved", async () => {
  const frames = await ask("x", { crew: NOTES, disclaimer: { en: "not advice", vi: "không phải lời khuyên" } });
  assert.partialDeepStrictEqual(find(frames, "done"), {
    data: {
      context_tokens: 40,
      tokens_saved: 800,
      charts: [{ type: "one" }, { type: "two" }],
      grounding: { figures: 3, referenced: 1, matched: 1, unverified: [{ text: "7" }] },
      disclaimer: "không phải lời khuyên",
    },
  });
  assert.ok(!JSON.stringify(frames).includes("unseen"));
});

test("only the first answer of a session has the disclaimer", async () => {
  const disclaimer = { en: "not advice" };
  const history = [{ role: "user", content: "before" } as const];
  for (const [past, expected] of [
    [[], true],
    [history, false],
  ] as const) {
    const { events } = await play(DESK, REPLIES, { input: "direct", history: past });
    const [frames = []] = parse(framesBySegment(DESK, events, { disclaimer }));
    assert.equal("disclaimer" in Object(find(frames, "done")["data"]), expected);
  }
});

const SOLO = defineCrew({ name: "solo", agents: [{ id: "writer", isTerminal: true }] });
const END: Chunk = { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 2 } };

const modelOf = (...chunks: readonly Chunk[]): Model => ({
  name: "test/model",
  async *stream() {
    for (const chunk of chunks) yield [chunk];
  },
});

async function follow(crew: Crew, model: () => Model): Promise<readonly ReadFrame[]> {
  const { events } = await collect(new Engine({ model }).start(crew, { input: "hello" }));
  return parse(framesBySegment(crew, events))[0] ?? [];
}

test("a step that starts again drops its text, and the text of steps before it stays", async () => {
  const again = modelOf(
    { type: "text", text: "Wrong" },
    { type: "restart", reason: "a number was not right" },
    { type: "text", text: "Right" },
    END,
  );
  const frames = await follow(SOLO, () => again);
  assert.deepEqual(typesOf(frames), [
    "content_start",
    "content_delta",
    "content_restart",
    "content_delta",
    "content_end",
    "done",
  ]);
  assert.equal(toContentText(frames), "Right");
  const two = defineCrew({
    name: "two",
    agents: [{ id: "first" }, { id: "second", isTerminal: true }],
    defaults: { first: "second" },
  });
  const models = [modelOf({ type: "text", text: "Before." }, END), again];
  assert.equal(toContentText(await follow(two, () => models.shift() ?? again)), "Before.\n\nRight");
});

test("a model that does not answer is told before it is asked again", async () => {
  let tries = 0;
  const silent: Model = {
    name: "test/model",
    async *stream() {
      tries += 1;
      if (tries === 1) throw new BatonError("model", "the model sent nothing for 60 s", { retryable: true });
      yield [{ type: "text", text: "Here." }, END];
    },
  };
  const frames = await follow(SOLO, () => silent);
  const [warning] = frames.filter(({ type }) => type === "warning");
  assert.equal(warning?.["message"], "the model sent nothing for 60 s; asking again");
  assert.equal(toContentText(frames), "Here.");
});

test("errors have a code for programs, and the sum comes after them", async () => {
  const failing = (error: BatonError): Model => ({
    name: "test/model",
    stream() {
      throw error;
    },
  });
  const limited = defineCrew({ name: "limited", agents: [{ id: "a" }, { id: "b" }], defaults: { a: "b", b: "a" } });
  const slow: Model = {
    name: "test/slow",
    async *stream(_, scope) {
      await scope.sleep(60_000);
      yield [END];
    },
  };
  const timed = defineCrew({
    name: "timed",
    agents: [{ id: "a", isTerminal: true }],
    settings: { timeoutMs: 20 },
  });
  const cases: readonly (readonly [Crew, () => Model, string])[] = [
    [SOLO, () => failing(new BatonError("model", "the provider is down")), "model_failed"],
    [SOLO, () => modelOf(END), "model_failed"],
    [SOLO, thrown, "no_model"],
    [limited, () => modelOf({ type: "text", text: "on" }, END), "limit"],
    [timed, () => slow, "timeout"],
  ];
  for (const [crew, model, code] of cases) {
    const frames = await follow(crew, model);
    assert.deepEqual(
      frames
        .filter(({ type }) => type !== "warning")
        .slice(-2)
        .map(({ type }) => type),
      ["error", "done"],
      code,
    );
    const error = find(frames, "error");
    assert.equal(error["code"], code, JSON.stringify(error));
    assert.notEqual(error["message"], "");
  }
});

function thrown(): Model {
  throw new BatonError("model", "there is no key");
}

test("a cancelled answer says so", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting: Model = {
    name: "test/waiting",
    async *stream(_, scope) {
      yield [{ type: "text", text: "I was" }];
      resolve();
      await scope.sleep(60_000);
    },
  };
  const started = new Engine({ model: () => waiting }).start(SOLO, { input: "hello" });
  await promise;
  await started.command({ type: "cancel" });
  const [frames = []] = parse(framesBySegment(SOLO, (await collect(started)).events));
  assert.deepEqual(typesOf(frames), ["content_start", "content_delta", "content_end", "error", "done"]);
  assert.partialDeepStrictEqual(find(frames, "error"), { code: "cancelled" });
  assert.partialDeepStrictEqual(find(frames, "done"), { data: { status: "cancelled" } });
});
