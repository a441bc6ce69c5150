import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { suite, test } from "node:test";
import type { CrewFile } from "./crew-file.ts";
import { readCrew } from "./read-crew.ts";
import { writeFolder } from "../testing/folder.ts";

const PROVIDERS = ["openai", "anthropic", "google", "ollama"];
const HELPER = "{ id: helper, name: Helper, role: Helps, is_terminal: true }";

async function readFiles(files: Readonly<Record<string, string | Uint8Array>>): Promise<CrewFile> {
  await using folder = await writeFolder(files);
  return await readCrew(folder.path, { providers: PROVIDERS });
}

const codes = ({ findings }: Pick<CrewFile, "findings">): string[] => findings.map(({ code }) => code);

suite("a crew in a folder", () => {
  test("every field ends in the crew, in core's units", async () => {
    const { crew, findings } = await readFiles({
      "crew.yaml": `version: "1.0"
name: desk
sub_crews: { deep: deep }
after: { crew: later.yaml }
description: A help desk
entry_point: router
agents: [router, helper, notes]
model: ollama/qwen3
tasks:
  - { name: daily, description: Do the round, agent: helper }
permissions: { "*": ask }
examples: [Hello?, "Why is it slow?"]
settings: { max_handoffs: 7, timeout_seconds: 1.5, max_input_size_kb: 2, language: vi, block_on_quota_exceed: false,
  max_repeated_calls: 0, shared_tool_results: true, tool_isolation: thread, max_parallel_calls: 2,
  model_attempts: 3, model_backoff_min_millis: 5, model_backoff_max_seconds: 6 }
routing:
  signals:
    router:
      - { signal: "[HELP]", target: helper, description: Someone needs help }
      - { signal: "[ALL]", target: team }
      - { signal: "[END]", target: "" }
    helper:
      - { when: { kind: [a], "plan.isNeeded": true }, target: deep, return_to: router, description: By output }
  defaults: { router: helper }
  agent_behaviors:
    router: { wait_for_signal: true, auto_route: false, is_terminal: false, on_failure: helper,
      description: Waits }
  parallel_groups:
    team: { agents: [helper, { agent: notes, if: options.notes }], mode: first, wait_for_all: true, timeout_seconds: 30, next_agent: helper, description: Both }
`,
      "agents/router.yaml": "id: router\nname: Router\nrole: Routes\nhandoff_targets: [helper]\n",
      "agents/helper.yaml": `id: helper
name: Helper
role: Helps
description: Helps people
backstory: Long ago
model: openai/gpt-5-mini
backup: { provider: ollama, model: qwen3, provider_url: "http://127.0.0.1:11434" }
tool_calls: text
tool_choice: none
parallel_tool_calls: false
max_rounds: 3
temperature: 0.1
top_p: 0.9
max_tokens: 300
tools: [Ping, { name: Search, if: options.web }]
pinned_tools: [Ping]
tool_search: { if: options.many }
output: { type: object, properties: { kind: { type: string, enum: [a, b] },
  plan: { type: object, properties: { isNeeded: { type: boolean } } } }, required: [kind] }
history: 4
audience: crew
is_terminal: true
system_prompt: You are {{name}}.
cost_limits: { max_tokens_per_call: 1, max_tokens_per_day: 2, max_cost_per_day_usd: 3, alert_threshold: 0.5,
  block_on_cost_exceed: true, input_token_price_per_million: 4, output_token_price_per_million: 5 }
error_limits: { max_consecutive: 1, max_per_day: 2, block_on_error_exceed: true }
`,
      "agents/notes.yaml": "id: notes\nname: Notes\nrole: Writes it down\nmodel: code/notes\ntool_search: yes\n",
      "tools.ts": `export default ["Ping", "Search"].map((name) => ({ name, description: "", effect: "read",
        inputSchema: {}, concurrency: "parallel", isolation: "inline", prepare: () => ({ ok: true, run: () => "" }) }));`,
      "code.ts": "export default { notes: { name: 'code', isProgram: true, stream: async function* () {} } };",
      "deep/crew.yaml": `version: "1.0"\nagents: [${HELPER}]\n`,
      "later.yaml": `version: "1.0"\nagents: [${HELPER}]\n`,
    });
    assert.deepEqual(
      findings.filter(({ severity }) => severity === "error"),
      [],
    );
    assert.equal(crew?.name, "desk");
    assert.deepEqual(crew.entry, { kind: "agent", id: "router" });
    assert.deepEqual([...crew.agents.keys()], ["router", "helper", "notes"]);
    assert.deepEqual(crew.model, { name: "ollama/qwen3" });
    assert.deepEqual(crew.tasks, [{ name: "daily", description: "Do the round", agent: "helper" }]);
    assert.equal(crew.permissions.get("*"), "ask");
    const { maxHandoffs, timeoutMs, maxInputBytes, maxSteps, language, blockOnQuotaExceed } = crew.settings;
    assert.deepEqual([maxHandoffs, timeoutMs, maxInputBytes, maxSteps], [7, 1_500, 2_048, 10]);
    assert.deepEqual([language, blockOnQuotaExceed], ["vi", false]);
    assert.deepEqual(
      crew.signals.get("router")?.map(({ target }) => target),
      ["helper", "team", ""],
    );
    assert.deepEqual(crew.signals.get("helper"), [
      { when: { kind: ["a"], "plan.isNeeded": true }, target: "deep", returnTo: "router", description: "By output" },
    ]);
    assert.deepEqual([crew.subCrews.get("deep")?.name, crew.after?.name], ["deep", "later"]);
    assert.deepEqual([[...crew.programs.keys()], crew.agents.get("notes")?.model], [["notes"], { name: "code/notes" }]);
    assert.equal(crew.agents.get("notes")?.toolSearch, true);
    assert.equal(crew.defaults.get("router"), "helper");
    const { sharedToolResults, toolIsolation, maxRepeatedCalls, maxParallelCalls } = crew.settings;
    assert.deepEqual([sharedToolResults, toolIsolation, maxRepeatedCalls, maxParallelCalls], [true, "thread", 0, 2]);
    const { modelAttempts, modelRetryMinMs, modelRetryMaxMs } = crew.settings;
    assert.deepEqual([modelAttempts, modelRetryMinMs, modelRetryMaxMs], [3, 5, 6_000]);
    assert.deepEqual(crew.examples, ["Hello?", "Why is it slow?"]);
    assert.equal(crew.behaviors.get("router")?.waitForSignal, true);
    assert.equal(crew.behaviors.get("router")?.onFailure, "helper");
    assert.deepEqual(crew.groups.get("team"), {
      agents: ["helper", "notes"],
      offers: [{ agent: "notes", if: "options.notes" }],
      mode: "first",
      timeoutMs: 30_000,
      nextAgent: "helper",
      description: "Both",
    });
    assert.deepEqual(crew.agents.get("helper"), {
      id: "helper",
      name: "Helper",
      role: "Helps",
      description: "Helps people",
      backstory: "Long ago",
      systemPrompt: "You are {{name}}.",
      model: { name: "openai/gpt-5-mini" },
      backup: { name: "ollama/qwen3", url: "http://127.0.0.1:11434" },
      toolCalls: "text",
      toolChoice: "none",
      parallelToolCalls: false,
      maxSteps: 3,
      temperature: 0.1,
      topP: 0.9,
      maxTokens: 300,
      tools: ["Ping", "Search"],
      children: [],
      offers: [{ name: "Search", if: "options.web" }],
      pinnedTools: ["Ping"],
      toolSearch: { if: "options.many" },
      output: {
        type: "object",
        properties: {
          kind: { type: "string", enum: ["a", "b"] },
          plan: { type: "object", properties: { isNeeded: { type: "boolean" } } },
        },
        required: ["kind"],
      },
      history: 4,
      audience: "crew",
      handoffTargets: [],
      isTerminal: true,
      costLimits: {
        maxTokensPerCall: 1,
        maxTokensPerDay: 2,
        maxCostPerDayUsd: 3,
        alertThreshold: 0.5,
        blockOnCostExceed: true,
        inputTokenPricePerMillion: 4,
        outputTokenPricePerMillion: 5,
      },
      errorLimits: { maxConsecutive: 1, maxPerDay: 2, blockOnErrorExceed: true },
    });
  });

  test("a crew in the reference engine's spelling loads with nothing but warnings", async () => {
    const { crew, findings } = await readFiles({
      "crew.yaml": `version: "1.0"
description: "Hỗ trợ kỹ thuật"
entry_point: orchestrator
agents:
  - orchestrator
  - executor
settings:
  organization: Đội hỗ trợ
  min_tool_timeout_millis: 100
  max_memory_mb: 512
  parallel_timeout_seconds: 120
routing:
  signals:
    orchestrator:
      - { signal: "[KẾT THÚC]", target: executor, description: "Xong" }
    executor:
      - { signal: "[COMPLETE]", target: null }
  defaults:
    orchestrator: executor
    executor: null
  agent_behaviors:
    orchestrator: { wait_for_signal: yes, auto_route: false }
`,
      "agents/orchestrator.yaml": `id: orchestrator
name: My
role: Điều phối viên
model: gpt-4o-mini
is_terminal: false
handoff_targets: []
system_prompt: |
  Bạn là {{name}}. Kết thúc bằng [KẾT THÚC].
`,
      "agents/executor.yaml": `id: executor
name: Trang
role: Kỹ thuật viên
primary:
  model: qwen3:1.7b
  provider: ollama
  provider_url: http://localhost:11434
backup: { model: gpt-4o, provider: openai }
top_k: 40
is_terminal: true
cost_limits: { max_tokens_per_call: 1000, enforce: false }
memory_limits: { max_per_call_mb: 100 }
error_limits: { max_consecutive: 3, enforce: false }
logging: { log_level: info }
`,
    });
    assert.ok(crew !== undefined, JSON.stringify(findings));
    assert.deepEqual(crew.agents.get("orchestrator")?.model, { name: "openai/gpt-4o-mini" });
    assert.deepEqual(crew.agents.get("executor")?.model, { name: "ollama/qwen3:1.7b", url: "http://localhost:11434" });
    assert.equal(crew.signals.get("executor")?.[0]?.target, "");
    assert.equal(crew.defaults.has("executor"), false);
    assert.equal(crew.behaviors.get("orchestrator")?.waitForSignal, true);
    assert.deepEqual(new Set(codes({ findings })), new Set(["no_effect", "bare_model"]));
  });

  test("the older model, provider and provider_url at the top of an agent still work", async () => {
    const agent =
      "id: a\nname: A\nrole: R\nis_terminal: true\nprovider: ollama\nmodel: qwen3\nprovider_url: http://127.0.0.1:1\n";
    const { crew } = await readFiles({ "crew.yaml": 'version: "1.0"\nagents: [a]\n', "agents/a.yaml": agent });
    assert.deepEqual(crew?.agents.get("a")?.model, { name: "ollama/qwen3", url: "http://127.0.0.1:1" });
  });

  test("script and offline are models and providers", async () => {
    const { crew } = await readFiles({
      "crew.yaml": `version: "1.0"
model: offline
agents:
  - { id: a, name: A, role: R, model: script, handoff_targets: [b] }
  - { id: b, name: B, role: R, primary: { provider: script }, is_terminal: true }
`,
    });
    assert.deepEqual(crew?.model, { name: "offline" });
    assert.deepEqual(
      [...crew.agents.values()].map(({ model }) => model?.name),
      ["script", "script"],
    );
  });

  test("a finding about an agent as a whole stands where crew.yaml lists it", async () => {
    const { findings } = await readFiles({
      "crew.yaml": 'version: "1.0"\nagents:\n  - a\n  - b\n',
      "agents/a.yaml": "id: a\nname: A\nrole: R\nis_terminal: true\n",
      "agents/b.yaml": "id: b\nname: B\nrole: R\nis_terminal: true\n",
    });
    const [found] = findings;
    assert.deepEqual([found?.code, basename(found?.file ?? ""), found?.line], ["unreachable_agent", "crew.yaml", 4]);
  });

  test("a crew without a name is called after its folder", async () => {
    await using folder = await writeFolder({ "crew.yaml": `version: "1.0"\nagents: [${HELPER}]\n` });
    const { crew } = await readCrew(folder.path, { providers: [] });
    assert.equal(crew?.name, basename(folder.path));
  });

  test("a single file with inline agents is a crew, called after the file", async () => {
    await using folder = await writeFolder({ "desk.yaml": `version: "1.0"\nagents: [${HELPER}]\n` });
    const { crew } = await readCrew(join(folder.path, "desk.yaml"), { providers: [] });
    assert.equal(crew?.name, "desk");
  });

  test("an agent called __proto__ or constructor is an ordinary agent", async () => {
    const { crew, script, findings } = await readFiles({
      "crew.yaml": `version: "1.0"
agents: [__proto__, constructor]
routing:
  signals:
    __proto__: [{ signal: "[GO]", target: constructor }]
  agent_behaviors:
    constructor: { is_terminal: true }
    __proto__: { auto_route: false }
  parallel_groups:
    toString: { agents: [__proto__, constructor] }
permissions: { "*": allow }
`,
      "agents/__proto__.yaml": "id: __proto__\nname: P\nrole: R\n",
      "agents/constructor.yaml": "id: constructor\nname: C\nrole: R\n",
      "script.yaml": "__proto__:\n  - call: [{ tool: none, args: { __proto__: { x: 1 } } }]\n  - say: Hello.\n",
    });
    assert.deepEqual([...(crew?.agents.keys() ?? [])], ["__proto__", "constructor"], JSON.stringify(findings));
    assert.equal(crew?.signals.get("__proto__")?.[0]?.target, "constructor");
    assert.ok(crew.groups.has("toString"));
    const args = script?.get("__proto__")?.[0]?.call?.[0]?.args;
    assert.equal(JSON.stringify(args), '{"__proto__":{"x":1}}');
  });
});

