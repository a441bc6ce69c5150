/** Four things to try show four abilities, of crews that are served. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrewDetail } from "@baton/client";
import { z } from "zod";
import { chooseExamples } from "./examples.ts";

const crew = (id: string, fields: object = {}): CrewDetail =>
  z
    .custom<CrewDetail>(() => true)
    .parse({
      id,
      kind: "crew",
      examples: [`try ${id}`],
      permissions: {},
      groups: [],
      agents: [{ id: "a", pause: false }],
      ...fields,
    });

const asks = { permissions: { Pay: "ask", Look: "allow" } };
const group = { groups: [{ id: "g" }] };
const pause = { agents: [{ id: "a", pause: true }] };

test("each ability once, by the crew that shows little else", () => {
  const crews = [
    crew("plain"),
    crew("all", { ...asks, ...group, ...pause }),
    crew("pays", asks),
    crew("both", group),
    crew("waits", pause),
    crew("helper", { kind: "assistant" }),
  ];
  assert.deepEqual(
    chooseExamples(crews).map(({ crew: id, ability }) => [id, ability]),
    [
      ["helper", "assistant"],
      ["pays", "approval"],
      ["both", "group"],
      ["waits", "pause"],
    ],
  );
});

test("few crews give few examples, and one without examples is not offered", () => {
  assert.deepEqual(
    chooseExamples([crew("plain"), crew("mute", { examples: [] })]).map(({ text }) => text),
    ["try plain"],
  );
});
