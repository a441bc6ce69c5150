/** The process of a run: output that cannot be written, errors that are not caught, and signals. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { BATON, Child, inFolder, spawnBaton, startBaton } from "../../testing/command.ts";
import { CREW_FILES } from "../../testing/crew-files.ts";

test(
  "output that cannot be written is a failure, and errors that cannot be are none",
  { skip: !existsSync("/dev/full") },
  async () => {
    const quoted = [process.execPath, BATON, "run", "desk", "clear"].map((word) => `"${word}"`).join(" ");
    await inFolder(CREW_FILES, async (cwd) => {
      for (const more of ["", " --json"]) {
        const lost = await new Child(["sh", "-c", `exec ${quoted}${more} >/dev/full`], { cwd }).ended();
        assert.equal(lost.exitCode, 1);
        assert.match(lost.stderr, /^baton: cannot write to standard output: ENOSPC/m);
      }
      const mute = await new Child(["sh", "-c", `exec ${quoted} 2>/dev/full`], { cwd }).ended();
      assert.equal(mute.exitCode, 0);
    });
  },
);

test("an uncaught error of a tool is printed, and ends no run", async () => {
  const tools = `import { defineTool } from "@baton/core";
import { z } from "zod";
const run = async () => { Promise.reject(new Error("nobody waits for me")); await null; return "done"; };
export default [defineTool({ name: "Stray", description: "s", effect: "read", input: z.object({}), run })];
`;
  const crew = `version: "1.0"
name: shop
agents: [{ id: a, name: Ada, role: works, is_terminal: true, tools: [Stray] }]
`;
  const script = `a: [{ when: go, call: [{ tool: Stray, args: {} }] }, { say: "All done." }]\n`;
  const files = { "shop/crew.yaml": crew, "shop/script.yaml": script, "shop/tools.ts": tools };
  await inFolder(files, async (cwd) => {
    const { exitCode, stdout, stderr } = await spawnBaton(["run", "shop", "go"], { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /All done\./);
    assert.match(stderr, /^baton: uncaught error, probably from a tool: nobody waits for me$/m);
  });
});

test("a second interrupt ends the process at once", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const child = startBaton(["run", "desk", "hang", "--json"], { cwd });
    await child.sees('"call.started"');
    // Two of the same kind could reach the process as one.
    child.process.kill("SIGINT");
    child.process.kill("SIGTERM");
    const { exitCode, stdout } = await child.ended();
    assert.equal(exitCode, 130);
    assert.doesNotMatch(stdout, /run\.ended/);
  });
});

test("a reader that goes away ends the run without a word", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const child = startBaton(["run", "desk", "hang", "--json"], { cwd });
    // Before the first line: once the tool hangs, nothing more would be written to notice it by.
    child.process.stdout.destroy();
    const { exitCode, stderr } = await child.ended();
    assert.doesNotMatch(stderr, /EPIPE|Error/);
    assert.equal(exitCode, 130);
  });
});
