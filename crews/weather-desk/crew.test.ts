/** A question by the script: the tool of a server, played from the cassette, and called at the server itself. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { CrewMcp } from "@baton/baton/mcp";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const here = import.meta.dirname;
const CHICAGO = { temperature_c: 24, conditions: "warm, with thunderstorms", humidity_percent: 70 };

for (const [where, more] of [
  ["the cassette", { cassette: join(here, "cassette.json") }],
  ["the server in its folder", {}],
] as const)
  test(`the weather comes from ${where}, by tools that the crew says only read`, async () => {
    await using servers = new CrewMcp({ env: {}, warn: () => {}, ...more });
    const { crew, script, findings } = await readCrew(here, { providers: [], mcp: servers.makeTools });
    assert.ok(crew && script, JSON.stringify(findings));
    assert.deepEqual([...crew.tools.keys()].toSorted(), ["weather__get_weather", "weather__list_cities"]);
    const { events, outcome } = await play(crew, script, { input: "How is the weather in Chicago?" });
    assert.equal(outcome, "done");
    const [call] = of(events, "call.started");
    assert.deepEqual([call?.tool, call?.effect], ["weather__get_weather", "read"]);
    assert.deepEqual(of(events, "call.ended")[0]?.output, CHICAGO);
  });
