import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder, spawnBaton, startBaton } from "../testing/command.ts";
import { TRIP } from "../testing/trip.ts";

const crew = `version: "1.0"
name: bench
agents:
  - { id: a, name: A, role: r, is_terminal: true, tools: [Greet, Keep, Kept, Wire, Hang, Slow, Told, Guarded, Large, LargeThread, Wrong] }
permissions: { Greet: deny }
`;

const tools = `import { defineTool, ToolError } from "@baton/core";
import { appendFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { z } from "zod";

const none = z.object({});
const tool = (name, run, more = {}) =>
  defineTool({ name, description: name, effect: "read", input: none, run, ...more });
const large = () => ({ text: "x".repeat(1_500_000), isThread: threadId > 0 });

export default [
  tool("Greet", ({ name, mark }) => ({ greeting: "Hello, " + name + mark }), {
    input: z.object({ name: z.string().max(40), mark: z.enum([".", "!"]).default("."), times: z.number().optional() }),
  }),
  tool("Keep", (_, { documents }) => documents.put("notes", { id: "one", data: { kept: true } }), { effect: "idempotent" }),
  tool("Kept", async (_, { documents }) => (await documents.get("notes", "one"))?.data ?? "nothing"),
  tool("Wire", () => "sent", { effect: "irreversible" }),
  tool("Hang", (_, { progress }) => { progress("begun"); return new Promise(() => setInterval(() => {}, 1000)); }),
  tool("Slow", (_, { scope }) => scope.sleep(60_000), { effect: "irreversible", timeoutMs: 200 }),
  tool("Told", (_, { state, note, progress }) => {
    const before = [...state.entries()].length;
    state.set("seen", 1);
    progress({ half: true });
    note("chart", { points: [1, 2], hostile: "\\u001b[31m" });
    return { before, after: state.get("seen") };
  }),
  tool("Guarded", () => "through", { permission: () => ({ decision: "deny", reason: "not for agents" }) }),
  tool("Large", large),
  tool("LargeThread", large, { isolation: "thread" }),
  tool("Wrong", () => { throw new ToolError("permanent", "no such place \\u009b"); }),
];

const open = setInterval(() => {}, 1000);
export const onShutdown = () => { clearInterval(open); appendFileSync("end.txt", "ended"); };
`;

const BENCH = { "bench/crew.yaml": crew, "bench/tools.ts": tools } as const;

const Failed = z.object({ error: z.strictObject({ kind: z.string(), message: z.string() }) });

/** Calls a tool of the crew and reads what it prints. */
async function call(cwd: string, ...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await baton(["tools", "call", "bench", ...words], { cwd });
  const output: unknown = JSON.parse(stdout);
  return { exitCode, output, stdout, stderr };
}

test("the output is printed as JSON on one line, and the crew's tools are shut down once", async () => {
  await inFolder(BENCH, async (cwd) => {
    const { exitCode, stdout, stderr } = await call(cwd, "Greet", '{"name":"Mỹ"}');
    assert.deepEqual([exitCode, stdout, stderr], [0, '{"greeting":"Hello, Mỹ."}\n', ""]);
    assert.equal(await readFile(join(cwd, "end.txt"), "utf8"), "ended");
  });
});

test("without arguments they are an empty object, with a dash they are read from standard input", async () => {
  await inFolder(BENCH, async (cwd) => {
    const none = await call(cwd, "Guarded");
    assert.deepEqual([none.exitCode, none.output], [0, "through"]);
    const read = await baton(["tools", "call", "bench", "Greet", "-"], { cwd, input: '\ufeff{"name": "Bo"}\r\n' });
    assert.equal(read.stdout, '{"greeting":"Hello, Bo."}\n');
    const here = { cwd: join(cwd, "bench") };
    assert.equal((await baton(["tools", "call", "Greet", '{"name":"Bo"}'], here)).stdout, read.stdout);
    assert.equal(
      (await baton(["tools", "call", "Greet", "-"], { ...here, input: '{"name":"Bo"}' })).stdout,
      read.stdout,
    );
    assert.equal((await baton(["tools", "call", "Guarded"], here)).stdout, '"through"\n');
  });
});

test("arguments that do not fit fail as validation, and each field is named", async () => {
  await inFolder(BENCH, async (cwd) => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['{"name":5,"mark":"?","times":"x"}', /name: .*string.*; mark: .*; times: .*number/],
      ["{}", /name: /],
      ["[1]", /expected object, received array/],
      ['{"name"', /^the arguments are not valid JSON: /],
      [" ", /^the arguments are empty; write JSON such as \{\}$/],
      [`${"[".repeat(2_000)}${"]".repeat(2_000)}`, /nested too deeply/],
    ];
    for (const [args, expected] of wrong) {
      const { exitCode, output } = await call(cwd, "Greet", args);
      const { error } = Failed.parse(output);
      assert.deepEqual([exitCode, error.kind], [1, "validation"]);
      assert.match(error.message, expected);
    }
  });
});

