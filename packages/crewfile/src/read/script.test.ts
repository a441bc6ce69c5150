import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { defineTool } from "@baton/core";
import { z } from "zod";
import type { CrewFile } from "./crew-file.ts";
import { readCrew, readScript } from "./read-crew.ts";
import { writeFolder } from "../testing/folder.ts";

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

  test("a script may call agents that are tools, and tools of a request", async () => {
    const agents = (more: string) => `version: "1.0"
agents:
  - { id: a, name: A, role: R, is_terminal: true, tools: [{ agent: b, as: ask_b }, { agent: c }]${more} }
  - { id: b, name: B, role: R }
  - { id: c, name: C, role: R }
`;
    const script = `a:\n  - call: [{ tool: ask_b }, { tool: c }, { tool: Locate }]\n  - say: Hi.\n`;
    const found = async (more: string) =>
      (await readFiles({ "crew.yaml": agents(more), "script.yaml": script })).findings
        .filter(({ code }) => code === "unknown_tool")
        .map(({ message }) => message);
    assert.deepEqual(await found(""), ["there is no tool `Locate`"]);
    assert.deepEqual(await found(", client_tools: [Locate]"), []);
    assert.deepEqual(await found(", client_tools: true"), []);
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

  suite("otherwise", () => {
    const pair = `version: "1.0"\nagents:\n  - { id: a, name: A, role: R, handoff_targets: [b] }
  - { id: b, name: B, role: R, is_terminal: true }\n`;

    test("it is the entry agent's reply after its openings, and ends the run", async () => {
      const { script, findings } = await readFiles({
        "crew.yaml": pair,
        "script.yaml": `a:
  - { when: one, say: One. }
  - { when: two, say: Two. }
  - say: More.
  - { when: three, say: Three. }
b: [{ say: Bye. }]
otherwise: Ask me for one or two.
`,
      });
      assert.deepEqual(findings, []);
      assert.deepEqual(script?.get("a"), [
        { when: "one", say: "One." },
        { when: "two", say: "Two." },
        { say: "Ask me for one or two.", end: true, otherwise: true },
        { say: "More." },
        { when: "three", say: "Three." },
      ]);
      assert.deepEqual([...(script?.keys() ?? [])], ["a", "b"]);
    });

    const GROUP = `${pair}entry_point: g\nrouting: { parallel_groups: { g: { agents: [a, b] } } }\n`;
    const REFUSED: readonly (readonly [why: string, crew: string, script: string, code: string, message: RegExp])[] = [
      [
        "no opening",
        pair,
        "a: [{ say: Hi. }]\notherwise: No.\n",
        "invalid_otherwise",
        /`a` do not begin with one that/,
      ],
      ["no entries", pair, "b: [{ when: x, say: Hi. }]\notherwise: No.\n", "invalid_otherwise", /entry agent `a`/],
      ["a group as entry", GROUP, "a: [{ when: x, say: Hi. }]\notherwise: No.\n", "invalid_otherwise", /the group `g`/],
      ["no text", pair, 'a: [{ when: x, say: Hi. }]\notherwise: ""\n', "empty_entry", /is empty/],
      [
        "a list",
        pair,
        "a: [{ when: x, say: Hi. }]\notherwise: [{ say: No. }]\n",
        "wrong_type",
        /must be text, not a list/,
      ],
      [
        "an agent of that name",
        pair.replaceAll("id: b", "id: otherwise").replace("[b]", "[otherwise]"),
        "a: [{ when: x, say: Hi. }]\notherwise: [{ say: No. }]\n",
        "reserved_name",
        /reserved word/,
      ],
    ];
    for (const [why, files, script, code, message] of REFUSED) {
      test(`${why} is an error at its line`, async () => {
        const { crew: made, findings } = await readFiles({ "crew.yaml": files, "script.yaml": script });
        assert.equal(made, undefined);
        assert.deepEqual(
          findings.filter(({ severity }) => severity === "error").map((one) => [one.code, one.line]),
          [[code, 2]],
        );
        assert.match(findings.find(({ severity }) => severity === "error")?.message ?? "", message);
      });
    }

    test("it is checked in a script from another file too", async () => {
      await using folder = await writeFolder({
        "crew.yaml": pair,
        "other.yaml": "a: [{ say: Hi. }]\notherwise: No.\n",
      });
      const { crew: made } = await readCrew(folder.path, { providers: [] });
      assert.ok(made !== undefined);
      const { findings } = await readScript(join(folder.path, "other.yaml"), made);
      assert.deepEqual(codes({ findings }), ["invalid_otherwise"]);
    });
  });
});
