import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder, startBaton, withoutNumbers } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";

const Event = z.looseObject({ type: z.string(), seq: z.int() });
type Event = z.infer<typeof Event>;

function toEvents(stdout: string): readonly Event[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => Event.parse(JSON.parse(line)));
}

test("a crew without an input is answered with its examples, as commands to copy", async () => {
  const crew = `version: "1.0"
agents: [{ id: a, name: A, role: R, is_terminal: true }]
`;
  const files = { "shop/crew.yaml": `${crew}examples: ["Where is my tea?", "Refund $5"]\n`, "plain/crew.yaml": crew };
  await inFolder(files, async (cwd) => {
    const { exitCode, stderr } = await baton(["run", "shop"], { cwd });
    assert.equal(exitCode, 2);
    assert.match(stderr, /^baton: shop needs an input, .* for example:$/m);
    assert.match(stderr, /^ {2}(npx )?baton run shop "Where is my tea\?"\n {2}(npx )?baton run shop 'Refund \$5'$/m);
    assert.match((await baton(["run", "plain"], { cwd })).stderr, /^ {2}(npx )?baton run plain "…"$/m);
    assert.match((await baton(["run"], { cwd: `${cwd}/shop` })).stderr, /^ {2}(npx )?baton run "Where is my tea\?"$/m);
    assert.match((await baton(["run"], { cwd })).stderr, /^baton: name a crew and an input: /);
  });
});

test("a mode is an option of the run, and its answer is written as Markdown with the sources of its tools", async () => {
  const crew = `version: "1.0"
agents: [{ id: a, name: A, role: R, is_terminal: true, tools: [Look] }]
`;
  const provenance = `{ source: "The almanac", as_of: "2026-01-02T00:00:00Z", url: "https://almanac.example" }`;
  const files = {
    "desk/crew.yaml": crew,
    "desk/tools.ts": `import { defineTool } from "@baton/core";
import { z } from "zod";
export default [defineTool({ name: "Look", description: "Looks.", effect: "read", input: z.object({}),
  run: () => ({ data: 1, provenance: ${provenance} }) })];
`,
    "desk/script.yaml": 'a: [{ call: [{ tool: Look }, { tool: Look }] }, { say: "# Tea\\nIt is **green**." }]\n',
  };
  await inFolder(files, async (cwd) => {
    const args = ["run", "desk", "Report", "--mode", "deep_research", "--out", "report.md", "--json"];
    const { exitCode, stdout, stderr } = await baton(args, { cwd });
    assert.equal(exitCode, 0, stderr);
    assert.partialDeepStrictEqual(toEvents(stdout)[0], { options: { mode: "deep_research" } });
    assert.equal(
      await readFile(join(cwd, "report.md"), "utf8"),
      "# Tea\nIt is **green**.\n\n## Sources\n\n- The almanac, 2026-01-02, https://almanac.example\n",
    );
    const again = await baton(["run", "--resume", "x", "--out", "report.md"], { cwd });
    assert.deepEqual(
      [again.exitCode, again.stderr.split("\n")[0]],
      [2, "baton: --out is for a new run; remove it or --resume"],
    );
    const wrong = await baton(["run", "desk", "Report", "--out", "no/folder/report.md"], { cwd });
    assert.match(wrong.stderr, /cannot be written to no\/folder\/report\.md/);
  });
});

test("a run begins with how many warnings a check would show; notes are not counted", async () => {
  const crew = `version: "1.0"
agents:
  - { id: a, name: A, role: R }
  - { id: b, name: B, role: R, is_terminal: true }
routing: { signals: { a: [{ signal: "[AGAIN]", target: a }] }, agent_behaviors: { a: { is_terminal: true } } }
`;
  await inFolder({ "shop/crew.yaml": crew, "shop/script.yaml": "a: [{ say: Hi. }]\n" }, async (cwd) => {
    const { stdout } = await baton(["run", "shop", "Hello"], { cwd });
    assert.match(stdout, /^1 warning: see `baton check shop`$/m);
  });
});

