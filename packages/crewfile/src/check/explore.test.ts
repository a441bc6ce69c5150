import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defineCrew, type AgentDefinition, type CrewDefinition } from "@baton/core";
import { assertLinear } from "@baton/core/testing";
import { explore } from "./explore.ts";

const agents = (...ids: string[]): AgentDefinition[] => ids.map((id) => ({ id }));
const route = (signal: string, target: string) => ({ signal, target });

function exploreCrew(definition: Omit<CrewDefinition, "name">) {
  return explore(defineCrew({ name: "test", autoRoute: true, ...definition }));
}

function codesOf(definition: Omit<CrewDefinition, "name">): string[] {
  return exploreCrew(definition).findings.map(({ code }) => code);
}

suite("ends", () => {
  test("one agent alone ends when it has answered", () => {
    assert.deepEqual(codesOf({ agents: agents("a") }), []);
  });

  test("two agents that fall to each other can reach no end, and the round is shown", () => {
    const { findings } = exploreCrew({ agents: agents("a", "b") });
    const [first] = findings;
    assert.deepEqual([first?.code, first?.severity, first?.path], ["no_end", "error", ["entry"]]);
    assert.deepEqual(first?.conversation, ["a", "(any other agent)", "b", "(any other agent)", "a"]);
    assert.ok(findings.slice(1).every(({ severity }) => severity === "warning"));
  });

  test("a pause is enough for a crew to be allowed, though no end can be reached", () => {
    const { findings } = exploreCrew({
      agents: agents("a", "b"),
      signals: { a: [route("[B]", "b")], b: [route("[A]", "a")] },
      behaviors: { a: { waitForSignal: true }, b: { waitForSignal: true } },
    });
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["no_end", "no_end", "cycle"],
    );
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      ["warning", "warning", "note"],
    );
  });

  test("a cycle that can be left is told apart from one that only a limit stops", () => {
    const { findings } = exploreCrew({
      agents: [...agents("a", "b"), { id: "c", handoffTargets: ["d"] }, { id: "d", handoffTargets: ["c"] }],
      signals: { a: [route("[B]", "b"), route("[C]", "c")], b: [route("[A]", "a"), route("[END]", "")] },
      defaults: { a: "b", b: "a" },
    });
    const byCode = new Map(findings.map((finding) => [finding.code, finding]));
    assert.deepEqual(byCode.get("cycle")?.conversation, ["a", "[B]", "b", "[A]", "a"]);
    const round = ["a", "[C]", "c", "(handoff target)", "d", "(handoff target)", "c"];
    assert.deepEqual(byCode.get("endless_cycle")?.conversation, round);
    assert.deepEqual([byCode.get("cycle")?.severity, byCode.get("endless_cycle")?.severity], ["note", "warning"]);
    assert.equal(byCode.has("no_end"), false);
  });

  test("a failure is a way to an agent, and not a way to the end", () => {
    const rescue = { id: "c", isTerminal: true };
    const back = { agents: [...agents("a", "b"), rescue], defaults: { a: "b", b: "a" } };
    const { findings } = exploreCrew({ ...back, behaviors: { b: { onFailure: "c" } } });
    assert.deepEqual(
      findings.map(({ code, severity }) => [code, severity]),
      [["no_end", "error"]],
    );
    const signals = { b: [route("[END]", "")] };
    const ended = { ...back, signals, defaults: { a: "b", b: "a" } };
    assert.deepEqual(codesOf({ ...ended, behaviors: { b: { onFailure: "c" } } }), ["cycle"]);
    assert.deepEqual(codesOf(ended), ["cycle", "unreachable_agent"]);
  });

  test("agents that hand the baton to each other only when they fail can pass it around", () => {
    const { findings } = exploreCrew({
      agents: [
        { id: "a", isTerminal: true },
        { id: "b", isTerminal: true },
      ],
      behaviors: { a: { onFailure: "b" }, b: { onFailure: "a" } },
    });
    assert.deepEqual(findings[0]?.conversation, ["a", "(on failure)", "b", "(on failure)", "a"]);
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["cycle"],
    );
  });

  test("an agent that gets the baton back when it fails is told, and not as a cycle that may be intended", () => {
    const alone = { agents: [{ id: "a", isTerminal: true }], behaviors: { a: { onFailure: "a" } } };
    const [finding, ...others] = exploreCrew({ ...alone, settings: { maxHandoffs: 7 } }).findings;
    assert.deepEqual(
      [finding?.code, finding?.severity, finding?.path, others],
      ["failure_to_itself", "warning", ["behaviors", "a", "onFailure"], []],
    );
    assert.match(finding?.message ?? "", /until max_handoffs \(7\) ends the run$/);
    const again = { ...alone, signals: { a: [route("[AGAIN]", "a")] } };
    assert.deepEqual(codesOf(again), ["cycle", "failure_to_itself"]);
  });

  test("a pause with no signal stays a pause that nothing can resume, even if another agent takes over on failure", () => {
    const found = codesOf({
      agents: [{ id: "a" }, { id: "b", isTerminal: true }],
      behaviors: { a: { waitForSignal: true, onFailure: "b" } },
    });
    assert.deepEqual(found, ["endless_pause"]);
  });

  test("an agent that only leads into an endless cycle cannot reach an end either", () => {
    const { findings } = exploreCrew({
      agents: [
        { id: "a", isTerminal: true },
        { id: "x", handoffTargets: ["c"] },
        { id: "c", handoffTargets: ["c"] },
      ],
      entry: "a",
      signals: { a: [route("[X]", "x")] },
    });
    const [noEnd] = findings.filter(({ code }) => code === "no_end");
    assert.deepEqual(
      [noEnd?.path, noEnd?.conversation],
      [
        ["agents", 1],
        ["a", "[X]", "x"],
      ],
    );
  });

  test("a signal to an unknown target is no way out, as in a run", () => {
    const { findings } = exploreCrew({
      agents: [
        { id: "a", handoffTargets: ["b"] },
        { id: "b", handoffTargets: ["a"] },
      ],
      signals: { a: [route("[END]", "nowhere")] },
    });
    assert.equal(findings[0]?.code, "no_end");
  });

  test("auto_route: false ends a run that has no other way to go", () => {
    const definition = {
      agents: agents("a", "b"),
      entry: "a",
      signals: { a: [route("[B]", "b")], b: [route("[END]", "")] },
    };
    assert.deepEqual(codesOf({ ...definition, behaviors: { a: { autoRoute: false }, b: { autoRoute: false } } }), []);
    assert.ok(codesOf(definition).includes("any_other_agent"));
  });
});

