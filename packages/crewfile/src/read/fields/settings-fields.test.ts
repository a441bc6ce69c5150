import assert from "node:assert/strict";
import { basename } from "node:path";
import { suite, test } from "node:test";
import { SETTING_NAMES, SETTINGS } from "@baton/core/ports";
import type { CrewFile } from "../crew-file.ts";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

const HELPER = "{ id: helper, name: Helper, role: Helps, is_terminal: true }";

async function readFiles(files: Readonly<Record<string, string>>): Promise<CrewFile> {
  await using folder = await writeFolder(files);
  return await readCrew(folder.path, { providers: [] });
}

suite("fields of the reference engine that change nothing", () => {
  const NAMES = `parallel_targets parallel_execution enforce enforce_quotas top_k organization memory_limits logging
    min_tool_timeout_millis stream_chunk_timeout_millis request_store_cleanup_minutes client_cache_ttl_minutes
    graceful_shutdown_check_millis min_agent_id_length max_agent_id_length max_memory_mb max_daily_memory_gb
    memory_alert_percent slow_call_threshold_seconds max_request_body_size_kb`.split(/\s+/);
  const fields = NAMES.map((name) => `${name}: 1`).join(", ");
  const crew = `version: "1.0"
${fields.replaceAll(", ", "\n")}
agents: [a, { id: b, name: B, role: R, ${fields} }]
tasks: [{ name: job, agent: a, ${fields} }]
settings: { ${fields} }
routing:
  ${fields.replaceAll(", ", "\n  ")}
  signals: { a: [{ signal: "[X]", target: team, ${fields} }] }
  agent_behaviors: { a: { ${fields} } }
  parallel_groups: { team: { agents: [b], next_agent: a, ${fields} } }
`;
  const agent = `{ id: a, name: A, role: R, is_terminal: true, ${fields},
  primary: { model: offline, ${fields} }, backup: { model: offline, ${fields} },
  cost_limits: { ${fields} }, error_limits: { ${fields} } }
`;
  const script = `a: [{ say: Hello., ${fields} }, { call: [{ tool: T, ${fields} }] }]\n`;

  test("each is a warning that says so, wherever it stands", async () => {
    const read = await readFiles({ "crew.yaml": crew, "agents/a.yaml": agent, "script.yaml": script });
    assert.ok(read.crew !== undefined, JSON.stringify(read.findings));
    const found = read.findings.filter(({ code }) => code === "no_effect");
    assert.ok(found.every(({ severity }) => severity === "warning"));
    const places = Map.groupBy(found, ({ file, path }) => {
      const inside = path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "";
      return `${basename(file)} ${inside}`.trimEnd();
    });
    assert.deepEqual([...places.keys()].toSorted(), [
      "a.yaml",
      "a.yaml backup",
      "a.yaml cost_limits",
      "a.yaml error_limits",
      "a.yaml primary",
      "crew.yaml",
      "crew.yaml agents[1]",
      "crew.yaml routing",
      "crew.yaml routing.agent_behaviors.a",
      "crew.yaml routing.parallel_groups.team",
      "crew.yaml routing.signals.a[0]",
      "crew.yaml settings",
      "crew.yaml tasks[0]",
      "script.yaml a[0]",
      "script.yaml a[1].call[0]",
    ]);
    const messages = NAMES.map((name) => `\`${name}\` has no effect in Baton`).toSorted();
    for (const [place, here] of places) {
      assert.deepEqual(here.map(({ message }) => message).toSorted(), messages, place);
    }
  });

  test("one that has a new name is told with it", async () => {
    const { findings } = await readFiles({
      "crew.yaml": `version: "1.0"\nagents: [${HELPER}]\nsettings: { enforce_quotas: true }\n`,
    });
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix]),
      [["no_effect", "write `block_on_quota_exceed`, its name now, or remove it"]],
    );
  });
});

suite("numbers in YAML's units", () => {
  const tell = async (more: string) => {
    const { findings } = await readFiles({ "crew.yaml": `version: "1.0"\nagents: [${HELPER}]\n${more}` });
    return findings.map(({ line, column, message, fix }) => `${line}:${column} ${message}; ${fix}`);
  };

  test("a number that cannot be is told as it was written, with what to write", async () => {
    assert.deepEqual(await tell("settings: { timeout_seconds: -5 }\n"), [
      "3:30 `timeout_seconds`: -5 is out of range; write a positive number; the default is 300",
    ]);
    assert.deepEqual(await tell("settings: { max_rounds: -1 }\n"), [
      "3:25 `max_rounds`: -1 is out of range; use a whole number, 1 or more",
    ]);
    assert.deepEqual(await tell("routing: { parallel_groups: { g: { agents: [helper], timeout_seconds: -5 } } }\n"), [
      "3:71 `timeout_seconds`: -5 is out of range; write a positive number; the default is 60",
    ]);
  });
});

suite("strict mode", () => {
  const WANTED = `parallel_timeout_seconds tool_execution_timeout_seconds tool_result_timeout_seconds
    retry_backoff_min_millis retry_backoff_max_seconds sse_keep_alive_seconds max_input_size_kb max_tool_output_chars
    max_total_tool_output_chars stream_buffer_size max_stored_requests timeout_warning_threshold_pct max_context_window
    context_trim_percent max_tokens_per_call max_tokens_per_day max_cost_per_day cost_alert_threshold
    max_calls_per_minute max_calls_per_hour max_calls_per_day max_consecutive_errors max_errors_per_hour
    max_errors_per_day`.split(/\s+/);
  const written = SETTING_NAMES.map((name) => SETTINGS[name])
    .filter(({ yaml }) => WANTED.includes(yaml))
    .map(({ yaml, value, scale }) => `  ${yaml}: ${value / scale}\n`);
  const strict = (lines: readonly string[]) =>
    readFiles({
      "crew.yaml": `version: "1.0"\nagents: [${HELPER}]\nsettings:\n  config_mode: strict\n${lines.join("")}`,
    });

  test("one error lists every limit that is missing, with its meaning and default", async () => {
    const { crew, findings } = await strict([]);
    assert.equal(crew, undefined);
    assert.equal(findings.length, 1);
    const lines = findings[0]?.message.split("\n").slice(1) ?? [];
    assert.deepEqual(
      lines.map((line) => line.trim().split(":")[0]),
      WANTED,
    );
    assert.ok(lines.includes("  max_input_size_kb: 40  # the user's message"));
  });

  test("a limit that is left out is named alone", async () => {
    const { findings } = await strict(written.slice(1));
    assert.match(findings[0]?.message ?? "", /:\n {2}parallel_timeout_seconds: 60 {2}# [^\n]+$/);
  });

  test("a crew that writes these out is fine, and has the defaults", async () => {
    assert.equal(written.length, WANTED.length);
    const { crew, findings } = await strict(written);
    assert.deepEqual(findings, []);
    for (const name of SETTING_NAMES) assert.equal(crew?.settings[name], SETTINGS[name].value);
  });
});
