import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { SETTING_NAMES, SETTINGS } from "@baton/core";
import { readCrew, type CrewFile } from "./read.ts";
import { writeFolder } from "./testing/folder.ts";

const HELPER = "{ id: helper, name: Helper, role: Helps, is_terminal: true }";

async function readFiles(files: Readonly<Record<string, string>>): Promise<CrewFile> {
  await using folder = await writeFolder(files);
  return await readCrew(folder.path, { providers: [] });
}

suite("fields of the reference engine that change nothing", () => {
  const NAMES = `parallel_targets parallel_execution enforce top_k organization memory_limits logging
    min_tool_timeout_millis stream_chunk_timeout_millis request_store_cleanup_minutes client_cache_ttl_minutes
    graceful_shutdown_check_millis min_agent_id_length max_agent_id_length max_memory_mb max_daily_memory_gb
    memory_alert_percent slow_call_threshold_seconds max_request_body_size_kb`.split(/\s+/);

  test("each is a warning that says so, wherever it stands", async () => {
    const fields = NAMES.map((name) => `${name}: 1`).join(", ");
    const { crew, findings } = await readFiles({
      "crew.yaml": `version: "1.0"
${fields.replaceAll(", ", "\n")}
agents: [{ id: a, name: A, role: R, is_terminal: true, cost_limits: { ${fields} }, ${fields} }]
settings: { ${fields} }
routing: { ${fields}, signals: { a: [{ signal: "[X]", target: "", ${fields} }] }, agent_behaviors: { a: { ${fields} } } }
`,
    });
    assert.ok(crew !== undefined, JSON.stringify(findings));
    assert.equal(findings.length, 7 * NAMES.length);
    assert.ok(findings.every(({ code, severity }) => code === "no_effect" && severity === "warning"));
    for (const name of NAMES)
      assert.ok(
        findings.some(({ message }) => message.includes(`\`${name}\``)),
        name,
      );
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
