import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defineCrew } from "@baton/core";
import { toMermaid } from "../draw/mermaid.ts";
import { toSvg } from "../draw/svg.ts";
import { readCrew } from "../read/read-crew.ts";
import { writeFolder } from "../testing/folder.ts";
import { explore } from "./explore.ts";

const CREW = `version: "1.0"
agents:
  - id: boss
    name: Boss
    role: Leads
    max_rounds: 3
    is_terminal: true
    tools:
      - agent: researcher
        as: research
        description: Looks one thing up.
        max_calls: 2
        timeout_seconds: 120
      - crew: alpha
  - id: researcher
    name: R
    role: Looks up
    input: { type: object, properties: { topic: { type: string } }, required: [topic] }
  - { id: checker, name: C, role: Checks }
  - id: lister
    name: L
    role: Lists
    output: { type: object, properties: { list: { type: array, maxItems: 20 } } }
  - { id: summary, name: S, role: Sums up, is_terminal: true }
entry_point: lister
sub_crews: { alpha: ./alpha }
routing:
  defaults: { boss: summary }
  signals:
    lister: [{ signal: "[GO]", target: checks }]
  parallel_groups:
    checks: { map: checker, over: output.list, input: "{{item}}", max_parallel: 3, max_items: 50, next_agent: boss }
`;
const ALPHA = 'version: "1.0"\nagents: [{ id: one, name: One, role: Works, is_terminal: true }]\n';

const read = async (text: string) => {
  await using folder = await writeFolder({ "crew.yaml": text, "alpha/crew.yaml": ALPHA });
  return await readCrew(folder.path, { providers: [] });
};

suite("agents as tools and maps", () => {
  test("are read from YAML, in core's units", async () => {
    const { crew, findings } = await read(CREW);
    assert.deepEqual(
      findings.filter(({ severity }) => severity === "error"),
      [],
    );
    const boss = crew?.agents.get("boss");
    assert.deepEqual(boss?.tools, ["research", "alpha"]);
    const first = { agent: "researcher", as: "research", description: "Looks one thing up.", maxCalls: 2 };
    assert.deepEqual(boss?.children, [
      { ...first, timeoutMs: 120_000 },
      { crew: "alpha", as: "alpha" },
    ]);
    assert.deepEqual(crew?.groups.get("checks"), {
      agents: [],
      map: "checker",
      over: "output.list",
      input: "{{item}}",
      maxParallel: 3,
      maxItems: 50,
      nextAgent: "boss",
    });
  });

  test("that are wrong are told with their line", async () => {
    const wrong = CREW.replace("agent: researcher", "agent: reseacher").replace("over: output.list", "over: list");
    const found = (await read(wrong)).findings.filter(({ severity }) => severity === "error");
    assert.deepEqual(
      found.map(({ code, line, fix }) => [code, line, fix]),
      [
        ["unknown_agent", 9, "did you mean `researcher`?"],
        ["invalid_over", 32, "write `output.PATH`, of the agent that leads here, or `state.KEY`"],
      ],
    );
    const self = CREW.replace("role: Looks up", "role: Looks up\n    tools: [{ agent: boss }]");
    const [cycle] = (await read(self)).findings.filter(({ severity }) => severity === "error");
    assert.equal(cycle?.code, "agent_cycle");
    assert.match(cycle?.message ?? "", /boss → researcher → boss/);
    const unknown = (await read(CREW.replace("max_calls: 2", "max_cals: 2"))).findings.map(({ fix }) => fix);
    assert.ok(unknown.includes("did you mean `max_calls`?"), unknown.join());
  });

  const crew = defineCrew({
    name: "t",
    agents: [
      { id: "lister", output: { type: "object", properties: { list: { type: "array", maxItems: 20 } } } },
      { id: "checker", isTerminal: true },
      {
        id: "boss",
        isTerminal: true,
        maxSteps: 3,
        tools: [{ agent: "helper", as: "help", maxCalls: 2 }, { crew: "alpha" }],
      },
      { id: "helper", isTerminal: true },
    ],
    subCrews: { alpha: defineCrew({ name: "alpha", agents: [{ id: "one" }] }) },
    signals: { lister: [{ when: { list: [] }, target: "checks" }], helper: [{ signal: "[X]", target: "boss" }] },
    groups: { checks: { map: "checker", over: "output.list", maxItems: 50, nextAgent: "boss" } },
  });

  test("are reached, and what has no effect in them is told", () => {
    const findings = explore(crew).findings.map(({ code, path }) => `${code} ${path.join(".")}`);
    assert.ok(!findings.some((finding) => finding.startsWith("unreachable")), findings.join("\n"));
    assert.ok(findings.includes("ineffective_member agents.2.tools.0"), findings.join("\n"));
    assert.ok(findings.includes("ignored_signals agents.2.tools.0"), findings.join("\n"));
    assert.ok(findings.includes("ineffective_member groups.checks.map"), findings.join("\n"));
  });

  test("count in the worst case: calls times the child, items times the member", () => {
    // The lister and its corrections, 20 items, three steps of the boss, two helpers, eight runs of alpha.
    assert.equal(explore(crew).worst.modelCalls, 3 + 20 + 3 + 2 + 8);
  });

  test("are drawn", () => {
    const mermaid = toMermaid(crew);
    assert.match(mermaid, /#40;calls help#41;/);
    assert.match(mermaid, /#40;calls alpha#41;/);
    assert.match(mermaid, /each of output.list#58; checker/);
    assert.match(toSvg(crew), /calls help/);
  });
});