suite("pauses", () => {
  test("a waiting agent without signals can never be left", () => {
    const { findings } = exploreCrew({
      agents: [
        { id: "a", handoffTargets: ["b"] },
        { id: "b", isTerminal: true },
      ],
      behaviors: { a: { waitForSignal: true } },
    });
    assert.deepEqual(findings[0]?.path, ["behaviors", "a", "waitForSignal"]);
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["endless_pause", "unreachable_agent"],
    );
  });

  test("waiting goes before being terminal, so a terminal agent that waits does not end", () => {
    const codes = codesOf({ agents: [{ id: "a", isTerminal: true }], behaviors: { a: { waitForSignal: true } } });
    assert.deepEqual(codes, ["endless_pause"]);
  });
});

suite("reach", () => {
  test("a fallback to any other agent is one edge, to the first other agent", () => {
    const { findings } = exploreCrew({
      agents: [{ id: "a" }, { id: "b", isTerminal: true }, { id: "c", isTerminal: true }],
    });
    assert.deepEqual(
      findings.map(({ code, path }) => [code, path]),
      [
        ["any_other_agent", ["agents", 0]],
        ["unreachable_agent", ["agents", 2]],
      ],
    );
  });

  test("an agent that only a task starts at, or that only works in a group, takes part", () => {
    const codes = codesOf({
      agents: [{ id: "a", isTerminal: true }, { id: "t", isTerminal: true }, { id: "m" }],
      entry: "a",
      tasks: [{ name: "job", description: "", agent: "t" }],
      signals: { a: [route("[ALL]", "team")] },
      groups: { team: { agents: ["m"], nextAgent: "a" } },
    });
    assert.deepEqual(codes, ["cycle"]);
  });

  test("a group without a next agent goes on where the agent that signalled would fall to, though that one waits", () => {
    const { findings } = exploreCrew({
      agents: [{ id: "a" }, { id: "b", isTerminal: true }, { id: "m" }],
      signals: { a: [route("[ALL]", "team")] },
      defaults: { a: "b" },
      behaviors: { a: { waitForSignal: true } },
      groups: { team: { agents: ["m"] } },
    });
    assert.deepEqual(findings, []);
  });

  test("a crew may start at a group", () => {
    assert.deepEqual(
      codesOf({ agents: agents("a", "b"), entry: "team", groups: { team: { agents: ["a", "b"] } } }),
      [],
    );
  });

  test("who is further away than max_handoffs allows never gets the baton, unless a pause lies between", () => {
    const chain = ["a", "b", "c", "d"].map((id, index, all): AgentDefinition => {
      const next = all[index + 1];
      return next === undefined ? { id, isTerminal: true } : { id, handoffTargets: [next] };
    });
    const far = exploreCrew({ agents: chain, settings: { maxHandoffs: 3 } }).findings;
    assert.deepEqual(
      far.map(({ code, path }) => [code, path]),
      [["beyond_limit", ["agents", 3]]],
    );
    assert.deepEqual(codesOf({ agents: chain, settings: { maxHandoffs: 4 } }), []);
    const paused = {
      agents: chain,
      settings: { maxHandoffs: 3 },
      signals: { b: [route("[ON]", "c")] },
      behaviors: { b: { waitForSignal: true } },
    };
    assert.deepEqual(codesOf(paused), []);
  });
});