test("a tool that fails or takes too long prints its error and ends with 1", async () => {
  await inFolder(BENCH, async (cwd) => {
    const wrong = await call(cwd, "Wrong");
    const error = { kind: "permanent", message: "no such place \u009b" };
    assert.deepEqual([wrong.exitCode, wrong.output], [1, { error }]);
    const slow = await call(cwd, "Slow", "{}", "--yes");
    const late = { kind: "timeout", message: "Slow took longer than 0.2 s (the tool's timeoutMs)" };
    assert.deepEqual([slow.exitCode, slow.output], [1, { error: late }]);
  });
});

test("a tool that cannot be called is refused before anything happens", async () => {
  await inFolder({ ...BENCH, ...TRIP }, async (cwd) => {
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [["bench", "Gret"], /^baton: crew bench has no tool "Gret"; did you mean Greet\?\n$/],
      [["bench", "Frobnicate"], /its tools are Greet, Keep, Kept, Wire, /],
      [["bench", "Wire"], /^baton: Wire cannot be undone; add --yes to call it\n$/],
      [["trip", "Where", "{}"], /^baton: Where is a client tool: the client/],
      [["bench"], /^baton: name the tool to call: baton tools call bench TOOL/],
      [["bench", "{}"], /^baton: name the tool to call: baton tools call bench TOOL/],
      [[], /^baton: name the tool to call: baton tools call CREW TOOL/],
      [["nowhere", "Greet"], /^baton: there is no folder or file nowhere/],
      [["Greet", "{}"], /^baton: there is no crew\.yaml in this folder/],
      [["bench", "Greet", "{}", "more"], /^baton: `more` is one argument too many\.\n/],
    ];
    for (const [words, expected] of wrong) {
      const { exitCode, stdout, stderr } = await baton(["tools", "call", ...words], { cwd });
      assert.deepEqual([exitCode, stdout], [2, ""]);
      assert.match(stderr, expected);
    }
    const listed = await baton(["tools", "bench", "more"], { cwd });
    assert.equal(listed.exitCode, 2);
    assert.match(listed.stderr, /^baton: "more" is one argument too many/);
  });
});

test("--yes calls what cannot be undone; permissions of the crew and of the tool are for agents", async () => {
  await inFolder(BENCH, async (cwd) => {
    assert.equal((await call(cwd, "Wire", "--yes")).output, "sent");
    assert.equal((await call(cwd, "Guarded")).output, "through");
    assert.deepEqual((await call(cwd, "Greet", '{"name":"you","mark":"!"}')).output, { greeting: "Hello, you!" });
  });
});

test("the state is empty; progress and notes go to standard error, but not with --json", async () => {
  await inFolder(BENCH, async (cwd) => {
    const told = await call(cwd, "Told");
    assert.deepEqual(told.output, { before: 0, after: 1 });
    const note = String.raw`note chart {"points":[1,2],"hostile":"\u001b[31m"}`;
    assert.equal(told.stderr, `progress {"half":true}\n${note}\n`);
    const quiet = await call(cwd, "Told", "--json");
    assert.deepEqual([quiet.output, quiet.stderr], [told.output, ""]);
  });
});

test("tools in threads work, and an output longer than a log keeps is printed whole", async () => {
  await inFolder(BENCH, async (cwd) => {
    // A process of its own: threads inherit the flags of the test's process, which name files by relative paths.
    const { exitCode, stdout } = await spawnBaton(["tools", "call", "bench", "LargeThread"], { cwd });
    assert.equal(exitCode, 0);
    assert.deepEqual(JSON.parse(stdout), { text: "x".repeat(1_500_000), isThread: true });
    assert.deepEqual((await call(cwd, "Large")).output, { text: "x".repeat(1_500_000), isThread: false });
  });
});

test("Ctrl-C ends a call that never ends, with 130, and the crew's tools are shut down", async () => {
  await inFolder(BENCH, async (cwd) => {
    const child = startBaton(["tools", "call", "bench", "Hang"], { cwd });
    await new Promise<void>((resolve) => child.process.stderr.once("data", () => resolve()));
    child.process.kill("SIGINT");
    const { exitCode, stdout } = await child.ended();
    assert.equal(exitCode, 130);
    assert.equal(Failed.parse(JSON.parse(stdout)).error.kind, "cancelled");
    assert.equal(await readFile(join(cwd, "end.txt"), "utf8"), "ended");
  });
});

test("a crew in a folder called call can be listed", async () => {
  const closed = tools.slice(0, tools.indexOf("const open"));
  await inFolder({ "call/crew.yaml": crew, "call/tools.ts": closed }, async (cwd) => {
    const { exitCode, stdout } = await baton(["tools", "call"], { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /^Greet {2}read {2}not allowed/);
  });
});

test("what a tool keeps for the user is there for the next call, in the folder that --data names", async () => {
  await inFolder(BENCH, async (cwd) => {
    assert.equal((await call(cwd, "Kept")).output, "nothing");
    assert.equal((await call(cwd, "Keep", "--data", "own")).exitCode, 0);
    assert.deepEqual((await call(cwd, "Kept", "--data", "own")).output, { kept: true });
    assert.equal((await call(cwd, "Kept")).output, "nothing");
  });
});