test("a run away from a terminal is plain lines, and its tools find what they import with no node_modules", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { exitCode, stdout, stderr } = await baton(["run", "desk", "Please work"], { cwd });
    assert.equal(
      withoutNumbers(stdout),
      `desk
A desk for tests.
model script: no provider's key is set, and the crew brings a script

● Mỹ  front
│ Clear.
╰─ [WORK] → worker

● worker
│ ✓ Greet(name: "\\u001b[31mBob")  N ms
│   {"greeting":"Hello, \\u001b[31mBob"}
│ All done.
╰─

✓ done in N ms · 2 turns · 3 model calls · 1 tool call · N tokens
`,
    );
    assert.deepEqual([exitCode, stderr], [0, ""]);
  });
});

test("the exit code is the outcome: failed, paused, limit", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const failed = await baton(["run", "desk", "fail"], { cwd });
    assert.equal(failed.exitCode, 1);
    assert.match(failed.stdout, /✗ failed in .*\n {2}503 overloaded\n {2}Try again/);
    const paused = await baton(["run", "desk", "vague"], { cwd });
    assert.equal(paused.exitCode, 3);
    assert.match(paused.stdout, /│ Since when\?\n│ And where\?\n╰─ waits for you\n$/);
    assert.match(
      paused.stderr,
      /^baton: the run is paused: asker waits for your answer\.\nContinue it with:\nbaton run desk --resume \w{8} "your answer"\n$/,
    );
    const limited = await baton(["run", "desk", "loop"], { cwd });
    assert.equal(limited.exitCode, 4);
    assert.match(limited.stdout, /▲ front did not hand over to front: max_handoffs is 5\n.*\n\n▲ limit in/);
  });
});

test("without a terminal, an approval ends the command with the exact arguments", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { exitCode, stderr } = await baton(["run", "desk", "wire it"], { cwd });
    assert.equal(exitCode, 3);
    assert.ok(stderr.includes(String.raw`worker asks to use Wire with { "to": "Ann\u{200b}", "amount": 5 }`), stderr);
  });
});

test("--json prints the events of the log and nothing else", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { exitCode, stdout, stderr } = await baton(["run", "desk", "work", "--json"], { cwd });
    const events = toEvents(stdout);
    assert.equal(exitCode, 0);
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    );
    assert.equal(events[0]?.type, "run.started");
    assert.equal(events.at(-1)?.["outcome"], "done");
    assert.match(stderr, /^desk\n.*\nmodel script: /);
  });
});

test("the input may come from standard input, with a BOM and Windows line ends", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { stdout } = await baton(["run", "desk", "-", "--json"], { cwd, input: "\ufeffone\r\ntwo\r\n" });
    assert.equal(toEvents(stdout)[0]?.["input"], "one\ntwo");
    const wrong = await baton(["run", "desk", "-"], { cwd, input: Uint8Array.of(0xff, 0xfe) });
    assert.deepEqual(
      [wrong.exitCode, wrong.stderr],
      [2, "baton: standard input is not UTF-8; convert it to UTF-8 first\n"],
    );
    const large = await baton(["run", "desk", "-"], { cwd, input: "x".repeat(50_000) });
    assert.match(large.stderr, /the input is too large; max_input_size_kb is 40\n$/);
  });
});

test("in a crew's folder the crew need not be named, and a task starts at its agent", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const here = { cwd: `${cwd}/desk` };
    const { stdout } = await baton(["run", "work", "--json"], here);
    assert.equal(toEvents(stdout)[0]?.["input"], "work");
    const task = await baton(["run", ".", "today", "--task", "work", "--json"], here);
    assert.deepEqual(toEvents(task.stdout)[0]?.["entry"], { kind: "agent", id: "worker" });
    const unknown = await baton(["run", ".", "today", "--task", "wrok"], here);
    assert.deepEqual(
      [unknown.exitCode, unknown.stderr],
      [2, 'baton: crew desk has no task "wrok"; did you mean work?\n'],
    );
  });
});

test("--script answers instead, and its errors have a place", async () => {
  const files = { ...CREW_FILES, "other.yaml": "front: [{ say: 'Only me.' }]\n", "bad.yaml": "fornt: [{ say: hi }]\n" };
  await inFolder(files, async (cwd) => {
    const { stdout } = await baton(["run", "desk", "x", "--script", "other.yaml"], { cwd });
    assert.match(stdout, /│ Only me\.\n/);
    const bad = await baton(["run", "desk", "x", "--script", "bad.yaml"], { cwd });
    assert.equal(bad.exitCode, 2);
    assert.match(bad.stderr, /^bad\.yaml:1:1: error: there is no agent `fornt`; did you mean `front`\?/);
  });
});