suite("groups", () => {
  test("what members signal, and whether they wait or end, has no effect", () => {
    const { findings } = exploreCrew({
      agents: [{ id: "a", isTerminal: true }, { id: "m", isTerminal: true }, { id: "n" }],
      entry: "a",
      signals: { a: [route("[ALL]", "team")], n: [route("[X]", "")] },
      behaviors: { n: { waitForSignal: true } },
      groups: { team: { agents: ["m", "n"], nextAgent: "a", timeoutMs: 1_000_000 } },
    });
    const seen = findings
      .filter(({ path }) => path[0] === "groups")
      .map(({ code, path }) => `${code} ${path.join(".")}`);
    assert.deepEqual(seen, [
      "group_outlives_run groups.team.timeoutMs",
      "ineffective_member groups.team.agents.0",
      "ignored_signals groups.team.agents.1",
      "ineffective_member groups.team.agents.1",
    ]);
    assert.deepEqual(findings.find(({ code }) => code === "ignored_signals")?.conversation, ["a", "[ALL]", "team"]);
  });

  test("signals of a member are a note only if it also works outside, and the group names who is next", () => {
    const severity = (outside: readonly string[], nextAgent: string | undefined) => {
      const { findings } = exploreCrew({
        agents: [{ id: "a", handoffTargets: [...outside] }, { id: "b", isTerminal: true }, { id: "m" }],
        entry: "a",
        signals: { a: [route("[ALL]", "team")], m: [route("[X]", "b")] },
        groups: { team: { agents: ["m"], ...(nextAgent === undefined ? {} : { nextAgent }) } },
      });
      return findings.find(({ code }) => code === "ignored_signals")?.severity;
    };
    assert.equal(severity(["m"], "b"), "note");
    assert.equal(severity(["b"], "b"), "warning");
    assert.equal(severity(["m"], undefined), "warning");
    assert.equal(severity([], "b"), "warning", "the last resort does not count");
  });

  test("a group without a timeout of its own may outlive the run by the crew's default", () => {
    const groups = { team: { agents: ["m"], nextAgent: "a" } };
    const definition = {
      agents: [{ id: "a", isTerminal: true }, { id: "m" }],
      signals: { a: [route("[T]", "team")] },
      groups,
      entry: "a",
    };
    assert.ok(codesOf({ ...definition, settings: { timeoutMs: 1_000 } }).includes("group_outlives_run"));
    assert.ok(!codesOf({ ...definition, settings: { timeoutMs: 60_000 } }).includes("group_outlives_run"));
  });
});

