import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { callTool, toolContext } from "@baton/core/testing";
import { ToolError } from "@baton/core";
import type { Level, LevelJob } from "@baton/core/ports";
import { type TestFolder, writeFolder } from "../../testing/folder.ts";
import { readCrew } from "../read-crew.ts";

const CORE = JSON.stringify(import.meta.resolve("@baton/core"));
const FILES = {
  "agents/a.yaml": "id: a\nname: A\nrole: r\nis_terminal: true\n",
  "data/a.txt": "a",
  "kept/baton.db": "",
  "m.js": "export default () => 1",
  "tools.ts": `import { defineTool } from ${CORE};
const input = { jsonSchema: { type: "object" }, validate: (value) => ({ ok: true, value }) };
export default [defineTool({ name: "own", description: "d", effect: "read", input, run: () => "inline" })];`,
};
const PROCESS = "description: d, effect: read, isolation: process, command: [cat]";
const WASM = "description: d, effect: read, isolation: wasm, module: ./m.js";

async function writeCrew(tools: string, settings = "max_rounds: 3"): Promise<TestFolder> {
  const crew = `version: "1.0"\nname: c\nagents: [a]\nsettings: { ${settings} }\ntools:\n  ${tools}\n`;
  const folder = await writeFolder({ ...FILES, "crew.yaml": crew });
  await symlink("/usr", join(folder.path, "link"));
  return folder;
}

/** Levels that keep their jobs; nothing is missing. */
function fakeLevels(jobs: LevelJob[] = [], missing?: string): readonly Level[] {
  return (["wasm", "process"] as const).map((level) => ({
    level,
    missing: () => Promise.resolve(missing),
    run: (job) => {
      jobs.push(job);
      if (job.env["TOKEN"] === "broken!!!") throw new ToolError("permanent", `no broken!!! here`);
      return Promise.resolve({ said: [job.env["TOKEN"] ?? ""] });
    },
  }));
}

async function check(tools: string, levels = fakeLevels(), settings?: string): Promise<readonly string[]> {
  await using folder = await writeCrew(tools, settings);
  const options = { providers: [], levels, dataFolder: join(folder.path, "kept"), env: { SET: "x" } };
  const { findings } = await readCrew(folder.path, options);
  return findings.map(({ code, severity, message }) => `${severity} ${code} ${message}`);
}

test("a sandbox that is not valid is an error at its field", async () => {
  for (const tools of [
    `own: { isolation: inline, sandbox: { memory_mb: 64 } }`,
    `own: { isolation: thread, sandbox: { memory_mb: 64 } }`,
    `own: { sandbox: { memory_mb: 64 } }`,
    `own: { isolation: wasm }`,
    `own: { isolation: process, sandbox: { memory_mb: 1 } }`,
    `t: { ${PROCESS}, sandbox: { memory_mb: 0.5 } }`,
    `t: { ${PROCESS}, sandbox: { cpu_seconds: 0 } }`,
    `t: { ${PROCESS}, sandbox: { output_kb: 99999999 } }`,
    `t: { ${PROCESS}, sandbox: { max_processes: -1 } }`,
    `t: { ${PROCESS}, sandbox: { env: ["A=B"] } }`,
    `t: { ${PROCESS}, sandbox: { env: [LD_PRELOAD] } }`,
    ...[
      "./nothing",
      "/",
      ".",
      "..",
      "../x",
      "./link",
      "./data/../..",
      "./kept",
      "./kept/baton.db",
      "/proc",
      "/dev",
    ].map((path) => `t: { ${PROCESS}, sandbox: { read: ["${path}"] } }`),
    `t: { ${PROCESS}, sandbox: { write: ["/"] } }`,
    `t: { ${WASM}, sandbox: { read: [./data] } }`,
    `t: { ${WASM}, sandbox: { hosts: [a.com] } }`,
    `t: { ${WASM}, sandbox: { env: [SET] } }`,
    `t: { ${WASM}, sandbox: { disk_mb: 3 } }`,
    `t: { description: d, effect: read, isolation: wasm, command: [cat] }`,
    `t: { description: d, effect: read, isolation: wasm, module: ./nothing.js }`,
    `t: { description: d, effect: read, isolation: process, module: ./m.js }`,
    `t: { description: d, effect: read, command: [cat] }`,
  ]) {
    const found = await check(tools);
    assert.ok(
      found.some((text) => text.startsWith("error bad_sandbox")),
      `${tools}: ${found.join("\n")}`,
    );
  }
});

test("a sandbox that is valid is no finding; a variable that is not set is a warning", async () => {
  const sandbox = `{ read: [./data], write: [./data/a.txt], hosts: ["a.com:8080"], env: [SET], memory_mb: 64 }`;
  assert.deepEqual(await check(`t: { ${PROCESS}, sandbox: ${sandbox} }`), []);
  assert.deepEqual(await check(`t: { ${WASM}, sandbox: { memory_mb: 64 } }`), []);
  const [warning = "", ...others] = await check(`t: { ${PROCESS}, sandbox: { env: [NOT_SET] } }`);
  assert.match(warning, /^warning unset_variable .*NOT_SET/);
  assert.deepEqual(others, []);
});

test("a level that is missing is an error that names the tool, the level and what to install", async () => {
  const [found = ""] = await check(`t: { ${PROCESS} }`, fakeLevels([], "install bubblewrap"));
  assert.match(found, /^error missing_backend .*`t`.*process.*install bubblewrap/);
  assert.match((await check(`t: { ${PROCESS} }`, [])).join(), /error missing_backend/);
  const container = "description: d, effect: read, isolation: container, command: [cat]";
  assert.match((await check(`t: { ${container} }`)).join(), /error missing_backend .*container/);
  assert.match((await check("{}", [], "tool_isolation: process")).join(), /error missing_backend .*`own`/);
});

test("crew.yaml replaces the isolation of a tool of tools.ts, and defines no second one", async () => {
  assert.match((await check("own: { isolation: process, command: [cat] }")).join(), /error duplicate_tool/);
  const jobs: LevelJob[] = [];
  await using folder = await writeCrew("own: { isolation: process, sandbox: { memory_mb: 99 } }");
  const { crew } = await readCrew(folder.path, { providers: [], levels: fakeLevels(jobs) });
  const tool = crew?.tools.get("own");
  assert.ok(tool);
  assert.equal(tool.isolation, "process");
  assert.notEqual(await callTool(tool, {}), "inline");
  const [job] = jobs;
  assert.equal(job?.code.kind, "run");
  assert.equal(job?.sandbox.memory_mb, 99);
  assert.equal(job?.sandbox.cpu_seconds, 10);
});

test("only named variables reach a tool, and their values never reach the log", async () => {
  const jobs: LevelJob[] = [];
  await using folder = await writeCrew(`t: { ${PROCESS}, sandbox: { env: [TOKEN] } }`);
  const call = async (TOKEN: string): Promise<unknown> => {
    const env = { TOKEN, OTHER: "other-secret" };
    const { crew } = await readCrew(folder.path, { providers: [], levels: fakeLevels(jobs), env });
    const tool = crew?.tools.get("t");
    assert.ok(tool);
    return callTool(tool, { x: 1 }, toolContext()());
  };
  assert.deepEqual(await call("token-secret"), { said: ["[TOKEN]"] });
  assert.deepEqual(await call("short"), { said: ["short"] });
  await assert.rejects(call("broken!!!"), { kind: "permanent", message: "no [TOKEN] here" });
  assert.deepEqual(jobs[0]?.env, { TOKEN: "token-secret" });
  assert.deepEqual(jobs[0]?.input, { x: 1 });
});
