import assert from "node:assert/strict";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";
import { SHOP, usesIn } from "../testing/shop.ts";
import { TRIP } from "../testing/trip.ts";
import { toSuggested } from "../testing/stored.ts";

const MEMORY = {
  "memory/crew.yaml": `version: "1.0"
agents: [{ id: a, name: Ada, role: remembers, is_terminal: true, tools: [Count] }]
`,
  "memory/script.yaml": `a:
  - { call: [{ tool: Count, args: {} }] }
  - { say: "So many." }
`,
  "memory/tools.ts": `import { defineTool } from "@baton/core";
import { z } from "zod";
export default [
  defineTool({
    name: "Count",
    description: "Counts the user's messages.",
    effect: "read",
    input: z.object({}),
    run: (_input, { messages }) => messages.filter(({ role }) => role === "user").length + " so far",
  }),
];
`,
};

test("what was said is remembered from one line to the next, and empty lines are none", async () => {
  await inFolder(MEMORY, async (cwd) => {
    const { exitCode, stdout } = await baton(["chat", "memory"], { cwd, input: "one\r\n\r\ntwo\nthree" });
    assert.equal(exitCode, 0);
    assert.deepEqual(stdout.match(/\d so far/g), ["1 so far", "2 so far", "3 so far"]);
  });
});

test("a line after a pause is the answer to it, and /quit ends", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { exitCode, stdout } = await baton(["chat", "desk"], { cwd, input: "vague\nsince Monday\n/quit\nwork\n" });
    assert.equal(exitCode, 0);
    assert.match(stdout, /╰─ waits for you\n\n\n● Ngân {2}asker\n│ Thank you\.\n╰─ \[ENOUGH\] → worker/);
    assert.equal(stdout.match(/● Mỹ/g)?.length, 1);
  });
});

test("/exit ends too, and any other command is refused with those there are", async () => {
  await inFolder(MEMORY, async (cwd) => {
    const input = "/models\n/Clear all\n/etc/hosts is gone\n /spaced\n/help\n/exit\nmore\n";
    const { exitCode, stdout, stderr } = await baton(["chat", "memory"], { cwd, input });
    assert.equal(exitCode, 0);
    assert.deepEqual(stdout.match(/\d so far/g), ["1 so far", "2 so far"]);
    assert.match(stdout, /\/exit/);
    assert.equal(
      stderr,
      ["/models", "/Clear"]
        .map(
          (word) =>
            `baton: there is no command ${word}, only /help, /quit, /exit; to send it to the crew, write a space before it\n`,
        )
        .join(""),
    );
  });
});

test("an input that is too large is refused, and the conversation continues", async () => {
  await inFolder(MEMORY, async (cwd) => {
    const { exitCode, stdout, stderr } = await baton(["chat", "memory"], {
      cwd,
      input: `${"x".repeat(50_000)}\none\n`,
    });
    assert.equal(exitCode, 0);
    assert.match(stderr, /^baton: the input is 49 KB; max_input_size_kb is 40\n/);
    assert.match(stdout, /1 so far/);
  });
});

test("a conversation with a name continues later", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const args = ["chat", "desk", "--session", "mine"];
    const first = await baton(args, { cwd, input: "vague\n" });
    assert.equal(first.exitCode, 0);
    const { exitCode, stdout } = await baton(args, { cwd, input: "since Monday\n" });
    assert.equal(exitCode, 0);
    assert.match(
      stdout,
      /\n● Ngân {2}asker\n│ Since when\?\n│ And where\?\n╰─ waits for you\n\n● Ngân {2}asker\n│ Thank you/,
    );
    assert.doesNotMatch(stdout, /● Mỹ/);
  });
});

