/** The ten acceptance inputs, each of which must end at its agent, and a pause that is answered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { collect, of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));
const run = (input: string) => play(crew, script, { input });

for (const input of [
  "Máy tính của tôi chậm lắm",
  "Cổng 3306 không open",
  "Không vào được internet từ phòng A5",
  "Giúp tôi check hệ thống",
  "Hệ thống bị mất kết nối",
]) {
  test(`"${input}" is too vague: the clarifier asks and waits`, async () => {
    const { events, outcome, agent, raw } = await run(input);
    assert.deepEqual(
      of(events, "turn.started").map((turn) => turn.agent),
      ["orchestrator", "clarifier"],
    );
    assert.deepEqual({ outcome, agent }, { outcome: "paused", agent: "clarifier" });
    assert.deepEqual(of(events, "call.started"), []);
    assert.match(raw, /\?/);
  });
}

// Whether a tool succeeds depends on the machine: `ping`, `systemctl` and `ps` may be missing.
for (const [input, tools] of [
  ["Server 192.168.1.50 không ping được, check cho tôi", ["ResolveDNS", "CheckNetworkStatus"]],
  ["Check xem service MySQL trên server-app-01 còn chạy không", ["CheckServiceStatus"]],
  ["CPU cao trên 192.168.1.100, cần kiểm tra", ["GetCPUUsage", "GetRunningProcesses"]],
  ["Ổ đĩa server-backup không còn chỗ, check ngay", ["GetDiskSpace", "CheckDiskStatus"]],
  [
    "Server 10.0.0.25 chạy chậm, CPU cao, cần check toàn bộ",
    ["GetSystemDiagnostics", "GetCPUUsage", "CheckMemoryStatus"],
  ],
] as const) {
  test(`"${input}" is clear: the executor measures and answers`, async () => {
    const { events, outcome, agent } = await run(input);
    assert.deepEqual(
      of(events, "turn.started").map((turn) => turn.agent),
      ["orchestrator", "executor"],
    );
    assert.deepEqual(
      of(events, "call.started").map(({ tool }) => tool),
      tools,
    );
    assert.deepEqual({ outcome, agent }, { outcome: "done", agent: "executor" });
  });
}

test("whatever is answered to the clarifier, the same run goes on to the executor", async () => {
  const { engine, run: paused } = await run("Máy tính của tôi chậm lắm");
  const { events, outcome } = await collect(engine.resume(paused.id, "Chính máy này, từ sáng nay."));
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["orchestrator", "clarifier", "clarifier", "executor"],
  );
  assert.deepEqual(
    of(events, "call.ended").map(({ tool, error }) => ({ tool, error })),
    [{ tool: "GetSystemDiagnostics", error: undefined }],
  );
  assert.equal(outcome, "done");
});

test("the script's network tools reach no machine but this one", () => {
  const calls = [...script.values()].flat().flatMap(({ call }) => call ?? []);
  const network = calls.filter(({ tool }) => /Ping|Network|DNS/.test(tool));
  assert.deepEqual(
    network.map(({ args }) => args),
    [{ hostname: "127.0.0.1" }, { host: "127.0.0.1", count: 1 }],
  );
});

test("no agent may run commands unless its file is changed", () => {
  assert.ok(crew.tools.has("ExecuteCommand"));
  assert.ok([...crew.agents.values()].every(({ tools }) => !tools.includes("ExecuteCommand")));
});
