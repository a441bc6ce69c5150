import assert from "node:assert/strict";
import { test } from "node:test";
import { baton, inFolder, startBaton } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";
import { SHOP, usesIn } from "../testing/shop.ts";
import { newestIn, runsIn, toSuggested } from "../testing/stored.ts";

/** Starts a run and kills it when it has printed this. */
async function kill(cwd: string, input: string, text: string): Promise<void> {
  const child = startBaton(["run", "shop", input, "--json"], { cwd });
  await child.sees(text);
  child.process.kill("SIGKILL");
  await child.ended();
}

test("what cannot be undone and was interrupted is asked about, not done again", async () => {
  await inFolder(SHOP, async (cwd) => {
    await kill(cwd, "pay", '"effect.intended"');
    const doubtful = await baton(["run", "shop", "--resume", await newestIn(cwd)], { cwd });
    assert.equal(doubtful.exitCode, 3);
    assert.match(doubtful.stderr, /it may or may not be done.* with \{ "amount": 5 \}/);
    assert.match(doubtful.stderr, /\nContinue it with \(again or skip\):\n/);
    const args = [...toSuggested(doubtful.stderr).slice(0, -1), "skip"];
    const { exitCode, stdout } = await baton(args, { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /│ \? Pay\(amount: 5\) {2}was interrupted: did it finish\?\n│ {3}skipped\n│ ✗ Pay/);
    assert.deepEqual(await usesIn(cwd), ["paid"]);
  });
});

test("a run that is running in another process is left to that process", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const child = startBaton(["run", "desk", "hang", "--json"], { cwd });
    await child.sees('"call.started"');
    const id = await newestIn(cwd);
    const { exitCode, stderr } = await baton(["run", "desk", "--resume", id], { cwd });
    assert.equal(exitCode, 2);
    assert.match(stderr, /is running in another process; `baton runs show \w{8}` shows its progress\n$/);
    const removed = await baton(["runs", "delete", id, "--yes"], { cwd });
    assert.equal(removed.exitCode, 2);
    assert.match(removed.stderr, /is still running, so nothing was deleted; stop it first\n$/);
    child.process.kill("SIGINT");
    assert.equal((await child.ended()).exitCode, 130);
    assert.equal((await runsIn(cwd))[0]?.state, "cancelled");
  });
});
