import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { test } from "node:test";
import { baton, type Child, hasTerminals, inFolder, startBaton, startOnTerminal } from "../../testing/command.ts";
import { CREW_FILES } from "../../testing/crew-files.ts";
import { SHOP, usesIn } from "../../testing/shop.ts";
import { TRIP } from "../../testing/trip.ts";
import { newestIn, runsIn } from "../../testing/stored.ts";

const skip = (await hasTerminals()) ? false : "this machine has no `script` to make terminals with";

/** A crew whose tool waits until there is a file `go`. */
const GATE = {
  "gate/crew.yaml": `version: "1.0"
agents: [{ id: a, name: Ada, role: waits, is_terminal: true, tools: [Wait] }]
`,
  "gate/script.yaml": `a:
  - { call: [{ tool: Wait, args: {} }] }
  - { say: "So many." }
`,
  "gate/tools.ts": `import { existsSync } from "node:fs";
import { defineTool } from "@baton/core";
import { z } from "zod";
export default [
  defineTool({
    name: "Wait",
    description: "Waits for the file, then counts the user's messages.",
    effect: "read",
    input: z.object({}),
    run: async (_input, { messages }) => {
      while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 50));
      return messages.filter(({ role }) => role === "user").length + " messages";
    },
  }),
];
`,
};

/** The text that was drawn last and stayed. */
function toShown(child: Child): string {
  return stripVTControlCharacters(child.stdout).replaceAll("\r", "");
}

test("an approval shows the exact arguments and takes only a clear answer", { skip }, async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const child = startOnTerminal(["run", "desk", "wire"], { cwd });
    await child.sees("(y/n) ");
    child.process.stdin.write("maybe\r");
    await child.sees("maybe");
    child.process.stdin.write("n\r");
    const { exitCode } = await child.ended();
    assert.equal(exitCode, 0);
    const shown = toShown(child);
    assert.ok(shown.includes('{\n      "to": "Ann\\u{200b}",\n      "amount": 5\n    }\n'), shown);
    assert.match(shown, /│ {3}denied\n[\s\S]*✗ Wire\(/);
    assert.match(shown, /\n {2}Ctrl-D leaves the run paused, Ctrl-C cancels it\n {2}Allow it\? \(y\/n\) /);
  });
});

test("Ctrl-C cancels a running run, and one at a question", { skip }, async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const atWork = startOnTerminal(["run", "desk", "hang"], { cwd });
    await atWork.sees("Hang()");
    atWork.process.stdin.write("typed too early\r\u0003");
    assert.equal((await atWork.ended()).exitCode, 130);
    assert.match(toShown(atWork), /■ cancelled in [\s\S]*\n {2}Hang \(2\.1\.1\) did not stop; its result is ignored\n/);
    assert.doesNotMatch(toShown(atWork), /typed too early/);
    const { stdout } = atWork;
    assert.ok(
      stdout.lastIndexOf("\u001b[?25h") > stdout.indexOf("\u001b[?25l"),
      "the cursor is hidden, and given back",
    );
    const asked = startOnTerminal(["run", "desk", "vague"], { cwd });
    await asked.sees("› ");
    asked.process.stdin.write("\u0003");
    assert.equal((await asked.ended()).exitCode, 130);
    assert.match(toShown(asked), /■ cancelled in /);
  });
});

test("NO_COLOR leaves the layout and takes the colours", { skip }, async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const child = startOnTerminal(["run", "desk", "work"], { cwd, env: { NO_COLOR: "1" } });
    await child.ended();
    const codes = child.stdout.split("\u001b[").slice(1);
    assert.ok(!codes.some((code) => /^[\d;]*m/.test(code)), child.stdout);
    assert.match(toShown(child), /╰─ \[WORK\] → worker\n/);
  });
});

test("a conversation continues after Ctrl-C at the prompt, until Ctrl-D", { skip }, async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const child = startOnTerminal(["chat", "desk"], { cwd });
    await child.sees("› ");
    child.process.stdin.write("work\r");
    await child.sees("✓ done");
    await child.sees("› ");
    child.process.stdin.write("/help\r");
    await child.sees("Ctrl-C  stop a reply");
    await child.sees("› ");
    child.process.stdin.write("\u0003");
    await child.sees("Ctrl-C again");
    await child.sees("› ");
    child.process.stdin.write("\u0004");
    const { exitCode } = await child.ended();
    assert.equal(exitCode, 0);
  });
});

