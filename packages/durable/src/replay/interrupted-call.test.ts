/** A call that was interrupted while its run went on: the question about it is replayed like one of a recovery. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, Engine, scriptModel, ToolError } from "@baton/core";
import { collect } from "@baton/core/testing";
import { replay } from "./replay.ts";

const input = { jsonSchema: { type: "object" }, validate: (value: unknown) => ({ ok: true as const, value }) };

for (const answer of ["again", "skip"]) {
  test(`a run in which an interrupted call was answered with ${answer} is replayed event for event`, async () => {
    let calls = 0;
    const pay = defineTool({
      name: "Pay",
      description: "Pays.",
      effect: "irreversible",
      input,
      run: () => {
        calls += 1;
        if (calls > 1) return "paid";
        throw new ToolError("temporary", "its thread ended", { isInterrupted: true });
      },
    });
    const agents = [{ id: "a", tools: ["Pay"], isTerminal: true }] as const;
    const crew = defineCrew({ name: "shop", agents, tools: [pay], permissions: { Pay: "allow" } });
    const model = scriptModel({ a: [{ call: [{ tool: "Pay" }] }, { say: "Done." }] });
    await using engine = new Engine({ model: () => model });
    const paused = engine.start(crew, { input: "x" });
    assert.equal((await paused.result).outcome, "paused");
    const { run } = await paused.command({ type: "answer", question: "1.1.1/doubt", value: answer });
    const { events } = await collect(run);
    assert.equal(events.at(-1)?.type, "run.ended");
    assert.equal(await replay(crew, events), undefined);
    assert.equal(calls, answer === "again" ? 2 : 1);
  });
}
