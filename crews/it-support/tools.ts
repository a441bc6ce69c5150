/**
 * The executor's tools: twelve that measure this machine and change nothing, and one that runs a command.
 *
 * Hosts and service names are checked before they reach a program, and no program is run through a shell.
 * `ExecuteCommand` is defined here but given to no agent; `agents/executor.yaml` says how to turn it on.
 */
import { defineTool } from "@baton/core";
import { z } from "zod";
import { CommandLine, runCommand } from "./command.ts";
import { measureCpu } from "./cpu.ts";
import { describeMachine, diagnose } from "./diagnostics.ts";
import { judgeDisk, measureDisk } from "./disk.ts";
import { judgeMemory, measureMemory } from "./memory.ts";
import { judgeNetwork, ping, resolveHost } from "./network.ts";
import { listProcesses } from "./processes.ts";
import { checkService } from "./service.ts";

const Nothing = z.object({});

// The first character is never "-", so that a name cannot pass for an option of the program that gets it.
const Host = z
  .string()
  .trim()
  .max(253)
  .regex(/^[a-zA-Z0-9:][a-zA-Z0-9.:-]*$/, "a host name or an IP address")
  .describe("A host name or an IP address");

const Service = z
  .string()
  .trim()
  .max(64)
  .regex(/^[a-zA-Z0-9_][a-zA-Z0-9_@.-]*$/, "a service's name, such as nginx or mysql")
  .describe("The service's name, such as nginx or mysql");

const PingCount = z.int().min(1).max(5).default(3).describe("How many echo requests to send");

const Path = z.string().trim().min(1).max(1_024).default("/").describe("A path on the file system to look at");

const machineTools = [
  defineTool({
    name: "GetCPUUsage",
    description: "CPU usage of this machine, measured for a quarter of a second, with load averages.",
    effect: "read",
    input: Nothing,
    run: (_input, { scope }) => measureCpu(scope.abort),
  }),
  defineTool({
    name: "GetMemoryUsage",
    description: "Memory and swap of this machine: total, used, available.",
    effect: "read",
    input: Nothing,
    run: () => measureMemory(),
  }),
  defineTool({
    name: "GetDiskSpace",
    description: "Total, used and free space of the file system that holds a path.",
    effect: "read",
    input: z.object({ path: Path }),
    run: ({ path }) => measureDisk(path),
  }),
  defineTool({
    name: "GetSystemInfo",
    description: "Host name, operating system, architecture and uptime of this machine.",
    effect: "read",
    input: Nothing,
    run: () => describeMachine(),
  }),
  defineTool({
    name: "GetRunningProcesses",
    description: "The processes of this machine that use most CPU and memory.",
    effect: "read",
    input: z.object({ count: z.int().min(1).max(20).default(10).describe("How many processes to list") }),
    run: ({ count }, { scope }) => listProcesses(count, scope.abort),
  }),
];

const networkTools = [
  defineTool({
    name: "PingHost",
    description: "Sends echo requests to a host: how many came back, and how fast.",
    effect: "read",
    input: z.object({ host: Host, count: PingCount }),
    run: ({ host, count }, { scope }) => ping({ host, count, abort: scope.abort }),
  }),
  defineTool({
    name: "CheckServiceStatus",
    description: "Whether a service runs on this machine.",
    effect: "read",
    input: z.object({ service: Service }),
    run: ({ service }, { scope }) => checkService(service, scope.abort),
  }),
  defineTool({
    name: "ResolveDNS",
    description: "The addresses of a host name.",
    effect: "read",
    input: z.object({ hostname: Host }),
    run: ({ hostname }) => resolveHost(hostname),
  }),
];

const checks = [
  defineTool({
    name: "CheckMemoryStatus",
    description: "Memory of this machine with a judgement (ok, warning, critical) and advice.",
    effect: "read",
    input: Nothing,
    run: () => judgeMemory(),
  }),
  defineTool({
    name: "CheckDiskStatus",
    description: "Disk space behind a path with a judgement (ok, warning, critical) and advice.",
    effect: "read",
    input: z.object({ path: Path }),
    run: ({ path }) => judgeDisk(path),
  }),
  defineTool({
    name: "CheckNetworkStatus",
    description: "Whether a host answers, with a judgement (ok, warning, critical) and advice.",
    effect: "read",
    input: z.object({ host: Host, count: PingCount }),
    run: ({ host, count }, { scope }) => judgeNetwork({ host, count, abort: scope.abort }),
  }),
  defineTool({
    name: "GetSystemDiagnostics",
    description: "One look at the whole machine: CPU, memory, disk, busiest processes, and what needs attention.",
    effect: "read",
    input: Nothing,
    run: (_input, { scope }) => diagnose(scope.abort),
  }),
];

const executeCommand = defineTool({
  name: "ExecuteCommand",
  description: "Runs one program with arguments on this machine, without a shell. A person is asked first, each time.",
  effect: "irreversible",
  input: z.object({ command: CommandLine.describe("A program and its arguments, e.g. `df -h`") }),
  run: ({ command }, { scope }) => runCommand(command, scope.abort),
});

export default [...machineTools, ...networkTools, ...checks, executeCommand];