test("a line typed while a reply is written is sent after it", { skip }, async () => {
  await inFolder(GATE, async (cwd) => {
    const child = startOnTerminal(["chat", "gate"], { cwd });
    await child.sees("› ");
    child.process.stdin.write("one\r");
    await child.sees("Wait()");
    child.process.stdin.write("\u001b[Atwoo\u007f\r");
    await writeFile(join(cwd, "go"), "");
    await child.sees("1 messages");
    await child.sees("› two\r\n");
    await child.sees("2 messages");
    await child.sees("› ");
    child.process.stdin.write("/exit\r");
    assert.equal((await child.ended()).exitCode, 0);
  });
});

test("a stored run asks what it waits for, question by question, then for a message", { skip }, async () => {
  await inFolder({ ...CREW_FILES, ...SHOP }, async (cwd) => {
    await baton(["run", "shop", "two"], { cwd });
    const questions = startOnTerminal(["run", "shop", "--resume", await newestIn(cwd)], { cwd });
    await questions.sees("Allow it? (y/n) ");
    questions.process.stdin.write("y\r");
    await questions.sees("Allow it? (y/n) ");
    questions.process.stdin.write("deny\r");
    assert.equal((await questions.ended()).exitCode, 0);
    assert.deepEqual(await usesIn(cwd), ["asked 1"]);
    await baton(["run", "desk", "vague"], { cwd });
    const message = startOnTerminal(["run", "desk", "--resume", await newestIn(cwd)], { cwd });
    await message.sees("waits for you");
    await message.sees("› ");
    message.process.stdin.write("Monday\r");
    assert.equal((await message.ended()).exitCode, 0);
  });
});

test("what was interrupted is asked about in its own words", { skip }, async () => {
  await inFolder(SHOP, async (cwd) => {
    const killed = startBaton(["run", "shop", "pay", "--json"], { cwd });
    await killed.sees('"effect.intended"');
    killed.process.kill("SIGKILL");
    await killed.ended();
    const child = startOnTerminal(["run", "shop", "--resume", await newestIn(cwd)], { cwd });
    await child.sees("Run it again? (y/n) ");
    child.process.stdin.write("y\r");
    assert.equal((await child.ended()).exitCode, 0);
    assert.deepEqual(await usesIn(cwd), ["paid", "paid"]);
  });
});

test("the result of a tool of the client is asked for until it is JSON that fits", { skip }, async () => {
  await inFolder(TRIP, async (cwd) => {
    const child = startOnTerminal(["run", "trip", "find"], { cwd });
    await child.sees("result as JSON: ");
    child.process.stdin.write("Hanoi\r");
    await child.sees("the result is not valid JSON: Unexpected token 'H'");
    await child.sees("result as JSON: ");
    child.process.stdin.write('{"town": "Hanoi"}\r');
    await child.sees("the result does not match the schema: city is missing");
    await child.sees("result as JSON: ");
    child.process.stdin.write('{"city": "Hà  Nội"}\r');
    assert.equal((await child.ended()).exitCode, 0);
    const shown = toShown(child);
    assert.match(
      shown,
      /\n\? Carry out Where with\n {4}\{\n {6}"accuracy": "high"\n {4}\}\n {2}The result must match\n/,
    );
    assert.match(shown, /│ ✓ Where\(accuracy: "high"\) /);
    const log = await baton(["runs", "show", await newestIn(cwd), "--json"], { cwd });
    assert.ok(log.stdout.includes('"output":{"city":"Hà  Nội"}'), log.stdout);
  });
});