test("a model that cannot be used is refused before anything runs, with what to set", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const missing = await baton(["run", "desk", "work", "--model", "openai/gpt-5-mini"], { cwd });
    assert.deepEqual([missing.exitCode, missing.stdout], [2, ""]);
    assert.match(missing.stderr, /set OPENAI_API_KEY/);
    const offline = await baton(["run", "desk", "work"], { cwd, env: { BATON_MODEL: "offline" } });
    assert.match(offline.stdout, /model offline: BATON_MODEL is set/);
  });
});

test("an invalid crew does not run, and its errors are shown", async () => {
  await inFolder({ "crew.yaml": 'version: "1.0"\nagents: []\nnmae: x\n' }, async (cwd) => {
    const { exitCode, stdout, stderr } = await baton(["run", "hello"], { cwd });
    assert.deepEqual([exitCode, stdout], [2, ""]);
    assert.match(stderr, /crew\.yaml:3:1: error: there is no field `nmae`; did you mean `name`\?/);
    assert.match(stderr, /baton: the crew in this folder has \d errors, shown above; fix them and try again\n$/);
  });
});

test("a missing argument has an error that says what to do", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const asked = [["run"], ["run", "desk"], ["run", "desk", " "], ["run", "nope", "hi"], ["chat"]];
    const errors = await Promise.all(asked.map(async (args) => baton(args, { cwd })));
    assert.deepEqual(
      errors.map(({ exitCode }) => exitCode),
      [2, 2, 2, 2, 2],
    );
    for (const { stderr } of errors) assert.match(stderr, /^baton: .*[;:,] /);
  });
});

test("an input of several arguments is refused with the command to write", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const refused = async (args: readonly string[], folder = cwd) => {
      const { exitCode, stdout, stderr } = await baton(["run", ...args], { cwd: folder });
      assert.deepEqual([exitCode, stdout], [2, ""]);
      return stderr;
    };
    assert.equal(
      await refused(["desk", "work", "on it", "now"]),
      'baton: the input has 3 arguments; quote the message: baton run desk "work on it now"\n',
    );
    assert.equal(
      await refused(["work", "now"], join(cwd, "desk")),
      'baton: there is no crew at work; if it is part of the input, quote the message: baton run "work now"\n',
    );
    assert.match(await refused(["nope", "work", "now"]), /^baton: there is no folder or file nope; /);
  });
});

test("an interrupt cancels the run, which says what became of everything, and the process ends", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const child = startBaton(["run", "desk", "hang", "--json"], { cwd });
    await child.sees('"call.started"');
    child.process.kill("SIGINT");
    const { exitCode, stdout, stderr } = await child.ended();
    const ended = toEvents(stdout).at(-1);
    assert.equal(exitCode, 130);
    assert.equal(ended?.["outcome"], "cancelled");
    assert.match(JSON.stringify(ended?.["receipt"]), /"abandoned":\["call:2\.1\.1"\]/);
    assert.doesNotMatch(stderr, /Error/);
  });
});

test("a limit of the day counts the calls of all commands of that day", async (context) => {
  const chunks = [
    { choices: [{ index: 0, delta: { role: "assistant", content: "Hi." }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: { prompt_tokens: 3, completion_tokens: 1 } },
  ].map((chunk) => `data: ${JSON.stringify({ id: "1", created: 1, model: "m", ...chunk })}\n\n`);
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end([...chunks, "data: [DONE]\n\n"].join(""));
  }).listen(0, "127.0.0.1");
  context.after(() => server.close().closeAllConnections());
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `http://127.0.0.1:${address.port}` };
  const crew = "version: '1.0'\nagents: [{ id: a, name: A, role: r, is_terminal: true, model: openai-chat/m }]\n";
  await inFolder({ "crew.yaml": `${crew}settings: { max_calls_per_day: 1 }\n` }, async (cwd) => {
    const first = await baton(["run", "hello"], { cwd, env });
    assert.equal(first.exitCode, 0, first.stdout + first.stderr);
    const second = await baton(["run", "hello"], { cwd, env });
    assert.equal(second.exitCode, 4);
    assert.match(second.stdout, /max_calls_per_day/);
  });
});
