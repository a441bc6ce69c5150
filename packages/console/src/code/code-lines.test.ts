import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { play, scriptInterpreter } from "@baton/core/testing";
import { z } from "zod";
import { StoryIndex } from "../store/story-index.ts";
import { askedLine, codeOf, lineCallsAt } from "./code-lines.ts";

const id = z.object({ id: z.number() });
const pay = defineTool({
  name: "pay",
  description: "",
  effect: "irreversible",
  input: id,
  permission: (args) => ({ decision: id.parse(args).id > 1 ? "ask" : "allow" }),
  run: () => "paid",
});

test("the calls of code are counted by line, and belong to its call and not to the reply", async () => {
  const code = "pay(1);\n  pay(2);\npay(x);\n";
  const crew = defineCrew({
    name: "shop",
    tools: [pay],
    agents: [{ id: "a", isTerminal: true, tools: ["pay"], toolCalls: "code" }],
    interpreter: scriptInterpreter({
      [code]: async (tools) => {
        const all = [1, 2, "x"].map((one) => tools("pay", { id: one }));
        return (await Promise.allSettled(all)).length;
      },
    }),
  });
  const { events } = await play(crew, { a: [{ call: [{ tool: "run_code", args: { code } }] }, { say: "Done." }] });
  const story = new StoryIndex();
  for (const event of events) story.add(event);
  const call = story.call("1.1.1") ?? assert.fail("the call of the code is missing");
  assert.equal(codeOf(call), "pay(1);\n  pay(2);\npay(x);");
  assert.deepEqual(
    story.step("1.1")?.calls.map(({ tool }) => tool),
    ["run_code"],
  );
  assert.equal(story.call("1.1.1.2")?.step, "1.1");
  const none = { waiting: 0, running: 0, done: 0, failed: 0 };
  assert.deepEqual(
    lineCallsAt(call, story, Infinity),
    new Map([
      [1, { ...none, done: 1 }],
      [3, { ...none, failed: 1 }],
      [2, { ...none, waiting: 1 }],
    ]),
  );
  assert.deepEqual(lineCallsAt(call, story, call.from.seq), new Map());
  const [question] = story.questions;
  assert.deepEqual(question && askedLine(question.asked, (position) => story.call(position)), {
    line: 2,
    text: "pay(2);",
  });
});
