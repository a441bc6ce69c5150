// Runs the crew with replies that are written here, and looks at what happened. Start it with: npm test
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCrew, openBaton, scriptModel } from "@baton/baton";
import crew from "./crew.ts";

test("a question about the time goes to the timekeeper, who looks it up", async () => {
  const { agents, tools, outcome } = await play("What time is it in Hanoi?", {
    receptionist: [{ say: "They would like to know what time it is in Hanoi. [TIME]" }],
    timekeeper: [{ call: [{ tool: "GetTime", args: { zone: "Asia/Ho_Chi_Minh" } }] }, { say: "It is late." }],
  });
  assert.deepEqual(agents, ["receptionist", "timekeeper"]);
  assert.deepEqual(tools, ["GetTime"]);
  assert.equal(outcome, "done");
});

test("a greeting is answered by the receptionist alone", async () => {
  const { agents, outcome } = await play("Good morning!", { receptionist: [{ say: "Good morning! [DONE]" }] });
  assert.deepEqual(agents, ["receptionist"]);
  assert.equal(outcome, "done");
});

test("the check finds nothing", () => {
  assert.deepEqual(
    checkCrew(crew).filter(({ severity }) => severity !== "note"),
    [],
  );
});

/** Runs the crew on an input, with these replies. */
async function play(input: string, replies: Parameters<typeof scriptModel>[0]) {
  const baton = await openBaton({ store: "memory", model: scriptModel(replies), envFile: false });
  try {
    const run = baton.start(crew, input);
    const agents: string[] = [];
    const tools: string[] = [];
    for await (const event of run.events()) {
      if (event.type === "turn.started") agents.push(event.agent);
      if (event.type === "call.ended" && event.error === undefined) tools.push(event.tool);
    }
    return { agents, tools, outcome: (await run.result).outcome };
  } finally {
    await baton[Symbol.asyncDispose]();
  }
}
