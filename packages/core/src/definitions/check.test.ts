import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertLinear } from "../testing/growth.ts";
import type { AgentDefinition } from "./agent.ts";
import { checkDefinition } from "./check.ts";
import { defineCrew } from "./crew.ts";
import type { CrewDefinition } from "./definition.ts";
import { DEFAULT_SETTINGS, SETTING_NAMES, type Settings } from "./limits.ts";
import { defineTool } from "./tool.ts";

const AGENTS = [{ id: "a" }, { id: "b" }];

const toolOf = (name: string) =>
  defineTool({
    name,
    description: "",
    effect: "read",
    input: { jsonSchema: {}, validate: (value) => ({ ok: true, value }) },
    run: () => "",
  });

/** Returns the problems found, as `severity code path`. */
function check(definition: Omit<CrewDefinition, "name">): string[] {
  return checkDefinition({ name: "test", ...definition }).map(
    ({ severity, code, path }) => `${severity} ${code} ${path.join(".")}`,
  );
}

suite("checking a crew", () => {
  test("a crew that is right has no findings", () => {
    const found = check({
      agents: [
        { id: "a", temperature: 2, topP: 1, maxTokens: 1, maxSteps: 1, toolCalls: "auto", handoffTargets: ["b"] },
        { id: "b", toolChoice: "none", parallelToolCalls: false },
      ],
      entry: "team",
      tasks: [{ name: "job", description: "", agent: "b" }],
      permissions: { "*": "ask" },
      settings: { maxHandoffs: 0, language: "vi", blockOnQuotaExceed: false, toolIsolation: "thread" },
      examples: ["Hello?"],
      signals: {
        a: [
          { signal: "[GO]", target: "team" },
          { signal: "[END]", target: "" },
        ],
      },
      defaults: { a: "b" },
      behaviors: { a: { onFailure: "b" }, b: { isTerminal: true } },
      groups: { team: { agents: ["a", "b"], mode: "first", timeoutMs: 1, nextAgent: "b" } },
    });
    assert.deepEqual(found, []);
  });

  test("a crew needs agents, with ids that are ids and differ in more than case, from groups too", () => {
    assert.deepEqual(check({ agents: [] }), ["error no_agents agents"]);
    const found = check({
      agents: [{ id: "a b" }, { id: "x" }, { id: "X" }, { id: "y".repeat(129) }],
      groups: { x: { agents: ["X"] }, "a group": { agents: ["X"] } },
    });
    assert.deepEqual(found, [
      "error invalid_id agents.0.id",
      "error invalid_id agents.3.id",
      "error invalid_id groups.a group",
      "error duplicate_id agents.2.id",
      "error duplicate_id groups.x",
    ]);
  });

  test("numbers must be in their range, and finite", () => {
    const found = check({
      agents: [
        {
          id: "a",
          temperature: 2.1,
          topP: -1,
          maxTokens: 0,
          maxSteps: 0,
          costLimits: { maxTokensPerDay: Infinity },
          errorLimits: { maxPerDay: NaN },
        },
      ],
      settings: { maxHandoffs: -1, timeoutMs: Infinity, maxParallelCalls: 0, modelAttempts: -1 },
    });
    const fields = [
      "agents.0.temperature",
      "agents.0.topP",
      "agents.0.maxTokens",
      "agents.0.maxSteps",
      "agents.0.costLimits.maxTokensPerDay",
      "agents.0.errorLimits.maxPerDay",
    ];
    const settings = ["maxHandoffs", "timeoutMs", "modelAttempts", "maxParallelCalls"].map(
      (name) => `settings.${name}`,
    );
    assert.deepEqual(
      found.toSorted(),
      [...fields, ...settings].map((path) => `error invalid_value ${path}`).toSorted(),
    );
  });

  test("every setting has a range, and its default lies in it", () => {
    for (const name of SETTING_NAMES) {
      assert.deepEqual(check({ agents: AGENTS, settings: { [name]: -1 } }), [`error invalid_value settings.${name}`]);
    }
    assert.deepEqual(check({ agents: AGENTS, settings: DEFAULT_SETTINGS }), []);
  });

  test("zero, a fraction of a count and a share above one are errors that say what to write", () => {
    const tell = (agent: Omit<AgentDefinition, "id">, settings: Partial<Settings> = {}) =>
      checkDefinition({ name: "test", agents: [{ id: "a", ...agent }], settings }).map(
        ({ path, message, fix }) => `${path.slice(path[0] === "agents" ? 2 : 1).join(".")}: ${message}; ${fix}`,
      );
    const whole = (least: number) => `use a whole number, ${least} or more`;
    const none = "0 is out of range";
    assert.deepEqual(tell({}, { maxSteps: 0, maxTokensPerCall: 0, timeoutMs: 0, maxInputBytes: 0 }), [
      `maxSteps: ${none}; ${whole(1)}`,
      `maxTokensPerCall: ${none}; ${whole(1)}`,
      `timeoutMs: ${none}; use a number above 0`,
      `maxInputBytes: ${none}; use a number above 0`,
    ]);
    const fraction = "1.5 is not a whole number";
    assert.deepEqual(tell({}, { maxSteps: 1.5, maxParallelCalls: 1.5, modelAttempts: 1.5 }), [
      `maxSteps: ${fraction}; ${whole(1)}`,
      `maxParallelCalls: ${fraction}; ${whole(1)}`,
      `modelAttempts: ${fraction}; ${whole(1)}`,
    ]);
    assert.deepEqual(tell({}, { maxHandoffs: 1.5, maxRepeatedCalls: 1.5 }), [
      `maxHandoffs: ${fraction}; ${whole(0)}`,
      `maxRepeatedCalls: ${fraction}; ${whole(0)}`,
    ]);
    const caps = { costLimits: { maxTokensPerCall: 0, maxTokensPerDay: 1.5 }, errorLimits: { maxPerDay: 1.5 } };
    assert.deepEqual(tell({ maxTokens: 1.5, maxSteps: 1.5, ...caps }), [
      `maxTokens: ${fraction}; ${whole(1)}`,
      `maxSteps: ${fraction}; ${whole(1)}`,
      `costLimits.maxTokensPerCall: ${none}; ${whole(1)}`,
      `costLimits.maxTokensPerDay: ${fraction}; ${whole(0)}`,
      `errorLimits.maxPerDay: ${fraction}; ${whole(0)}`,
    ]);
    const shares = { timeoutWarningPct: 300, contextTrimPct: 150, costAlertThreshold: 80 };
    assert.deepEqual(tell({ costLimits: { alertThreshold: 80 } }, shares), [
      "costLimits.alertThreshold: 80 is out of range; use a number from 0 to 1",
      "costAlertThreshold: 80 is out of range; use a number from 0 to 1",
      "timeoutWarningPct: 300 is out of range; use a number from 0 to 100",
      "contextTrimPct: 150 is out of range; use a number from 0 to 100",
    ]);
    const settings: object = { maxHandoffs: "5" };
    assert.deepEqual(tell({}, { ...settings }), [`maxHandoffs: \`5\` is not a number; ${whole(0)}`]);
  });

  test("every reference must name something that is there", () => {
    const found = check({
      agents: [{ id: "a", tools: ["T"], handoffTargets: ["x"] }],
      entry: "x",
      tasks: [{ name: "job", description: "", agent: "x" }],
      permissions: { T: "allow" },
      signals: { x: [{ signal: "[S]", target: "a" }], a: [{ signal: "[S]", target: "x" }] },
      defaults: { a: "x", x: "a" },
      behaviors: { x: {}, a: { onFailure: "g" } },
      groups: { g: { agents: ["x"], nextAgent: "g" } },
    });
    assert.deepEqual(found, [
      "error unknown_tool agents.0.tools.0",
      "error unknown_agent agents.0.handoffTargets.0",
      "error unknown_tool permissions.T",
      "error unknown_agent tasks.0.agent",
      "error unknown_entry entry",
      "error unknown_agent signals.x",
      "error unknown_target signals.a.0.target",
      "error unknown_agent defaults.a",
      "error unknown_agent defaults.x",
      "error unknown_agent behaviors.x",
      "error unknown_agent behaviors.a.onFailure",
      "error unknown_agent groups.g.agents.0",
      "error unknown_agent groups.g.nextAgent",
    ]);
  });

  test("a signal is bracketed text without brackets inside; the same one twice is a warning, in any spelling", () => {
    const signals = ["GO", "[G[O]", "[]", "[GO]", "[ go ]"].map((signal) => ({ signal, target: "" }));
    assert.deepEqual(check({ agents: AGENTS, signals: { a: signals } }), [
      "error invalid_signal signals.a.0.signal",
      "error invalid_signal signals.a.1.signal",
      "error invalid_signal signals.a.2.signal",
      "warning duplicate_signal signals.a.4.signal",
    ]);
  });

  test("groups have agents, each once, and a positive timeout", () => {
    const found = check({ agents: AGENTS, groups: { g: { agents: [] }, h: { agents: ["a", "a"], timeoutMs: 0 } } });
    assert.deepEqual(found, [
      "error invalid_value groups.h.timeoutMs",
      "error duplicate_member groups.h.agents.1",
      "error empty_group groups.g.agents",
    ]);
  });

  test("tools and tasks are named once, and permissions are rules", () => {
    const tool = toolOf("language");
    const task = { name: "job", description: "", agent: "a" };
    const permissions: object = { language: "maybe" };
    assert.deepEqual(
      check({ agents: AGENTS, tools: [tool, tool], tasks: [task, task], permissions: { ...permissions } }),
      [
        "error invalid_value permissions.language",
        "error duplicate_tool tools.1.name",
        "error duplicate_task tasks.1.name",
      ],
    );
  });

  test("values of a type nobody may give are told, not thrown", () => {
    const settings: object = { maxHandoffs: "5", maxSteps: null, timeoutMs: true };
    const agent: object = { id: 5, temperature: "hot", costLimits: { maxTokensPerDay: true } };
    const signals: object = { 5: [{ signal: 7, target: null }] };
    const agents = [{ id: "", ...agent }];
    assert.deepEqual(check({ agents, settings: { ...settings }, signals: { ...signals } }).toSorted(), [
      "error invalid_signal signals.5.0.signal",
      "error invalid_value agents.0.costLimits.maxTokensPerDay",
      "error invalid_value agents.0.temperature",
      "error invalid_value settings.maxHandoffs",
      "error invalid_value settings.maxSteps",
      "error invalid_value settings.timeoutMs",
      "error unknown_target signals.5.0.target",
    ]);
  });

  test("a word that is not of its list is told with the one that was meant", () => {
    const agent: object = { toolCalls: "nativ" };
    const [typo, other]: readonly object[] = [{ mode: "setled" }, { mode: "some" }];
    const settings: object = { toolIsolation: "threads" };
    const found = checkDefinition({
      name: "test",
      agents: [{ id: "a", ...agent }, { id: "b" }],
      groups: { g: { agents: ["a", "b"], ...typo }, h: { agents: ["a", "b"], ...other } },
      settings: { ...settings },
    });
    assert.deepEqual(
      found.map(({ path, message, fix }) => `${path.join(".")}: ${message}; ${fix}`),
      [
        "groups.g.mode: `setled` is not a mode of a group; did you mean `settled`?",
        "groups.h.mode: `some` is not a mode of a group; use settled, all or first",
        "agents.0.toolCalls: `nativ` is not a way to call tools; did you mean `native`?",
        "settings.toolIsolation: `threads` is not an isolation; did you mean `thread`?",
      ],
    );
  });

  test("the tool that must be used is one of the agent's own", () => {
    const [read, write] = ["ReadFile", "WriteFile"].map(toolOf);
    assert.ok(read && write);
    const choose = (toolChoice: string, ...tools: string[]) =>
      checkDefinition({ name: "test", tools: [read, write], agents: [{ id: "a", tools, toolChoice }] }).map(
        ({ code, message, fix }) => `${code}: ${message}; ${fix}`,
      );
    for (const choice of ["auto", "none", "required", "ReadFile"]) assert.deepEqual(choose(choice, "ReadFile"), []);
    assert.deepEqual(choose("ReadFil", "ReadFile"), [
      "unknown_tool: there is no tool `ReadFil`; did you mean `ReadFile`?",
    ]);
    assert.deepEqual(choose("requird", "ReadFile"), [
      "unknown_tool: there is no tool `requird`; did you mean `required`?",
    ]);
    assert.deepEqual(choose("Search", "ReadFile"), [
      "unknown_tool: there is no tool `Search`; use auto, required, none or one of the agent's tools",
    ]);
    assert.deepEqual(choose("WriteFile", "ReadFile"), [
      "unknown_tool: the agent does not have the tool `WriteFile`; add it to the agent's `tools`",
    ]);
    assert.deepEqual(choose("required"), [
      "invalid_value: the agent has no tools, so none can be required; give it tools, or use auto",
    ]);
  });

  test("a name that is there already is told with the spelling it has there", () => {
    const [finding] = checkDefinition({ name: "test", agents: [{ id: "a" }, { id: "A" }] });
    assert.equal(finding?.message, "`A` is already used as `a`");
  });

  test("the nearest known name is suggested", () => {
    const [finding] = checkDefinition({ name: "test", agents: [{ id: "teacher", handoffTargets: ["techer"] }] });
    assert.equal(finding?.fix, "did you mean `teacher`?");
  });

  test("a tool that no file brings cannot ask for a thread, nor can the crew's setting for it", () => {
    const fields = { name: "Spin", description: "", effect: "read", run: () => null } as const;
    const spin = defineTool({ ...fields, input: { jsonSchema: {}, validate: () => ({ ok: true, value: null }) } });
    const found = checkDefinition({ name: "test", agents: AGENTS, tools: [{ ...spin, isolation: "thread" }] });
    assert.deepEqual(
      found.map(({ code, message }) => [code, message]),
      [["thread_in_code", "`Spin` cannot run in a thread, because it is defined in code that no file's name can load"]],
    );
    const settings = { toolIsolation: "thread" } as const;
    assert.deepEqual(check({ agents: AGENTS, settings, tools: [spin] }), ["error thread_in_code tools.0.isolation"]);
    assert.deepEqual(check({ agents: AGENTS, settings, tools: [{ ...spin, isolation: "inline" }] }), []);
    assert.deepEqual(check({ agents: AGENTS, tools: [{ ...spin, isolation: "thread", file: "/tools.ts" }] }), []);
  });

  test("a tool that the client carries out cannot ask for a thread", () => {
    const fields = { name: "Locate", description: "", effect: "read", isolation: "thread" } as const;
    const locate = defineTool({ ...fields, input: { jsonSchema: {}, validate: () => ({ ok: true, value: null }) } });
    const found = checkDefinition({ name: "test", agents: AGENTS, tools: [locate] });
    assert.deepEqual(
      found.map(({ code, message, fix }) => [code, message, fix]),
      [
        [
          "thread_of_client",
          "`Locate` cannot run in a thread, because it is carried out by the client",
          "remove `isolation`",
        ],
      ],
    );
  });

  test("a sub-crew is a target, and neither an agent nor a member; the message says what it is", () => {
    const alpha = defineCrew({ name: "alpha", agents: AGENTS });
    const crew = { agents: AGENTS, subCrews: { alpha }, signals: { a: [{ signal: "[A]", target: "alpha" }] } };
    assert.deepEqual(check(crew), []);
    const found = checkDefinition({
      name: "test",
      ...crew,
      defaults: { b: "alpha" },
      groups: { all: { agents: ["alpha"] } },
    });
    assert.deepEqual(new Set(found.map(({ message }) => message)), new Set(["`alpha` is a sub-crew, not an agent"]));
    assert.equal(found.length, 2);
  });

  test("a tool with a condition is one of the agent's own", () => {
    const agent = { id: "a", tools: [{ name: "Look", if: "options.deep" }] };
    const tools = [toolOf("Look")];
    for (const toolChoice of ["Look", "required"])
      assert.deepEqual(check({ agents: [{ ...agent, toolChoice }], tools }), []);
    assert.deepEqual(check({ agents: [{ ...agent, toolChoice: "Loop" }], tools }), [
      "error unknown_tool agents.0.toolChoice",
    ]);
  });

  test("a value that an output can never have is found at its place in the list, a path at its name", () => {
    const output = { properties: { kind: { enum: ["x", "y"] } } };
    const found = checkDefinition({
      name: "test",
      agents: [{ id: "a", output }],
      signals: {
        a: [
          { when: { kind: ["x", "z"] }, target: "" },
          { when: { knd: "x" }, target: "" },
        ],
      },
    });
    assert.deepEqual(
      found.map(({ code, path, part }) => [code, path.join("."), part]),
      [
        ["impossible_value", "signals.a.0.when.kind.1", undefined],
        ["unknown_path", "signals.a.1.when.knd", "name"],
      ],
    );
  });

  test("a map over an output that is not there, or cannot be a list, is an error before it runs", () => {
    const output = { properties: { name: { type: "string" }, list: { type: "array" }, any: {} } };
    const problem = (over: string, agent: Partial<AgentDefinition>) =>
      checkDefinition({
        name: "test",
        agents: [{ id: "a", ...agent }, { id: "b" }],
        signals: { a: [{ signal: "[GO]", target: "each" }] },
        groups: { each: { map: "b", over } },
      }).map(({ code, path, message, fix }) => `${code} ${path.join(".")} ${message}; ${fix}`);
    for (const over of ["output.list", "output.any", "state.list"]) assert.deepEqual(problem(over, { output }), []);
    const where = "invalid_over groups.each.over";
    assert.deepEqual(
      [problem("output.name", { output }), problem("output.lst", { output }), problem("output.list", {})].flat(),
      [
        `${where} \`output.name\` of \`a\` is not a list; name a list`,
        `${where} the output of \`a\` has no \`lst\`; did you mean \`list\`?`,
        `${where} \`a\`, which leads to it, has no \`output\`; give the agent an \`output\`, or go over \`state.KEY\``,
      ],
    );
  });

  test("a finding about a name tells itself apart from one about its value", () => {
    const [one, other] = checkDefinition({ name: "test", agents: AGENTS, defaults: { a: "x", y: "a" } });
    assert.deepEqual([one?.part, other?.part], [undefined, "name"]);
  });

  test("ten thousand wrong references do not cost a comparison with ten thousand names each", () => {
    assertLinear(1_000, (count) => {
      const agents = Array.from({ length: count }, (_, index) => ({
        id: `agent${index}`,
        handoffTargets: [`agent-${index}`],
      }));
      return () => assert.equal(checkDefinition({ name: "large", agents }).length, count);
    });
  });
});
