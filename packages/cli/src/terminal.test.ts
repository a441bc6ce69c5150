import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { test } from "node:test";
import { type Child, hasTerminals, inFolder, startOnTerminal } from "./testing/command.ts";
import { DESK } from "./testing/desk.ts";

const skip = (await hasTerminals()) ? false : "this machine has no `script` to make terminals with";

/** What was last drawn and stayed, as text. */
function toShown(child: Child): string {
  return stripVTControlCharacters(child.stdout).replaceAll("\r", "");
}

test("a pause is asked about and the same run goes on", { skip }, async () => {
  await inFolder(DESK, async (cwd) => {
    const child = startOnTerminal(["run", "desk", "vague"], { cwd });
    await child.sees("waits for you");
    await child.sees("› ");
    child.process.stdin.write("since Monday\r");
    const { exitCode } = await child.ended();
    assert.equal(exitCode, 0);
    assert.match(toShown(child), /› since Monday\n[\s\S]*● Ngân {2}asker\n│ Thank you\.\n[\s\S]*✓ done in /);
    assert.ok(
      child.stdout.includes("\u001b[1;7;38;5;133m ENOUGH \u001b[0m"),
      "signals are chips in the agent's colour",
    );
  });
});

test("an approval shows the exact arguments and takes only a clear answer", { skip }, async () => {
  await inFolder(DESK, async (cwd) => {
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
  });
});

test("Ctrl-C cancels a run at work, and at a question", { skip }, async () => {
  await inFolder(DESK, async (cwd) => {
    const atWork = startOnTerminal(["run", "desk", "hang"], { cwd });
    await atWork.sees("Hang()");
    atWork.process.stdin.write("typed too early\r\u0003");
    assert.equal((await atWork.ended()).exitCode, 130);
    assert.match(
      toShown(atWork),
      /■ cancelled in [\s\S]*did not stop, and what it still does goes nowhere:\s+call:2\.1\.1/,
    );
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
  await inFolder(DESK, async (cwd) => {
    const child = startOnTerminal(["run", "desk", "work"], { cwd, env: { NO_COLOR: "1" } });
    await child.ended();
    const codes = child.stdout.split("\u001b[").slice(1);
    assert.ok(!codes.some((code) => /^[\d;]*m/.test(code)), child.stdout);
    assert.match(toShown(child), /╰─ \[WORK\] → worker\n/);
  });
});

test("a conversation goes on after Ctrl-C at the prompt, until Ctrl-D", { skip }, async () => {
  await inFolder(DESK, async (cwd) => {
    const child = startOnTerminal(["chat", "desk"], { cwd });
    await child.sees("› ");
    child.process.stdin.write("work\r");
    await child.sees("✓ done");
    await child.sees("› ");
    child.process.stdin.write("/help\r");
    await child.sees("Ctrl-C stops a reply");
    await child.sees("› ");
    child.process.stdin.write("\u0003");
    await child.sees("Ctrl-C again");
    await child.sees("› ");
    child.process.stdin.write("\u0004");
    const { exitCode } = await child.ended();
    assert.equal(exitCode, 0);
  });
});
