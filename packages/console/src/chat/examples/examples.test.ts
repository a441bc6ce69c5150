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
    chooseExamples(crews, "en").map(({ crew: id, ability }) => [id, ability]),
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
    chooseExamples([crew("plain"), crew("mute", { examples: [] })], "en").map(({ text }) => text),
    ["try plain"],
  );
});

const VI = "Máy tính của tôi chậm lắm";
const MORE_VI = "Phân tích kỹ thuật NVDA";

test("an example is in the reader's language if its crew has one, and so is the crew of an ability", () => {
  const crews = [
    crew("stranger", { ...pause, examples: [VI] }),
    crew("both", { ...pause, examples: [VI, "My computer is slow"] }),
    ...["a", "b", "c"].map((id) => crew(id)),
  ];
  const texts = (language: "en" | "vi") => chooseExamples(crews, language).map(({ text }) => text);
  assert.deepEqual(texts("en"), ["My computer is slow", "try a", "try b", "try c"]);
  assert.deepEqual(texts("vi"), [VI, VI, "try a", "try b"]);
});

test("one example of another language at most, as long as the crews have others", () => {
  const crews = [
    crew("helper", { kind: "assistant", examples: ["BTC price", MORE_VI, `${MORE_VI} 2`, `${MORE_VI} 3`] }),
    crew("pays", asks),
    crew("both", group),
  ];
  assert.deepEqual(
    chooseExamples(crews, "vi").map(({ text }) => text),
    [MORE_VI, "try pays", `${MORE_VI} 2`, `${MORE_VI} 3`],
  );
});

test("a crew that asks back is given the shortest message: the one that tells it least", () => {
  const crews = [crew("waits", { ...pause, examples: ["The disk of server-backup is full", "It is slow"] })];
  assert.equal(chooseExamples(crews, "en")[0]?.text, "It is slow");
});

test("if the crews have nothing else, examples of another language fill the page", () => {
  const crews = ["a", "b", "c", "d", "e"].map((id) => crew(id));
  assert.equal(chooseExamples(crews, "vi").length, 4);
});
