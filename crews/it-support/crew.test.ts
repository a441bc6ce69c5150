/** The ten acceptance inputs in both languages, each of which must end at its agent, and a pause that is answered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { collect, of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));
const run = (input: string) => play(crew, script, { input });

for (const input of [
  "Máy tính của tôi chậm lắm",
  "Máy tính của tôi chạy chậm",
  "Cổng 3306 không open",
  "Không vào được internet từ phòng A5",
  "Giúp tôi check hệ thống",
  "Hệ thống bị mất kết nối",
  "My computer is slow",
  "Port 3306 is not open",
  "There is no internet in room A5",
  "Help me check the system",
  "The system lost its connection",
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
for (const [input, tools, answer] of [
  [
    "Server 192.168.1.50 không ping được, check cho tôi",
    ["ResolveDNS", "CheckNetworkStatus"],
    /^Em đã kiểm tra mạng.* 192\.168\.1\.50/,
  ],
  [
    "Check xem service MySQL trên server-app-01 còn chạy không",
    ["CheckServiceStatus"],
    /^Em đã tìm service MySQL.* server-app-01/,
  ],
  [
    "CPU cao trên 192.168.1.100, cần kiểm tra",
    ["GetCPUUsage", "GetRunningProcesses"],
    /^Em đã đo CPU.* 192\.168\.1\.100/,
  ],
  [
    "Ổ đĩa server-backup không còn chỗ, check ngay",
    ["GetDiskSpace", "CheckDiskStatus"],
    /^Em đã đo ổ đĩa.* server-backup/,
  ],
  [
    "Server 10.0.0.25 chạy chậm, CPU cao, cần check toàn bộ",
    ["GetSystemDiagnostics", "GetCPUUsage", "CheckMemoryStatus"],
    /^Em đã kiểm tra toàn bộ.* 10\.0\.0\.25/,
  ],
  [
    "Server 192.168.1.50 does not answer ping, please check",
    ["CheckNetworkStatus", "ResolveDNS"],
    /^The network check is done.* 192\.168\.1\.50/,
  ],
  [
    "Check whether the service MySQL on server-app-01 is still running",
    ["CheckServiceStatus", "GetSystemInfo"],
    /^I looked for the service MySQL.* server-app-01/,
  ],
  [
    "The CPU is high on 192.168.1.100, please check",
    ["GetRunningProcesses", "GetCPUUsage"],
    /^I measured the CPU.* 192\.168\.1\.100/,
  ],
  [
    "The disk of server-backup is full, check it now",
    ["CheckDiskStatus", "GetDiskSpace"],
    /^I measured the disk.* server-backup/,
  ],
  [
    "Server 10.0.0.25 is slow, the CPU is high, please check everything",
    ["GetCPUUsage", "CheckMemoryStatus", "GetSystemDiagnostics"],
    /^I have checked everything.* 10\.0\.0\.25/,
  ],
] as const) {
  test(`"${input}" is clear: the executor measures and answers`, async () => {
    const { events, outcome, agent, content } = await run(input);
    assert.deepEqual(
      of(events, "turn.started").map((turn) => turn.agent),
      ["orchestrator", "executor"],
    );
    assert.deepEqual(
      of(events, "call.started").map(({ tool }) => tool),
      tools,
    );
    assert.deepEqual({ outcome, agent }, { outcome: "done", agent: "executor" });
    assert.match(content, answer);
  });
}

test("whatever is answered to the clarifier, the same run goes on to the executor", async () => {
  const { engine, run: paused } = await run("Máy tính của tôi chậm lắm");
  const { events, outcome, content } = await collect(engine.resume(paused.id, "Chính máy này, từ sáng nay."));
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["orchestrator", "clarifier", "clarifier", "executor"],
  );
  assert.deepEqual(
    of(events, "call.started").map(({ tool }) => tool),
    ["GetSystemDiagnostics", "GetMemoryUsage"],
  );
  assert.ok(of(events, "call.ended").every(({ error }) => error === undefined));
  assert.equal(outcome, "done");
  assert.match(content, /^Em đã kiểm tra tổng quát.*^The general check/ms);
});

test("the script's network tools reach no machine but this one", () => {
  const calls = [...script.values()].flat().flatMap(({ call }) => call ?? []);
  const network = calls.filter(({ tool }) => /Ping|Network|DNS/.test(tool));
  assert.equal(network.length, 4);
  for (const { args } of network) assert.match(JSON.stringify(args), /^\{"host(name)?":"127\.0\.0\.1"/);
});

test("no agent may run commands unless its file is changed", () => {
  assert.ok(crew.tools.has("ExecuteCommand"));
  assert.ok([...crew.agents.values()].every(({ tools }) => !tools.includes("ExecuteCommand")));
});
