/** A model that is not available fails as any model does: `on_failure` follows, as far as max_handoffs allows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Agent } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import type { CrewDefinition, Behavior } from "../definitions/definition.ts";
import { Engine } from "./engine.ts";
import { BatonError } from "../words/error.ts";
import type { Settings } from "../definitions/limits.ts";
import type { Model } from "../ports/model.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of } from "../testing/crew-runs.ts";

/** Only b has a model. */
const model =
  (why: BatonError) =>
  ({ id }: Agent): Model => {
    if (id === "a") throw why;
    return scriptModel({ b: [{ say: "B" }] });
  };
const missing = new BatonError("invalid", "openai/x needs a key: set OPENAI_API_KEY");

async function run(why: BatonError, behavior: Behavior, settings: Partial<Settings> = {}) {
  const definition: CrewDefinition = {
    name: "c",
    agents: [{ id: "a" }, { id: "b", isTerminal: true }],
    behaviors: { a: behavior },
    settings,
    autoRoute: true,
  };
  const crew = defineCrew(definition);
  await using engine = new Engine({ model: model(why) });
  const played = await collect(engine.start(crew, { input: "go" }));
  return { ...played, warnings: of(played.events, "warning.raised").map(({ text }) => text) };
}

test("a run whose model is not available fails with the code of a model, and says why", async () => {
  const { outcome, error } = await run(missing, {});
  assert.deepEqual([outcome, error], ["failed", { code: "model", message: missing.message }]);
});

test("the agent of on_failure takes over from one whose model is not available", async () => {
  const { outcome, content, events, warnings } = await run(missing, { onFailure: "b" });
  assert.deepEqual([outcome, content], ["done", "B"]);
  assert.deepEqual(
    of(events, "handoff.made").map(({ from, to, via }) => [from, to, via]),
    [["a", "b", "failure"]],
  );
  assert.deepEqual(warnings, [`a failed: ${missing.message}; b takes over`]);
});

test("a model that is not given because of a limit ends the run at that limit", async () => {
  const limit = { name: "max_cost_per_day", value: 50 };
  const why = new BatonError("limit", "50 dollars were spent", { limit });
  const { outcome, error, events } = await run(why, { onFailure: "b" });
  assert.deepEqual([outcome, error?.limit, of(events, "handoff.made")], ["limit", limit, []]);
});

test("at max_handoffs nobody takes over: the run ends at the limit, with the failure as its error", async () => {
  const { outcome, error, events, warnings } = await run(missing, { onFailure: "b" }, { maxHandoffs: 1 });
  assert.deepEqual([outcome, error], ["limit", { code: "model", message: missing.message }]);
  assert.deepEqual(warnings, ["a did not hand over to b: max_handoffs is 1"]);
  assert.deepEqual([of(events, "handoff.made"), of(events, "run.ended")[0]?.error], [[], error]);
});
