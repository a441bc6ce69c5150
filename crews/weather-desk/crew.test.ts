/** A question by the script: the tool of a server, played from the cassette. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { CrewMcp } from "@baton/baton/mcp";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const here = import.meta.dirname;
const { makeTools } = new CrewMcp({ env: {}, warn: () => {}, cassette: join(here, "cassette.json") });
const { crew, script, findings } = await readCrew(here, { providers: [], mcp: makeTools });
assert.ok(crew && script, JSON.stringify(findings));

test("the weather comes from the tool of a server, which the crew says only reads", async () => {
  const { events, outcome } = await play(crew, script, { input: "How is the weather in Chicago?" });
  assert.equal(outcome, "done");
  const [call] = of(events, "call.started");
  assert.deepEqual([call?.tool, call?.effect], ["everything__get-structured-content", "read"]);
  const [ended] = of(events, "call.ended");
  assert.deepEqual(ended?.output, { temperature: 36, conditions: "Light rain / drizzle", humidity: 82 });
});

test("only the tools that the crew names are offered", () => {
  assert.deepEqual([...crew.tools.keys()].toSorted(), ["everything__get-structured-content", "everything__get-sum"]);
});
