import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, type Crew, type CrewDefinition } from "@baton/core";
import { checkCrew } from "./check-crew.ts";

const codesOf = (crew: Crew, providers?: readonly string[]) =>
  checkCrew(crew, providers === undefined ? {} : { providers })
    .filter(({ severity }) => severity !== "note")
    .map(({ severity, code, path }) => `${severity} ${code} ${path}`);

const define = (definition: Partial<CrewDefinition>): Crew =>
  defineCrew({ name: "test", agents: [{ id: "a", isTerminal: true }], ...definition });

test("a finding says where the crew was defined, what is wrong and how to fix it", () => {
  const crew = defineCrew({ name: "lost", agents: [{ id: "a", isTerminal: true }, { id: "b" }], entry: "a" });
  const [finding] = checkCrew(crew);
  assert.partialDeepStrictEqual(finding, {
    code: "unreachable_agent",
    severity: "warning",
    path: "agents[1]",
    line: 15,
  });
  assert.equal(finding?.file, import.meta.filename);
  assert.notEqual(finding?.fix, "");
});

test("two agents that only a limit stops are an error, and an agent that nothing reaches is a warning", () => {
  const crew = define({
    agents: [{ id: "a" }, { id: "b" }, { id: "c" }],
    signals: { a: [{ signal: "[X]", target: "b" }], b: [{ signal: "[Y]", target: "a" }] },
    defaults: { a: "b", b: "a" },
  });
  assert.deepEqual(codesOf(crew), ["error no_end entry", "warning unreachable_agent agents[2]"]);
});

test("a target that does not exist, a wrong cron and an unknown time zone are errors, also in a crew that is contained", () => {
  const inner = define({
    name: "inner",
    signals: { a: [{ signal: "[X]", target: "nowhere" }] },
    schedules: [{ name: "s", cron: "99 * * * *", timeZone: "Mars/Base", input: "x" }],
  });
  const own = ["invalid_time_zone schedules[0].timeZone", "invalid_cron schedules[0].cron"];
  assert.deepEqual(
    codesOf(inner).toSorted(),
    ["unknown_target signals.a[0].target", ...own].map((one) => `error ${one}`).toSorted(),
  );
  const outer = define({ subCrews: { inner }, signals: { a: [{ signal: "[GO]", target: "inner" }] } });
  assert.ok(codesOf(outer).includes("error unknown_target subCrews.inner.signals.a[0].target"));
});

const OUTPUT = {
  type: "object",
  properties: {
    verdict: { type: "string", enum: ["ok", "rework"] },
    isUrgent: { type: "boolean" },
    kind: { anyOf: [{ const: "x" }, { type: "null" }] },
  },
  required: ["verdict", "isUrgent", "kind"],
} as const;

for (const [what, conditions, isCovered] of [
  ["all values of an enum", [{ verdict: "ok" }, { verdict: "rework" }], true],
  ["all values of an enum in one list", [{ verdict: ["ok", "rework"] }], true],
  ["one value of an enum", [{ verdict: "ok" }], false],
  ["true and false", [{ isUrgent: true }, { isUrgent: false }], true],
  ["a constant and null", [{ kind: "x" }, { kind: null }], true],
  [
    "all combinations of two fields",
    [{ verdict: "ok" }, { verdict: "rework", isUrgent: true }, { verdict: "rework", isUrgent: false }],
    true,
  ],
  ["not all combinations of two fields", [{ verdict: "ok" }, { verdict: "rework", isUrgent: true }], false],
] as const) {
  test(`an agent whose routes cover ${what} ${isCovered ? "never falls" : "may fall"} to any other agent`, () => {
    const crew = define({
      autoRoute: true,
      agents: [
        { id: "editor", output: OUTPUT },
        { id: "chief", isTerminal: true },
      ],
      signals: { editor: conditions.map((when) => ({ when, target: "chief" })) },
    });
    assert.equal(codesOf(crew).includes("warning any_other_agent agents[0]"), !isCovered);
  });
}

test("a field that may be missing is not covered by all of its values", () => {
  const crew = define({
    autoRoute: true,
    agents: [
      { id: "editor", output: { ...OUTPUT, required: [] } },
      { id: "chief", isTerminal: true },
    ],
    signals: { editor: ["ok", "rework"].map((verdict) => ({ when: { verdict }, target: "chief" })) },
  });
  assert.ok(codesOf(crew).includes("warning any_other_agent agents[0]"));
});

test("a way that needs more handoffs than are allowed is named, with the shortest conversation that shows it", () => {
  const crew = define({
    agents: [{ id: "desk" }, { id: "writer" }, { id: "chief", isTerminal: true }],
    defaults: { desk: "writer", writer: "chief" },
    signals: { chief: [{ signal: "[REWORK]", target: "writer" }] },
    settings: { maxHandoffs: 3 },
  });
  const [finding, ...others] = checkCrew(crew).filter(({ code }) => code === "beyond_limit");
  assert.deepEqual(others, []);
  assert.match(
    finding?.message ?? "",
    /^`chief` can never hand over to `writer` by \[REWORK\]: maxHandoffs 3 allows only 2/,
  );
  assert.deepEqual(finding?.conversation?.slice(-3), ["chief", "[REWORK]", "writer"]);
  const more = { ...crew, settings: { ...crew.settings, maxHandoffs: 4 } };
  assert.ok(!checkCrew(more).some(({ code }) => code === "beyond_limit"));
});
