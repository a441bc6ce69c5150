import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { collect, play, scriptInterpreter } from "@baton/core/testing";
import { z } from "zod";
import { toAgentViews } from "./agent-view.ts";
import { plainText } from "../terminal/styled-line.ts";
import { Transcript } from "./transcript.ts";

const id = z.object({ id: z.number() });
const pay = defineTool({
  name: "pay",
  description: "",
  effect: "irreversible",
  input: id,
  permission: (args) => ({ decision: id.parse(args).id > 1 ? "ask" : "allow" }),
  run: () => "paid",
});
const code = "await tools.pay({ id: 1 });\nawait tools.pay({ id: 2 });\nawait tools.pay({ id: 3 });\n";

test("calls of code are indented below it, and a pause shows the lines that wait", async () => {
  const crew = defineCrew({
    name: "desk",
    tools: [pay],
    agents: [{ id: "kim", name: "Kim", isTerminal: true, tools: ["pay"], toolCalls: "code" }],
    interpreter: scriptInterpreter({
      [code]: (tools) => Promise.all([1, 2, 3].map((one) => tools("pay", { id: one }))),
    }),
  });
  const { run } = await play(crew, {
    kim: [{ call: [{ tool: "run_code", args: { code, purpose: "Pay them" } }] }, { say: "Done." }],
  });
  await run.command({ type: "answer", question: "1.1.1.2", value: "allow" });
  const { events } = await collect((await run.command({ type: "answer", question: "1.1.1.3", value: "deny" })).run);
  const transcript = new Transcript(toAgentViews(crew));
  const lines = events.flatMap((event) => transcript.add(event, 80)).map(plainText);
  const timeless = lines.map((line) => line.replace(/ {2}\d.*m?s$/u, ""));
  assert.deepEqual(timeless.filter((line) => line !== "").slice(0, -1), [
    "● Kim",
    "│ ▸ run_code  Pay them",
    "│   ? pay(id: 2)  needs your approval",
    "│   ? pay(id: 3)  needs your approval",
    "│   ✓ pay(id: 1)",
    "│   line 2 | await tools.pay({ id: 2 });  waits for you",
    "│   line 3 | await tools.pay({ id: 3 });  waits for you",
    "│     allowed",
    "│   ✓ pay(id: 2)",
    "│   line 3 | await tools.pay({ id: 3 });  waits for you",
    "│     denied",
    "│   ✗ pay(id: 3)",
    "│     a person refused pay",
    "│ ✗ run_code  Pay them",
    "│   a person refused pay",
    "│   These calls succeeded; do not repeat them:",
    '│   - pay {"id":1}',
    '│   - pay {"id":2}',
    "│ Done.",
    "╰─",
  ]);
});
