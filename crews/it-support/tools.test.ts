/** Measurements of the executor's tools on the machine that runs the tests; the network is only 127.0.0.1. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { DEFAULT_SETTINGS } from "@baton/core/ports";
import { z } from "zod";
import { callTool, refusedPaths, toolOf } from "@baton/core/testing";
import { usageBetween } from "./cpu.ts";
import { toLevel } from "./level.ts";
import { readKib } from "./memory.ts";
import { parsePing } from "./network.ts";
import { parseProcesses } from "./processes.ts";
import tools from "./tools.ts";

const Output = z.record(z.string(), z.unknown());

const call = async (name: string, args: Json = {}) => Output.parse(await callTool(toolOf(tools, name), args));

const isPercent = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 100;

test("CPU, memory and disk are given as percentages of something that exists", async () => {
  const [cpu, memory, disk] = await Promise.all([call("GetCPUUsage"), call("GetMemoryUsage"), call("GetDiskSpace")]);
  assert.ok(isPercent(cpu["usage_percent"]) && Number(cpu["cores"]) >= 1);
  assert.ok(isPercent(memory["used_percent"]) && Number(memory["total_gib"]) > 0);
  assert.ok(isPercent(disk["used_percent"]) && Number(disk["total_gib"]) > 0);
});

test("a path that does not exist is the caller's mistake", async () => {
  await assert.rejects(call("GetDiskSpace", { path: "/no/such/path" }), { name: "ToolError", kind: "validation" });
});

test("checks give a level and advice", async () => {
  for (const name of ["CheckMemoryStatus", "CheckDiskStatus"]) {
    const { level, advice } = await call(name);
    assert.ok(["ok", "warning", "critical"].includes(String(level)) && String(advice).length > 0, name);
  }
});

test("diagnostics fit what a model reads of a tool's output", async () => {
  const text = JSON.stringify(await call("GetSystemDiagnostics"));
  assert.ok(text.length <= DEFAULT_SETTINGS.maxOutputChars, `${text.length} characters`);
});

test("a ping of this machine either answers or says which program is missing or may not", async () => {
  const outcome = await call("PingHost", { host: "127.0.0.1", count: 1 }).catch((error: unknown) => String(error));
  if (typeof outcome === "string") assert.match(outcome, /ping/);
  else assert.equal(outcome["reachable"], true);
});

test("this machine's own address resolves to itself without a name server", async () => {
  assert.deepEqual(await call("ResolveDNS", { hostname: "127.0.0.1" }), {
    hostname: "127.0.0.1",
    addresses: [{ address: "127.0.0.1", family: "IPv4" }],
  });
});

test("a service that nobody has is not running, or nobody can tell", async () => {
  const outcome = await call("CheckServiceStatus", { service: "no-such-service" }).catch((error: unknown) =>
    String(error),
  );
  if (typeof outcome === "string") assert.match(outcome, /systemctl nor pgrep/);
  else assert.equal(outcome["running"], false);
});

test("hosts and services that could pass for an option or a command are refused", async () => {
  for (const host of ["-f", "a b", "a;b", "$(id)", "", "a".repeat(254)]) {
    assert.deepEqual(await refusedPaths(toolOf(tools, "PingHost"), { host }), ["host"], host);
  }
  for (const service of ["--all", "a b", "a/b", "*"]) {
    assert.deepEqual(await refusedPaths(toolOf(tools, "CheckServiceStatus"), { service }), ["service"], service);
  }
});

test("twelve tools only read, and the executor has exactly those", async () => {
  const reading = tools.filter(({ effect }) => effect === "read").map(({ name }) => name);
  assert.equal(reading.length, 12);
  const executor = await readFile(new URL("agents/executor.yaml", import.meta.url), "utf8");
  const list = executor.slice(executor.indexOf("tools:"), executor.indexOf("handoff_targets:")).split("\n");
  const listed = list.filter((line) => line.startsWith("  - ")).map((line) => line.slice(4));
  assert.deepEqual(listed.toSorted(), reading.toSorted());
});

test("a command is irreversible, runs without a shell, and gives its exit code", async () => {
  assert.equal(toolOf(tools, "ExecuteCommand").effect, "irreversible");
  assert.deepEqual(await call("ExecuteCommand", { command: "node --version" }), {
    command: "node --version",
    exit_code: 0,
    stdout: process.version,
    stderr: "",
  });
  for (const command of ["ls | sh", "ls; ls", "echo $HOME", "a > b", "`id`", "ls *"]) {
    assert.deepEqual(await refusedPaths(toolOf(tools, "ExecuteCommand"), { command }), ["command"], command);
  }
});

test("a program that is not installed is named", async () => {
  const missing = call("ExecuteCommand", { command: "no-such-program-here" });
  await assert.rejects(missing, { kind: "permanent", message: /no-such-program-here/ });
});

test("CPU usage is the busy share of the time between two readings", () => {
  assert.equal(usageBetween({ busy: 100, idle: 900 }, { busy: 130, idle: 970 }), 30);
  assert.equal(usageBetween({ busy: 5, idle: 5 }, { busy: 5, idle: 5 }), 0);
});

test("a level begins at its threshold", () => {
  const thresholds = { warning: 80, critical: 90 };
  assert.deepEqual(
    [79.9, 80, 90].map((percent) => toLevel(percent, thresholds)),
    ["ok", "warning", "critical"],
  );
});

test("the statistics of the pings of Linux, macOS and BusyBox are read", () => {
  const linux =
    "3 packets transmitted, 2 received, 33.3333% packet loss, time 2003ms\nrtt min/avg/max/mdev = 0.030/0.041/0.052/0.011 ms\n";
  const mac =
    "3 packets transmitted, 3 packets received, 0.0% packet loss\nround-trip min/avg/max/stddev = 0.05/0.07/0.09/0.01 ms\n";
  const silent = "2 packets transmitted, 0 received, 100% packet loss, time 1012ms\n";
  assert.deepEqual(parsePing(linux), { sent: 3, received: 2, packet_loss_percent: 33.3, average_ms: 0.041 });
  assert.deepEqual(parsePing(mac), { sent: 3, received: 3, packet_loss_percent: 0, average_ms: 0.07 });
  assert.deepEqual(parsePing(silent), { sent: 2, received: 0, packet_loss_percent: 100, average_ms: null });
  assert.equal(parsePing("ping: unknown host"), undefined);
});

test("the lines of ps and of /proc/meminfo are read", () => {
  assert.deepEqual(parseProcesses("  17  2.5  0.1 my program\nbroken\n"), [
    { pid: 17, cpu_percent: 2.5, memory_percent: 0.1, command: "my program" },
  ]);
  assert.equal(readKib("MemTotal: 5 kB\nSwapTotal:     2048 kB\n", "SwapTotal:"), 2_048);
  assert.equal(readKib("MemTotal: 5 kB\n", "SwapTotal:"), 0);
});
