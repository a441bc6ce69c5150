import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tool } from "@baton/core";
import type { IsolationLevel, ThreadPool, ToolSource } from "./read-options.ts";
import { readCrew } from "./read-crew.ts";
import { type TestFolder, writeFolder } from "../testing/folder.ts";

const CORE = JSON.stringify(import.meta.resolve("@baton/core"));
const ZOD = JSON.stringify(import.meta.resolve("zod"));
const TOOLS = `
import { defineTool } from ${CORE};
import { z } from ${ZOD};
const tool = (name, more = {}) =>
  defineTool({ name, description: name, effect: "read", input: z.object({}), run: () => 1, ...more });
export default [tool("Plain"), tool("Here", { isolation: "inline" }), tool("There", { isolation: "thread" })];
`;

function writeCrew(settings: string): Promise<TestFolder> {
  const agent = "id: a\nname: A\nrole: r\nis_terminal: true\ntools: [Plain, Here, There]\n";
  const crew = `version: "1.0"\nname: threads\nagents: [a]\nsettings: { ${settings} }\n`;
  return writeFolder({ "crew.yaml": crew, "agents/a.yaml": agent, "tools.ts": TOOLS });
}

/** Names the tools that it was given, and the file they are in. */
class RecordingPool implements ThreadPool {
  readonly wrapped: string[] = [];

  wrap(tool: Tool, { file }: ToolSource, level: IsolationLevel): Tool {
    this.wrapped.push(`${level} ${tool.name} of ${file.slice(file.lastIndexOf("/") + 1)}`);
    return { ...tool, file };
  }
}

test("a tool says itself where it runs, else the crew's settings do", async () => {
  for (const [settings, expected] of [
    ["tool_isolation: thread", ["thread Plain of tools.ts", "thread There of tools.ts"]],
    ["tool_isolation: shared", ["shared Plain of tools.ts", "thread There of tools.ts"]],
    ["max_rounds: 3", ["auto Plain of tools.ts", "thread There of tools.ts"]],
  ] as const) {
    await using folder = await writeCrew(settings);
    const threads = new RecordingPool();
    const { crew, findings } = await readCrew(folder.path, { providers: [], threads });
    assert.ok(crew, JSON.stringify(findings));
    assert.deepEqual(threads.wrapped, expected);
  }
});

test("a crew with tools for threads cannot run if the caller gives no threads", async () => {
  await using folder = await writeCrew("tool_isolation: thread");
  const { crew, findings } = await readCrew(folder.path, { providers: [] });
  assert.equal(crew, undefined);
  assert.deepEqual(
    findings.filter(({ severity }) => severity === "error").map(({ code }) => code),
    ["no_threads"],
  );
});
