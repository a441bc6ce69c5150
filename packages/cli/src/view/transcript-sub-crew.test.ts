import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { play } from "@baton/core/testing";
import { toAgentViews } from "./agent-view.ts";
import { plainText } from "../terminal/styled-line.ts";
import { Transcript } from "./transcript.ts";

test("agents of a sub-crew are shown in the order they speak, by their own names and without their signals", async () => {
  const alpha = defineCrew({
    name: "research",
    agents: [
      { id: "asker", name: "Ola" },
      { id: "lead", name: "Tuan", isTerminal: true },
    ],
    signals: { asker: [{ signal: "[OVER]", target: "lead" }] },
  });
  const crew = defineCrew({
    name: "desk",
    agents: [{ id: "lead", name: "Kim" }],
    subCrews: { alpha },
    signals: {
      lead: [
        { signal: "[ALPHA]", target: "alpha" },
        { signal: "[END]", target: "" },
      ],
    },
  });
  const { events } = await play(crew, {
    lead: [{ say: "Find out. [ALPHA]" }, { say: "So it is. [END]" }],
    "alpha/asker": [{ say: "I look. [OVER]" }],
    "alpha/lead": [{ say: "It is so." }],
  });
  const transcript = new Transcript(toAgentViews(crew));
  const lines = events.flatMap((event) => transcript.add(event, 80)).map(plainText);
  assert.deepEqual(lines.filter((line) => line !== "").slice(0, -1), [
    "● Kim  lead",
    "│ Find out.",
    "╰─ [ALPHA] → alpha",
    "◆ alpha  the crew research",
    "● Ola  asker",
    "│ I look.",
    "╰─ [OVER] → Tuan",
    "● Tuan  lead",
    "│ It is so.",
    "╰─ → Kim  back",
    "● Kim  lead",
    "│ So it is.",
    "╰─ [END] → end",
  ]);
});
