import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { chooseModels } from "./model-choice.ts";

const crew = defineCrew({
  name: "pair",
  model: { name: "offline" },
  agents: [{ id: "a", model: { name: "script" } }, { id: "b" }, { id: "c" }],
});
const script = new Map([["a", [{ say: "hi" }]]]);

test("each agent gets its model, and the reasons say which and why", async () => {
  const { modelOf, reasons } = await chooseModels({ crew, script, override: undefined, env: {} });
  assert.deepEqual(
    [...crew.agents.values()].map((agent) => modelOf(agent).name),
    ["script", "offline", "offline"],
  );
  assert.deepEqual(reasons, ["script: the agent names it (a)", "offline: the crew names it (b, c)"]);
});

test("what is asked for on the spot goes before all, and is one reason", async () => {
  const { reasons } = await chooseModels({ crew, script, override: "offline", env: { OPENAI_API_KEY: "k" } });
  assert.equal(reasons.length, 1);
  assert.match(reasons[0] ?? "", /^offline: /);
});

test("an agent that needs a script the crew does not have is refused with what to do", async () => {
  await assert.rejects(chooseModels({ crew, script: undefined, override: undefined, env: {} }), {
    code: "invalid",
    message:
      /agent a answers from a script .*; write script\.yaml beside crew\.yaml, or use --script FILE or --model NAME/,
  });
});
