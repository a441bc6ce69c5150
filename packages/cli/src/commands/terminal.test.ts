import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { test } from "node:test";
import { type Child, hasTerminals, inFolder, startOnTerminal } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";

const skip = (await hasTerminals()) ? false : "this machine has no `script` to make terminals with";

/** The text that was drawn last and stayed. */
function toShown(child: Child): string {
  return stripVTControlCharacters(child.stdout).replaceAll("\r", "");
}

test("at a pause the user is asked and the same run continues", { skip }, async () => {
  await inFolder(CREW_FILES, async (cwd) => {
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
