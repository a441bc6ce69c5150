import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { inFolder, startBaton } from "../testing/command.ts";

const FILES = {
  "crew.yaml": `version: "1.0"
description: Scores a company
expose:
  name: score
  task: never
  input: { type: object, properties: { symbol: { type: string } }, required: [symbol] }
agents:
  - { id: judge, name: Judge, role: Judges, is_terminal: true, tools: [look] }
`,
  "script.yaml": `judge:
  - call: [{ tool: look, args: {} }]
  - say: Seven.
`,
  "tools.ts": `import { defineTool } from "@baton/core";
console.log("loaded");
export default [defineTool({
  name: "look", description: "Looks.", effect: "read",
  input: { jsonSchema: { type: "object" }, validate: (value) => ({ ok: true, value }) },
  run: () => { console.log("looking"); return "seen"; },
})];
`,
};

const ANSWER = z.looseObject({ id: z.number(), result: z.looseObject({}) });

test("`baton mcp serve` writes only messages, whatever tools print, and ends with its input", async () => {
  await inFolder(FILES, async (cwd) => {
    const child = startBaton(["mcp", "serve"], { cwd });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const call = { name: "score", arguments: { symbol: "X\u2028Y" } };
    for (const message of [
      { id: 1, method: "initialize", params },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list" },
      { id: 3, method: "tools/call", params: call },
    ])
      child.process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    child.process.stdin.end();
    const { exitCode, stdout, stderr } = await child.ended();
    assert.equal(exitCode, 0, stderr);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => ANSWER.parse(JSON.parse(line)));
    const byId = new Map(answers.map(({ id, result }) => [id, JSON.stringify(result)]));
    assert.match(byId.get(2) ?? "", /"score"[^]*"symbol"/);
    assert.match(byId.get(3) ?? "", /Seven\./);
    assert.equal(answers.length, 3);
    assert.match(stderr, /loaded\n[^]*looking\n/);
  });
});
