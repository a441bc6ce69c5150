/** An agent's context: where it stands, when it is rendered, and who never sees it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { defineTool } from "../definitions/tool.ts";
import { Engine } from "../engine/engine.ts";
import type { Message } from "../words/message.ts";
import type { Prompt } from "../ports/model.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, type Replies } from "../testing/crew-runs.ts";

/** An engine that keeps every prompt. */
function watching(replies: Replies): { engine: Engine; prompts: Prompt[] } {
  const prompts: Prompt[] = [];
  const script = scriptModel(replies);
  const model = {
    name: "seen",
    stream(...[prompt, scope]: Parameters<typeof script.stream>) {
      prompts.push({ ...prompt, messages: [...prompt.messages] });
      return script.stream(prompt, scope);
    },
  };
  return { engine: new Engine({ model: () => model }), prompts };
}

const setTool = defineTool({
  name: "Set",
  description: "Sets.",
  effect: "read",
  input: z.object({}),
  run: (_, { state }) => state.set("now", "later"),
});

const crew = defineCrew({
  name: "c",
  tools: [setTool],
  agents: [
    {
      id: "a",
      tools: ["Set"],
      context: "Now: {{state.now}}{{state.options.now}}. For {{name}}.",
      handoffTargets: ["b"],
    },
    { id: "b", isTerminal: true },
  ],
});

const texts = (messages: readonly Message[]): readonly string[] => messages.map(({ content }) => content);
const history: readonly Message[] = [
  { role: "user", content: "before" },
  { role: "assistant", content: "yes", agent: "a" },
];

test("it stands before the message that opened the turn, with the same bytes in every step, and nobody else has it", async () => {
  const { engine, prompts } = watching({ a: [{ call: [{ tool: "Set" }] }, { say: "A." }], b: [{ say: "B." }] });
  const run = engine.start(crew, { input: "go", history, options: { now: "noon" } });
  const { events, history: after } = await collect(run);
  const context = "<context>Now: noon. For a.</context>";
  assert.deepEqual(
    prompts.map(({ agent, messages, contextAt }) => [agent, contextAt, ...texts(messages).slice(0, 4)]),
    [
      ["a", 2, "before", "yes", context, "go"],
      ["a", 2, "before", "yes", context, "go"],
      ["b", undefined, "before", "[a] yes", "go", "[a] A."],
    ],
  );
  assert.equal(prompts[1]?.messages[2]?.role, "user");
  assert.ok(!JSON.stringify([events, after]).includes("<context>"));
});

test("a run that recovers in the middle of the turn renders it from the state in which the turn began", async () => {
  const replies = { a: [{ call: [{ tool: "Set" }] }, { say: "A." }], b: [{ say: "B." }] };
  const first = watching(replies);
  const { events } = await collect(first.engine.start(crew, { input: "go", options: { now: "noon" } }));
  const cut = events.slice(0, events.findIndex((event) => event.type === "step.started" && event.step === "1.2") + 1);
  const second = watching(replies);
  await second.engine.adopt(crew, { id: cut[0]?.run ?? "", events: cut }).result;
  assert.deepEqual(texts(second.prompts[0]?.messages ?? []), texts(first.prompts[1]?.messages ?? []));
  assert.ok(texts(second.prompts[0]?.messages ?? []).includes("<context>Now: noon. For a.</context>"));
});

test("an empty one is not sent, and one of another agent's reply stands before that reply", async () => {
  const two = defineCrew({
    name: "c",
    agents: [
      { id: "a", context: " {{state.none}} ", handoffTargets: ["b"] },
      { id: "b", context: "Here.", isTerminal: true },
    ],
  });
  const { engine, prompts } = watching({ a: [{ say: "A." }], b: [{ say: "B." }] });
  await engine.start(two, { input: "go" }).result;
  assert.deepEqual(
    prompts.map(({ messages }) => texts(messages)),
    [["go"], ["go", "<context>Here.</context>", "[a] A."]],
  );
});

test("a run of a session repeats the bytes of the one before up to the place of its context", async () => {
  const { engine, prompts } = watching({ a: [{ call: [{ tool: "Set" }] }, { say: "A." }], b: [{ say: "B." }] });
  let past: readonly Message[] = [];
  for (const [index, input] of ["one", "[b] two", "three"].entries()) {
    const options = { now: `${index} o'clock` };
    ({ history: past } = await engine.start(crew, { input, history: past, options }).result);
  }
  const firsts = prompts.filter(({ agent, contextAt }, at) => agent === "a" && contextAt !== undefined && at % 3 === 0);
  assert.equal(firsts.length, 3);
  for (const [at, prompt] of firsts.entries()) {
    const before = firsts[at - 1];
    if (before === undefined) continue;
    const bytes = ({ tools, system, messages }: Prompt, end: number) =>
      JSON.stringify([tools, system, messages.slice(0, end)]);
    assert.equal(bytes(prompt, before.contextAt ?? 0), bytes(before, before.contextAt ?? 0));
    assert.ok((prompt.contextAt ?? 0) > (before.contextAt ?? 0));
  }
});

test("it stays when the middle of a long turn is left out, and counts in the window", async () => {
  const long = defineTool({
    name: "Long",
    description: "Long.",
    effect: "read",
    input: z.object({}),
    run: () => "x".repeat(400),
  });
  const tight = defineCrew({
    name: "c",
    tools: [long],
    agents: [{ id: "a", tools: ["Long"], context: "Keep me.", isTerminal: true }],
    settings: { maxContextTokens: 400, maxRepeatedCalls: 0 },
  });
  const calls = Array.from({ length: 6 }, () => ({ call: [{ tool: "Long" }] }));
  const { engine, prompts } = watching({ a: [...calls, { say: "A." }] });
  const { outcome } = await engine.start(tight, { input: "go", history: [{ role: "user", content: "old" }] }).result;
  assert.equal(outcome, "done");
  const last = texts(prompts.at(-1)?.messages ?? []);
  assert.ok(last.some((text) => text.includes("left out")));
  assert.equal(last.filter((text) => text === "<context>Keep me.</context>").length, 1);
});
