import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defineCrew } from "./crew.ts";
import type { CrewDefinition } from "./definition.ts";
import { DEFAULT_SETTINGS } from "./limits.ts";

const define = (definition: Partial<CrewDefinition>) =>
  defineCrew({ name: "test", agents: [{ id: "a" }], ...definition });

suite("defining a crew", () => {
  test("fills in every default", () => {
    const crew = define({});
    assert.deepEqual(crew.agents.get("a"), {
      id: "a",
      name: "a",
      role: "",
      description: "",
      backstory: "",
      toolCalls: "auto",
      toolChoice: "auto",
      parallelToolCalls: true,
      temperature: 0.7,
      tools: [],
      handoffTargets: [],
      isTerminal: false,
      offers: [],
      children: [],
      pinnedTools: [],
      toolSearch: false,
      audience: "user",
    });
    assert.deepEqual([crew.description, crew.tasks, crew.settings], ["", [], DEFAULT_SETTINGS]);
    assert.deepEqual([crew.tools.size, crew.signals.size, crew.groups.size, crew.permissions.size], [0, 0, 0, 0]);
  });

  test("keeps what is given and takes the default for the rest, `undefined` included", () => {
    const unchecked: object = { role: undefined, name: undefined, maxHandoffs: undefined, maxSteps: undefined };
    const { settings, agents } = define({
      agents: [{ id: "a", ...unchecked, temperature: 0 }],
      settings: { ...unchecked, maxHandoffs: 9, language: "vi" },
    });
    assert.deepEqual(settings, { ...DEFAULT_SETTINGS, maxHandoffs: 9, language: "vi" });
    const { name, role, temperature } = agents.get("a") ?? {};
    assert.deepEqual([name, role, temperature], ["a", "", 0]);
  });

  test("says everything that is wrong in one error, a line each with its fix", () => {
    const agents = [{ id: "teacher", temperature: 3, handoffTargets: ["techer"] }];
    assert.throws(() => define({ agents, entry: "nobody" }), {
      name: "BatonError",
      code: "invalid",
      message: [
        'the crew "test" cannot run:',
        "  agents.0.temperature: 3 is out of range; use a number from 0 to 2",
        "  agents.0.handoffTargets.0: there is no agent `techer`; did you mean `teacher`?",
        "  entry: the entry `nobody` is neither an agent nor a group; name an agent or a group of the crew",
      ].join("\n"),
    });
  });

  test("lets a signal with an unknown target pass: a run falls through it with a warning", () => {
    const crew = define({ signals: { a: [{ signal: "[GO]", target: "nowhere" }] } });
    assert.equal(crew.signals.get("a")?.[0]?.target, "nowhere");
  });

  test("starts at the first agent that is not terminal, by itself or by its behaviour", () => {
    const agents = [{ id: "a", isTerminal: true }, { id: "b" }, { id: "c" }];
    assert.deepEqual(define({ agents }).entry, { kind: "agent", id: "b" });
    assert.deepEqual(define({ agents, behaviors: { b: { isTerminal: true } } }).entry, { kind: "agent", id: "c" });
    assert.deepEqual(define({ agents: agents.slice(0, 1) }).entry, { kind: "agent", id: "a" });
  });

  test("starts where it is told to, an agent or a group", () => {
    const groups = { team: { agents: ["a"] } };
    assert.deepEqual(define({ entry: "a" }).entry, { kind: "agent", id: "a" });
    assert.deepEqual(define({ groups, entry: "team" }).entry, { kind: "group", id: "team" });
  });

  test("takes names from outside as they are, also those every object has", () => {
    const agents = [{ id: "__proto__" }, { id: "constructor" }];
    const crew = define({
      agents,
      defaults: new Map([["__proto__", "constructor"]]),
      behaviors: new Map([["constructor", {}]]),
    });
    assert.deepEqual([...crew.agents.keys()], ["__proto__", "constructor"]);
    assert.equal(crew.defaults.get("__proto__"), "constructor");
    assert.equal(crew.behaviors.get("toString"), undefined);
  });

  test("cannot be changed afterwards, neither by its reader nor through what it was made from", () => {
    const targets = ["b"];
    const routes = [{ signal: "[GO]", target: "b" }];
    const crew = define({ agents: [{ id: "a", handoffTargets: targets }, { id: "b" }], signals: { a: routes } });
    targets.push("c");
    routes.pop();
    assert.deepEqual(crew.agents.get("a")?.handoffTargets, ["b"]);
    assert.equal(crew.signals.get("a")?.length, 1);
    assert.throws(() => Object.assign(crew, { name: "other" }), TypeError);
    assert.throws(() => Object.assign(crew.agents.get("a") ?? {}, { id: "other" }), TypeError);
    assert.throws(() => Object.assign(crew.signals.get("a")?.[0] ?? {}, { target: "a" }), TypeError);
    const { agents } = crew;
    assert.ok(agents instanceof Map);
    for (const change of [() => agents.set("c", {}), () => agents.delete("a"), () => agents.clear()]) {
      assert.throws(change, { code: "invalid" });
    }
    assert.equal(crew.agents.size, 2);
  });
});