test(
  "a tool of the client asks for its approval, then for its result; Ctrl-D leaves it for later",
  { skip },
  async () => {
    await inFolder(TRIP, async (cwd) => {
      const child = startOnTerminal(["run", "trip", "contract"], { cwd });
      await child.sees("Allow it? (y/n) ");
      child.process.stdin.write("y\r");
      await child.sees("result as JSON: ");
      child.process.stdin.write("\u0004");
      assert.equal((await child.ended()).exitCode, 3);
      assert.match(toShown(child), /\nbaton run trip --resume \w{8} 'JSON'\n$/);
      const resumed = startOnTerminal(["run", "trip", "--resume", await newestIn(cwd)], { cwd });
      await resumed.sees("result as JSON: ");
      resumed.process.stdin.write("\r");
      await resumed.sees("result as JSON: ");
      resumed.process.stdin.write("true\r");
      assert.equal((await resumed.ended()).exitCode, 0);
      assert.match(toShown(resumed), /│ ✓ Sign\(text: "a = b"\) {2}\d+ ms\n│ {3}true\n/);
      await baton(["run", "trip", "find"], { cwd });
      const cancelled = startOnTerminal(["run", "trip", "--resume", await newestIn(cwd)], { cwd });
      await cancelled.sees("result as JSON: ");
      cancelled.process.stdin.write("\u0003");
      assert.equal((await cancelled.ended()).exitCode, 130);
    });
  },
);

test("a conversation asks for the result of a client tool, and continues", { skip }, async () => {
  await inFolder(TRIP, async (cwd) => {
    const child = startOnTerminal(["chat", "trip"], { cwd });
    await child.sees("› ");
    child.process.stdin.write("find\r");
    await child.sees("result as JSON: ");
    child.process.stdin.write('{"city": "Vinh"}\r');
    await child.sees("✓ done");
    await child.sees("› ");
    child.process.stdin.write("\u0004");
    assert.equal((await child.ended()).exitCode, 0);
  });
});

test("Ctrl-D at a question leaves the run paused, and prints how to resume it", { skip }, async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const child = startOnTerminal(["run", "desk", "wire"], { cwd });
    await child.sees("(y/n) ");
    child.process.stdin.write("\u0004");
    assert.equal((await child.ended()).exitCode, 3);
    assert.match(toShown(child), /\nbaton run desk --resume \w{8} allow\n$/);
  });
});

test("to delete is asked about, and only a yes deletes", { skip }, async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    await baton(["run", "desk", "work"], { cwd });
    for (const [answer, exitCode] of [
      ["n", 130],
      ["y", 0],
    ] as const) {
      const child = startOnTerminal(["runs", "delete", await newestIn(cwd)], { cwd });
      await child.sees("Delete 1 run permanently? (y/n) ");
      child.process.stdin.write(`${answer}\r`);
      assert.equal((await child.ended()).exitCode, exitCode);
    }
    assert.deepEqual(await runsIn(cwd), []);
  });
});

test("Ctrl-C ends a run that is shown again, and gives the cursor back", { skip }, async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const cancelled = startBaton(["run", "desk", "hang", "--json"], { cwd });
    await cancelled.sees('"call.started"');
    cancelled.process.kill("SIGINT");
    await cancelled.ended();
    const child = startOnTerminal(["replay", await newestIn(cwd), "--speed", "0.001"], { cwd });
    await child.sees("\u001b[?25l");
    child.process.stdin.write("\u0003");
    assert.equal((await child.ended()).exitCode, 130);
    assert.ok(child.stdout.lastIndexOf("\u001b[?25h") > child.stdout.lastIndexOf("\u001b[?25l"));
  });
});

test(
  "a tool that is called on a terminal: the output is indented, and holds nothing that the terminal would obey",
  { skip },
  async () => {
    const files = {
      "bench/crew.yaml":
        'version: "1.0"\nname: bench\nagents: [{ id: a, name: A, role: r, is_terminal: true, tools: [Wrong] }]\n',
      "bench/tools.ts": `import { defineTool, ToolError } from "@baton/core";
import { z } from "zod";
const run = () => { throw new ToolError("permanent", "no such place \\u009b"); };
export default [defineTool({ name: "Wrong", description: "w", effect: "read", input: z.object({}), run })];
`,
    };
    await inFolder(files, async (cwd) => {
      const child = startOnTerminal(["tools", "call", "bench", "Wrong"], { cwd });
      const { exitCode, stdout } = await child.ended();
      assert.equal(exitCode, 1);
      const text = '{\n  "error": {\n    "kind": "permanent",\n    "message": "no such place \\u009b"\n  }\n}\n';
      assert.equal(stdout.replaceAll("\r\n", "\n"), text);
    });
  },
);