suite("how YAML may be written", () => {
  const plain = `version: "1.0"\nname: x\nagents:\n  - ${HELPER}\n`;

  test("a byte order mark and Windows line ends change nothing, not even the columns", async () => {
    const wrong = `${plain}nme: y\n`;
    const expected = await readFiles({ "crew.yaml": wrong });
    const seen = await readFiles({ "crew.yaml": `\u{FEFF}${wrong.replaceAll("\n", "\r\n")}` });
    const places = ({ findings }: CrewFile) => findings.map(({ line, column, width }) => [line, column, width]);
    assert.deepEqual(places(seen), places(expected));
    assert.deepEqual(places(seen), [[5, 1, 3]]);
    assert.ok((await readFiles({ "crew.yaml": `\u{FEFF}${plain.replaceAll("\n", "\r\n")}` })).crew);
  });

  test("aliases and merge keys bring what they name", async () => {
    const { crew } = await readFiles({
      "crew.yaml": `version: "1.0"
agents:
  - &base { id: a, name: A, role: R, temperature: 0.3, handoff_targets: [b] }
  - { <<: *base, id: b, is_terminal: true }
`,
    });
    assert.equal(crew?.agents.get("b")?.temperature, 0.3);
    assert.equal(crew.agents.get("b")?.id, "b");
  });

  test("text that looks like a number stays as it is written", async () => {
    const { crew } = await readFiles({ "crew.yaml": `version: 1.0\nname: 007\nagents: [${HELPER}]\n` });
    assert.equal(crew?.name, "007");
  });

  test("a file that is not UTF-8 is refused at the place", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode("version: "), 0xff, 0xfe, 0x0a]);
    const { findings } = await readFiles({ "crew.yaml": bytes });
    assert.deepEqual(
      findings.map(({ code, line, column }) => [code, line, column]),
      [["invalid_character", 1, 10]],
    );
  });

  test("a missing crew is one finding, not an exception", async () => {
    const { findings } = await readCrew(join(import.meta.dirname, "no-such-crew"), { providers: [] });
    assert.deepEqual(codes({ findings }), ["unreadable_file"]);
  });

  test("no name in crew.yaml reaches a file outside the crew", async () => {
    await using folder = await writeFolder({
      "secret.yaml": "id: x\nname: X\nrole: secret\nis_terminal: true\n",
      "crew/crew.yaml": 'version: "1.0"\nagents: ["../secret", "../../secret"]\n',
    });
    const { findings, texts } = await readCrew(join(folder.path, "crew"), { providers: [] });
    assert.deepEqual(codes({ findings }), ["invalid_id", "invalid_id"]);
    assert.equal(texts.size, 1);
  });

  test("all findings come at once", async () => {
    const { findings } = await readFiles({
      "crew.yaml": `version: "2.0"
nme: x
agents:
  - { id: a, name: A, temperature: 9, tools: [Nope], handoff_targets: [zz] }
settings: { max_handoffs: -1 }
routing: { signals: { a: [{ signal: X, target: yy }] } }
`,
    });
    const expected = [
      "invalid_version",
      "unknown_field",
      "missing_field",
      "invalid_value",
      "unknown_tool",
      "unknown_agent",
    ];
    assert.deepEqual(codes({ findings }), [...expected, "invalid_value", "invalid_signal", "unknown_target"]);
  });

  test("many findings in a row get suggestions for the first only, so that typing errors cost little", async () => {
    const keys = Array.from({ length: 900 }, (_, index) => `nam${index}: x`).join("\n");
    const { findings } = await readFiles({ "crew.yaml": `version: "1.0"\nagents: [${HELPER}]\n${keys}\n` });
    assert.equal(findings.length, 900);
    assert.ok(findings[0]?.fix.includes("`name`"));
  });
});

test("an id that differs from its file is named together with the file", async () => {
  const { findings } = await readFiles({
    "crew.yaml": 'version: "1.0"\nagents: [clerk]\n',
    "agents/clerk.yaml": "id: clrk\nname: A\nrole: R\nis_terminal: true\n",
  });
  assert.deepEqual(codes({ findings }), ["id_mismatch"]);
  assert.equal(findings[0]?.message, "the id is `clrk`, but the file is agents/clerk.yaml");
});

test("what tools.ts wants to do at shutdown comes back with the crew", async () => {
  const crew = `version: "1.0"\nagents: [${HELPER}]\n`;
  const tools = "export default [];\nexport const onShutdown = () => 'closed';\n";
  const { onShutdown } = await readFiles({ "crew.yaml": crew, "tools.ts": tools });
  assert.equal(onShutdown?.(), "closed");
  assert.equal((await readFiles({ "crew.yaml": crew, "tools.ts": "export default [];\n" })).onShutdown, undefined);
});