test("a conversation that waits for an answer says how to give it, now and the next time", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const args = ["chat", "desk", "--session", "mine"];
    const first = await baton(args, { cwd, input: "wire\nwork\n" });
    assert.equal(first.exitCode, 3);
    assert.match(
      first.stderr,
      /^baton: "work" is not an answer here; write allow, deny, deny REASON or edit \{ARGUMENTS AS JSON\}\nbaton: the run is paused: /,
    );
    assert.doesNotMatch(first.stdout, /Clear\./);
    const again = await baton(args, { cwd, input: "work\n" });
    assert.deepEqual([again.exitCode, again.stderr], [3, first.stderr]);
    assert.equal((await baton(toSuggested(first.stderr), { cwd })).exitCode, 0);
    assert.match((await baton(args, { cwd, input: "work\n" })).stdout, /✓ done/);
  });
});

test("a line after a question is its answer, and an invalid one is reported", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const input = "wire\n\nmaybe\nAllow\nwork\n";
    const { exitCode, stdout, stderr } = await baton(["chat", "desk"], { cwd, input });
    assert.deepEqual(
      [exitCode, stderr],
      [0, 'baton: "maybe" is not an answer here; write allow, deny, deny REASON or edit {ARGUMENTS AS JSON}\n'],
    );
    assert.match(stdout, /│ {3}allowed\n│ ✓ Wire\([\s\S]*✓ done[\s\S]*✓ Greet\([\s\S]*✓ done/);
  });
});

test("each of several questions takes one line", async () => {
  await inFolder(SHOP, async (cwd) => {
    const { exitCode, stdout } = await baton(["chat", "shop"], { cwd, input: "two\nn\ny\n" });
    assert.equal(exitCode, 0);
    assert.match(stdout, /✓ done/);
    assert.deepEqual(await usesIn(cwd), ["asked 2"]);
  });
});

test("a line after a client tool is its result, and an invalid one is reported", async () => {
  await inFolder(TRIP, async (cwd) => {
    const input = 'find\nHanoi\n{"town": "Hanoi"}\n{"city": "Hanoi"}\ncontract\ny\n{"signed": true}\n';
    const { exitCode, stdout, stderr } = await baton(["chat", "trip"], { cwd, input });
    assert.equal(exitCode, 0);
    assert.match(
      stderr,
      /^baton: the result is not valid JSON: Unexpected token 'H'.*\nbaton: the result does not match the schema: city is missing\n$/,
    );
    assert.match(stdout, /\{"city":"Hanoi"\}[\s\S]*✓ done[\s\S]*allowed\n[\s\S]*\{"signed":true\}[\s\S]*✓ done/);
  });
});

test("a conversation that waits for a result says how to give it, now and the next time", async () => {
  await inFolder(TRIP, async (cwd) => {
    const args = ["chat", "trip", "--session", "mine"];
    const first = await baton(args, { cwd, input: "find\n" });
    assert.equal(first.exitCode, 3);
    assert.match(first.stderr, /^baton: the run is paused: a asks you to carry out Where .*\n.*\n.* 'JSON'\n$/);
    const again = await baton(args, { cwd, input: "/quit\n" });
    assert.deepEqual([again.exitCode, again.stderr], [3, first.stderr]);
    const last = await baton(args, { cwd, input: '{"city": "Hanoi"}\n' });
    assert.equal(last.exitCode, 0);
    assert.match(last.stdout, /\{"city":"Hanoi"\}[\s\S]*✓ done/);
  });
});

test("/quit and /exit end at a question too: nothing after them is an answer", async () => {
  await inFolder(SHOP, async (cwd) => {
    const exited = await baton(["chat", "shop"], { cwd, input: "two\n/exit\ny\n" });
    assert.equal(exited.exitCode, 3);
    const { exitCode, stderr } = await baton(["chat", "shop"], { cwd, input: "two\ny\n/quit\ny\n" });
    assert.equal(exitCode, 3);
    assert.match(stderr, /^baton: the run is paused: /);
    assert.equal((await baton([...toSuggested(stderr).slice(0, -1), "deny"], { cwd })).exitCode, 0);
    assert.deepEqual(await usesIn(cwd), ["asked 1"]);
  });
});