suite("what prompts say of signals", () => {
  const crewWith = (systemPrompt: string, more: Partial<AgentDefinition> = {}) =>
    exploreCrew({
      agents: [
        { id: "a", systemPrompt, isTerminal: true, ...more },
        { id: "b", isTerminal: true },
      ],
      entry: "a",
      signals: { a: [route("[KẾT THÚC]", "b")], b: [route("[OTHER]", "")] },
    }).findings;

  test("a signal counts as mentioned in any of the ways it would match", () => {
    assert.deepEqual(crewWith("Write [ kết  thúc ] at the end."), []);
    assert.deepEqual(crewWith("Say {{backstory}}.", { backstory: "[Kết Thúc]" }), []);
    assert.deepEqual(
      crewWith("Do not forget.").map(({ code, path }) => [code, path]),
      [["unmentioned_signal", ["signals", "a", 0, "signal"]]],
    );
  });

  test("a prompt that Baton makes itself mentions every signal", () => {
    assert.deepEqual(crewWith(""), []);
  });

  test("a mention that nobody routes is found once, with the nearest signal", () => {
    const findings = crewWith("Write [KẾT THÚC]. Or [KẾT THUC], [KẾT THUC].");
    assert.deepEqual(
      findings.map(({ code, text, fix }) => [code, text, fix]),
      [["unrouted_signal", "[KẾT THUC]", "did you mean [KẾT THÚC]?"]],
    );
  });

  test("another agent's signal, a link, a list, a footnote and small letters are no signals", () => {
    assert.deepEqual(crewWith('[KẾT THÚC] [OTHER] [LINK](http://x) ["A"] [1] [x] [your name] [A] [UNCLOSED'), []);
  });
});

suite("large crews", () => {
  const make = (count: number) =>
    defineCrew({
      name: "large",
      agents: Array.from({ length: count }, (_, index) => ({ id: `a${index}`, systemPrompt: "[S0] [S1]", tools: [] })),
      signals: new Map(
        Array.from({ length: count }, (_, index) => [
          `a${index}`,
          [route("[S0]", `a${(index * 7 + 1) % count}`), route("[S1]", `a${(index * 13 + 5) % count}`)],
        ]),
      ),
    });

  test("ten times the agents is no more than about ten times the work", () => {
    assertLinear(500, (count) => {
      const crew = make(count);
      return () => explore(crew);
    });
  });

  test("a chain of ten thousand agents is not too deep, and its conversations are cut", () => {
    const count = 10_000;
    const chain = Array.from({ length: count }, (_, index): AgentDefinition => ({
      id: `a${index}`,
      handoffTargets: [`a${index + 1}`],
    }));
    const { findings, worst } = exploreCrew({
      agents: [...chain, { id: `a${count}`, isTerminal: true }],
      settings: { maxHandoffs: 100 },
    });
    assert.equal(worst.handoffs, 99);
    assert.ok(findings.every(({ conversation = [] }) => conversation.length < 40));
    assert.equal(findings.filter(({ code }) => code === "beyond_limit").length, count - 99);
  });
});
