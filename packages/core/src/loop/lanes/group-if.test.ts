import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AgentDefinition } from "../../definitions/agent.ts";
import { defineCrew } from "../../definitions/crew.ts";
import type { GroupDefinition } from "../../definitions/definition.ts";
import { defineProgram } from "../../ports/program.ts";
import { crashEverywhere } from "../../testing/crash-everywhere.ts";
import { of, play } from "../../testing/crew-runs.ts";
import type { Json } from "../../words/json.ts";

/** A crew whose program sets the state before a group, two members of which have a condition. */
const crewOf = (set: { readonly [key: string]: Json }, always: readonly "a"[] = ["a"]) =>
  defineCrew({
    name: "g",
    agents: [
      { id: "lead", model: { name: "code/lead" } },
      { id: "a" },
      { id: "b" },
      { id: "c" },
      { id: "end", isTerminal: true },
    ],
    programs: { lead: defineProgram(() => ({ say: "[GO]", set })) },
    signals: { lead: [{ signal: "[GO]", target: "team" }] },
    groups: {
      team: { agents: [...always, { agent: "b", if: "on" }, { agent: "c", if: "options.deep" }], nextAgent: "end" },
    },
  });

const REPLIES = { a: [{ say: "A" }], b: [{ say: "B" }], c: [{ say: "C" }], end: [{ say: "End." }] };

describe("a member with a condition", () => {
  const cases: readonly (readonly [set: { readonly [key: string]: Json }, members: readonly string[]])[] = [
    [{ on: true, options: { deep: true } }, ["a", "b", "c"]],
    [{ on: true }, ["a", "b"]],
    [{ on: "true", options: { deep: 1 } }, ["a"]],
    [{}, ["a"]],
  ];
  for (const [set, members] of cases) {
    test(`with the state ${JSON.stringify(set)} the members are ${members.join(", ")}`, async () => {
      const { events, outcome, warnings } = await play(crewOf(set), REPLIES);
      assert.deepEqual([outcome, warnings], ["done", []]);
      assert.deepEqual(of(events, "group.started")[0]?.agents, members);
      assert.deepEqual(
        of(events, "group.ended")[0]?.results.map(({ agent }) => agent),
        members,
      );
    });
  }

  test("if none is left the group ends at once, with a warning, and the run continues", async () => {
    const { events, content, warnings } = await play(crewOf({}, []), REPLIES);
    assert.equal(content, "End.");
    assert.deepEqual(of(events, "group.ended")[0]?.results, []);
    assert.deepEqual(
      warnings.map(({ text }) => text),
      ["group team: has no members"],
    );
  });

  test("takes part again after a crash at any event, as the state was when the group began", async () => {
    const { events } = await crashEverywhere({ crew: () => crewOf({ on: true }), replies: REPLIES });
    assert.deepEqual(of(events, "group.started")[0]?.agents, ["a", "b"]);
  });

  test("must be an agent of the crew, once, with known fields", () => {
    const agents: readonly AgentDefinition[] = [{ id: "a" }, { id: "b" }];
    const define = (members: GroupDefinition["agents"] = []) =>
      defineCrew({ name: "g", agents, groups: { team: { agents: members } } });
    assert.throws(
      () => define(["a", { agent: "x", if: "on" }]),
      /groups\.team\.agents\.1\.agent: there is no agent `x`/,
    );
    assert.throws(() => define(["a", { agent: "a", if: "on" }]), /groups\.team\.agents\.1: .*already used/);
    const typo = { agent: "b", if: "on", when: "on" };
    assert.throws(() => define(["a", typo]), /the member has no field `when`/);
  });
});
