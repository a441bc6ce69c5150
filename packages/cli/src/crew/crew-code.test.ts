/** Every command that takes a crew's folder takes a TypeScript file. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";

const DESK = `import { defineCrew, defineTool } from "@baton/baton";
import { z } from "zod";

const tell = defineTool({
  name: "Tell", description: "Tells.", effect: "read", input: z.object({}), run: () => process.env.COLOUR ?? "none",
});

export default defineCrew({
  name: "desk",
  agents: [
    { id: "clerk", systemPrompt: "Use Tell, then write [TO_POET].", tools: ["Tell"] },
    { id: "poet", systemPrompt: "Write.", isTerminal: true },
  ],
  tools: [tell],
  signals: { clerk: [{ signal: "[TO_POET]", target: "poet" }] },
});
`;
const SCRIPT = `clerk:
  - call: [{ tool: Tell }]
  - say: "Here you are. [TO_POET]"
poet:
  - say: A poem.
`;
const FILES = {
  "package.json": '{"type":"module"}',
  ".env": "COLOUR=red\n",
  "desk.ts": DESK,
  "replies.yaml": SCRIPT,
  "two.ts": `import { defineCrew } from "@baton/baton";
const agents = [{ id: "a", isTerminal: true }, { id: "lost" }] as const;
export default [defineCrew({ name: "one", agents, entry: "a" }), defineCrew({ name: "two", agents, entry: "a" })];
`,
  "none.ts": "export const a = 1;\n",
  "throws.ts": "\nthrow new Error('kaput');\n",
};

suite("a crew in a TypeScript file", () => {
  test("is checked, drawn, listed and run, with its .env and a script", async () => {
    await inFolder(FILES, async (cwd) => {
      const checked = await baton(["check", "desk.ts", "--verbose"], { cwd });
      assert.deepEqual([checked.exitCode, checked.stderr], [0, ""]);
      assert.match(checked.stdout, /^✓ desk\.ts {2}2 agents, 1 tool\n {2}worst case for one input: 11 model calls/m);
      assert.match((await baton(["graph", "desk.ts"], { cwd })).stdout, /TO_POET/);
      assert.match((await baton(["tools", "desk.ts"], { cwd })).stdout, /^Tell {2}read/m);
      assert.equal((await baton(["tools", "call", "desk.ts", "Tell"], { cwd })).stdout, '"red"\n');
      const { exitCode, stdout } = await baton(["run", "desk.ts", "hi", "--script", "replies.yaml"], { cwd });
      assert.equal(exitCode, 0);
      assert.match(stdout, /Here you are[\s\S]*A poem\./);
    });
  });

  test("without a crew, or with an error, ends with 2 and the line to look at, and without a stack", async () => {
    await inFolder(FILES, async (cwd) => {
      for (const [file, message] of [
        ["none.ts", /none\.ts:1:1: error: the file has no default export; write `export default defineCrew/],
        ["throws.ts", /throws\.ts:2:7: error: the file cannot be imported: kaput; fix the file/],
      ] as const) {
        for (const args of [
          ["check", file],
          ["run", file, "hi"],
          ["graph", file],
          ["serve", file, "--port", "0"],
        ]) {
          const { exitCode, stdout, stderr } = await baton(args, { cwd });
          assert.equal(exitCode, 2, args.join(" "));
          assert.match(stdout + stderr, message);
          assert.doesNotMatch(stdout + stderr, /\n\s+at /);
        }
      }
    });
  });

  test("of a list is named after a #, and check reads them all", async () => {
    await inFolder(FILES, async (cwd) => {
      const { stdout } = await baton(["check", "two.ts"], { cwd });
      assert.match(stdout, /^✓ two\.ts#one {2}1 warning/m);
      assert.match(stdout, /^✓ two\.ts#two {2}1 warning/m);
      assert.match((await baton(["run", "two.ts#two", "hi", "--model", "offline"], { cwd })).stdout, /^two$/m);
      const several = await baton(["run", "two.ts", "hi"], { cwd });
      assert.equal(several.exitCode, 2);
      assert.match(several.stderr, /the file has several crews; name one of two\.ts#one, two\.ts#two/);
    });
  });
});

test("warnings change the exit code with --strict and --max-warnings only", async () => {
  await inFolder(FILES, async (cwd) => {
    const exitCodeOf = async (...options: readonly string[]) =>
      (await baton(["check", "two.ts", ...options], { cwd })).exitCode;
    assert.equal(await exitCodeOf(), 0);
    assert.equal(await exitCodeOf("--strict"), 2);
    assert.equal(await exitCodeOf("--max-warnings", "2"), 0);
    assert.equal(await exitCodeOf("--max-warnings", "1"), 2);
    assert.equal(await exitCodeOf("--strict", "--max-warnings", "2"), 0);
    const { exitCode, stderr } = await baton(["check", "two.ts", "--max-warnings", "few"], { cwd });
    assert.equal(exitCode, 2);
    assert.match(stderr, /--max-warnings is a whole number, not "few"/);
  });

  test("is named by the error of a folder that has it instead of a crew.yaml", async () => {
    await inFolder({ "shop/crew.ts": DESK }, async (cwd) => {
      const { exitCode, stderr } = await baton(["check", "shop"], { cwd });
      assert.deepEqual([exitCode, stderr], [2, "baton: there is no crew.yaml in shop; did you mean shop/crew.ts?\n"]);
    });
  });
});
