import assert from "node:assert/strict";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";

const crew = `version: "1.0"
name: boxed
agents:
  - { id: a, name: A, role: r, is_terminal: true, tools: [where, sum] }
tools:
  where: { description: d, effect: read, isolation: process, command: [id] }
  sum: { description: d, effect: read, input: { type: object }, isolation: wasm, module: ./sum.ts }
`;
const sum = "export default ({ a, b }: { a: number; b: number }) => a + b;";
const env = { BATON_BWRAP: "/nowhere/bwrap" };

test("a crew whose level is missing is refused with exit 2 before anything runs, and can be looked at", async () => {
  await inFolder({ "crew.yaml": crew, "sum.ts": sum }, async (cwd) => {
    for (const args of [
      ["run", ".", "hi", "--model", "offline"],
      ["serve", "--port", "0"],
      ["worker", ".", "--postgres", "postgres://127.0.0.1:1/none"],
      ["check", "."],
      ["tools", "call", "where"],
    ]) {
      const { exitCode, stdout, stderr } = await baton(args, { cwd, env });
      assert.equal(exitCode, 2, args.join(" "));
      assert.match(stdout + stderr, /`where` has `isolation: process`, which is missing here[^]*missing_backend/);
      assert.match(stdout + stderr, /BATON_BWRAP is \/nowhere\/bwrap.*install bubblewrap|needs Linux/);
    }
    const { exitCode, stdout } = await baton(["tools", "--json"], { cwd, env });
    assert.equal(exitCode, 0);
    assert.match(stdout, /"isolation": "process"[^]*"memory_mb": 256[^]*"isolation": "wasm"[^]*"memory_mb": 32/);
  });
});

test("a tool in WebAssembly is called by hand", async () => {
  const alone = crew.replace(/ {2}where: .*\n/, "").replace("where, ", "");
  await inFolder({ "crew.yaml": alone, "sum.ts": sum }, async (cwd) => {
    const { exitCode, stdout } = await baton(["tools", "call", "sum", '{"a":2,"b":3}'], { cwd, env });
    assert.deepEqual([exitCode, stdout.trim()], [0, "5"]);
  });
});
