import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew, type ScriptEntry } from "@baton/core";
import { play } from "@baton/core/testing";
import { plainText } from "../terminal/styled-line.ts";
import { toAgentViews } from "./agent-view.ts";
import { Transcript } from "./transcript.ts";

/** The lines of a run, and the most live lines that were there at once. */
async function show(crew: Crew, script: { readonly [agent: string]: readonly ScriptEntry[] }) {
  const { events } = await play(crew, script);
  const transcript = new Transcript(toAgentViews(crew));
  const lines: string[] = [];
  let live = 0;
  for (const event of events) {
    lines.push(...transcript.add(event, 100).map(plainText));
    live = Math.max(live, transcript.live({ now: 0, width: 100 }).length);
  }
  return { lines: lines.map((line) => line.replace(/ {2}\d+ ms$/, "")), live };
}

test("what an agent or a crew does as a tool stands above its call, all turns of the crew included", async () => {
  const alpha = defineCrew({
    name: "alpha-crew",
    agents: [{ id: "finder" }, { id: "writer", isTerminal: true }],
    defaults: { finder: "writer" },
  });
  const crew = defineCrew({
    name: "t",
    entry: "boss",
    subCrews: { alpha },
    agents: [
      { id: "boss", isTerminal: true, tools: [{ agent: "helper", as: "help" }, { crew: "alpha" }] },
      { id: "helper", tools: [{ agent: "deeper" }] },
      { id: "deeper" },
    ],
  });
  const { lines } = await show(crew, {
    boss: [{ call: ["help", "alpha"].map((tool) => ({ tool, args: { input: "x" } })) }, { say: "Done." }],
    helper: [{ call: [{ tool: "deeper", args: { input: "y" } }] }, { say: "Helped." }],
    deeper: [{ say: "Deep." }],
    finder: [{ say: "Found." }],
    writer: [{ say: "Written." }],
  });
  const at = (text: string) => lines.findIndex((line) => line.includes(text));
  const order = ["│ │ ● deeper", "│ │ │ Deep.", 'deeper(input: "y")', "│ │ Helped.", '│ ✓ help(input: "x")'];
  assert.deepEqual(
    order.map(at).toSorted((one, other) => one - other),
    order.map(at),
    lines.join("\n"),
  );
  assert.ok(
    order.every((text) => at(text) > 0),
    lines.join("\n"),
  );
  const crews = ["│ ● finder", "│ │ Found.", "│ ● writer", "│ │ Written.", '│ ✓ alpha(input: "x")', "│ Done."];
  assert.deepEqual(
    crews.map(at).toSorted((one, other) => one - other),
    crews.map(at),
    lines.join("\n"),
  );
  assert.ok(
    crews.every((text) => at(text) > 0),
    lines.join("\n"),
  );
});

test("items of a map have numbers; of many only the first and those that failed are printed", async () => {
  const crew = defineCrew({
    name: "t",
    agents: [{ id: "lister", output: { type: "object" } }, { id: "check" }, { id: "sum", isTerminal: true }],
    signals: { lister: [{ when: {}, target: "each" }] },
    groups: { each: { map: "check", over: "output.list", nextAgent: "sum" } },
  });
  const list = Array.from({ length: 50 }, (_, at) => `item ${at + 1}`);
  const { lines, live } = await show(crew, {
    lister: [{ say: JSON.stringify({ list }) }],
    check: [{ when: "item 33", fail: "unlucky" }, { say: "Fine." }],
    sum: [{ say: "Summed up." }],
  });
  assert.ok(lines.includes("◆ each  check on 50 items"), lines.join("\n"));
  assert.deepEqual(
    lines.filter((line) => line.startsWith("│ ● ")),
    [...Array.from({ length: 10 }, (_, at) => `│ ● check ${at + 1}`), "│ ● check 33"],
  );
  assert.ok(lines.includes("│ … 39 more answered"));
  assert.ok(lines.includes("│ ▲ group each: 49 of 50 answered"), lines.join("\n"));
  assert.ok(live <= 9, `${live} live lines`);
});
