import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { defineTool } from "@baton/core";
import { z } from "zod";
import { readCrew, readScript, type CrewFile } from "./read.ts";
import { writeFolder } from "./testing/folder.ts";

async function readFiles(files: Readonly<Record<string, string>>): Promise<CrewFile> {
  await using folder = await writeFolder(files);
  return await readCrew(folder.path, { providers: [] });
}

const codes = ({ findings }: Pick<CrewFile, "findings">): string[] => findings.map(({ code }) => code);

suite("tools and scripts", () => {
  const crew = `version: "1.0"\nagents:\n  - { id: a, name: A, role: R, tools: [Ping], is_terminal: true }\n`;
  const tools = `export default [{ name: "Ping", description: "", effect: "read", inputSchema: {}, concurrency: "parallel",
  prepare: () => ({ ok: true, run: () => "pong" }) }];\n`;

  test("the tools of tools.ts are the crew's", async () => {
    const { crew: made } = await readFiles({ "crew.yaml": crew, "tools.ts": tools });
    assert.deepEqual([...(made?.tools.keys() ?? [])], ["Ping"]);
  });

  test("tools.ts that cannot be imported is the only finding, not every tool it would have had", async () => {
    const { findings } = await readFiles({ "crew.yaml": crew, "tools.ts": "const = 1;" });
    assert.deepEqual(codes({ findings }), ["unloadable_tools"]);
    assert.ok(findings[0]?.file.endsWith("tools.ts"));
  });

  test("a caller may bring tools, and import as it likes", async () => {
    await using folder = await writeFolder({ "crew.yaml": crew, "tools.ts": "not even TypeScript" });
    const ping = defineTool({ name: "Ping", description: "", effect: "read", input: z.object({}), run: () => "pong" });
    const importModule = async () => ({ default: [] });
    const { crew: made } = await readCrew(folder.path, { providers: [], tools: [ping], importModule });
    assert.equal(made?.tools.get("Ping"), ping);
  });

  test("a script is read with every field", async () => {
    const { script, findings } = await readFiles({
      "crew.yaml": crew,
      "tools.ts": tools,
      "script.yaml": `a:
  - when: slow
    say: "Since when? [GO]"
    call: [{ tool: Ping, args: { deep: [1, { x: null }] } }, { tool: Ping }]
    delay_ms: 20
  - { fail: 503 overloaded, retryable: true }
`,
    });
    assert.deepEqual(findings, []);
    assert.deepEqual(script?.get("a"), [
      {
        when: "slow",
        say: "Since when? [GO]",
        call: [{ tool: "Ping", args: { deep: [1, { x: null }] } }, { tool: "Ping" }],
        delayMs: 20,
      },
      { fail: "503 overloaded", retryable: true },
    ]);
  });

  test("a script from another file is checked against the crew", async () => {
    await using folder = await writeFolder({
      "crew.yaml": crew,
      "tools.ts": tools,
      "other.yaml": "b:\n  - say: Hi.\n",
    });
    const { crew: made } = await readCrew(folder.path, { providers: [] });
    assert.ok(made !== undefined);
    const { findings } = await readScript(join(folder.path, "other.yaml"), made);
    assert.deepEqual(
      findings.map(({ code, line }) => [code, line]),
      [["unknown_agent", 1]],
    );
  });

  test("a script whose aliases multiply is refused", async () => {
    const levels = Array.from(
      { length: 8 },
      (_, level) => `        l${level + 1}: &l${level + 1} [${Array(6).fill(`*l${level}`).join(", ")}]`,
    );
    const script = `a:\n  - say: Hi.\n    call:\n      - tool: Ping\n        args: &l0 { x: 1 }\n      - tool: Ping\n        args:\n  ${levels.join("\n  ")}\n`;
    const { findings } = await readFiles({ "crew.yaml": crew, "tools.ts": tools, "script.yaml": script });
    assert.deepEqual(codes({ findings }), ["too_large"]);
  });
});
