import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, Engine, type RunEvent, scriptModel } from "@baton/core";
import { MemoryLog } from "@baton/core/ports";
import { collect, of } from "@baton/core/testing";
import { z } from "zod";
import { toFork, toForkCrew } from "./fork.ts";
import { promptOf } from "./prompt-of.ts";
import { replay } from "./replay.ts";

const LOCATE = { name: "Locate", description: "Finds.", inputSchema: { type: "object" } };
const own = defineTool({ name: "Own", description: "Own.", effect: "read", input: z.any(), run: () => 1 });
const crew = defineCrew({
  name: "c",
  tools: [own],
  agents: [{ id: "a", isTerminal: true, clientTools: true, tools: ["Own"] }],
});
const model = scriptModel({ a: [{ call: [{ tool: "Own" }, { tool: "Locate" }] }, { when: "river", say: "Found." }] });

/** Plays a run to its end, from its start or from what another one has left. */
async function live(left: readonly RunEvent[] = []) {
  const id = left[0]?.run ?? "r";
  const engine = new Engine({
    model: () => model,
    log: (clock, observer) => {
      const log = new MemoryLog(clock, observer);
      for (const event of left) log.open(id).append(event, event.lane);
      return log;
    },
  });
  let run =
    left.length === 0
      ? engine.start(crew, { input: "where?", id, tools: [LOCATE] })
      : engine.adopt(toForkCrew(crew), { id, events: left });
  let asked = 0;
  for (let result = await run.result; result.outcome === "paused"; result = await run.result) {
    asked++;
    const question = result.questions[0]?.question ?? "";
    ({ run } = await run.command({ type: "answer", question, value: "the river" }));
  }
  return { asked, ...(await collect(run)) };
}

test("a run with tools of its request replays with them, and its prompts are offered them", async () => {
  const { events, content } = await live();
  assert.equal(content, "Found.");
  assert.equal(await replay(crew, events), undefined);
  const { tools, blocks } = await promptOf(crew, events, "1.2");
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["Own", "Locate"],
  );
  assert.ok(blocks.some(({ source }) => source === "tool:Locate"));
  const without = events.map((event) => (event.type === "run.started" ? { ...event, tools: [] } : event));
  assert.notEqual(await replay(crew, without), undefined);
});

test("a warning that no agent takes them is replayed too", async () => {
  const none = defineCrew({ name: "c", agents: [{ id: "a", isTerminal: true }] });
  const engine = new Engine({ model: () => scriptModel({ a: [{ say: "Hi." }] }) });
  const { events } = await collect(engine.start(none, { input: "x", tools: [LOCATE] }));
  assert.equal(of(events, "warning.raised").length, 1);
  assert.equal(await replay(none, events), undefined);
});

test("a fork has the tools of the run, and asks its client for what came after the place", async () => {
  const first = await live();
  for (const { seq } of first.events) {
    const prefix = toFork(first.events, seq, "fork");
    const { content, asked, events } = await live(prefix);
    assert.equal(content, "Found.", `forked at ${seq}`);
    const isDone = of(prefix, "call.ended").some(({ tool }) => tool === "Locate");
    assert.equal(asked, isDone ? 0 : 1, `forked at ${seq}`);
    assert.equal(await replay(toForkCrew(crew), events), undefined, `forked at ${seq}`);
  }
});
