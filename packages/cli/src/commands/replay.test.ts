import assert from "node:assert/strict";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { baton, inFolder, withoutNumbers } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";
import { logIn, newestIn, runsIn, toSuggested } from "../testing/stored.ts";

test("a run is identical to its log, wherever it stands, and no tool or model is used", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    for (const input of ["work", "vague", "wire", "fail", "loop"]) {
      await baton(["run", "desk", input], { cwd });
      const id = await newestIn(cwd);
      const events = await logIn(cwd, id);
      const { exitCode, stdout, stderr } = await baton(["replay", id.slice(-8)], { cwd });
      assert.deepEqual([exitCode, stdout, stderr], [0, `✓ identical: ${events.length} events\n`, ""], input);
    }
    const { stdout } = await baton(["replay", await newestIn(cwd), "desk", "--json"], { cwd });
    assert.match(stdout, /^\{\n {2}"identical": true,\n {2}"events": \d+\n\}\n$/);
  });
});

test("a changed crew is reported with its first different decision, both versions", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    await baton(["run", "desk", "work"], { cwd });
    await cp(join(cwd, "desk"), join(cwd, "new"), { recursive: true });
    const file = join(cwd, "new", "crew.yaml");
    await writeFile(
      file,
      (await readFile(file, "utf8")).replace('"[WORK]", target: worker', '"[WORK]", target: asker'),
    );
    const id = await newestIn(cwd);
    const { exitCode, stdout } = await baton(["replay", id, "--against", "new"], { cwd });
    assert.equal(exitCode, 1);
    assert.match(stdout, /^✗ event \d+ was signal\.matched: its target would be "asker" now and was "worker"\n/);
    assert.match(
      stdout,
      /\n {2}then signal\.matched\n[\s\S]*target: "worker"[\s\S]*\n {2}now {2}signal\.matched\n[\s\S]*target: "asker"/,
    );
    const json = await baton(["replay", id, "--against", "new", "--json"], { cwd });
    assert.equal(json.exitCode, 1);
    assert.match(json.stdout, /"identical": false/);
    assert.equal((await baton(["replay", id], { cwd })).exitCode, 0);
  });
});

test("where the code of its tools is not to be found, a difference says so", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const script =
      "front: [{ say: 'Clear. [WORK]' }]\nworker: [{ call: [{ tool: Greet, args: { name: 7 } }] }, { say: ok }]\n";
    await writeFile(join(cwd, "bad.yaml"), script);
    await baton(["run", "desk", "x", "--script", "bad.yaml"], { cwd });
    const id = await newestIn(cwd);
    assert.equal((await baton(["replay", id], { cwd })).exitCode, 0);
    await rm(join(cwd, "desk"), { recursive: true });
    const { exitCode, stderr } = await baton(["replay", id], { cwd });
    assert.equal(exitCode, 1);
    assert.match(stderr, /the crew desk is not in this folder, so its tools are missing; name the folder/);
  });
});

test("--speed shows it again as it was", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const live = await baton(["run", "desk", "work"], { cwd });
    const id = await newestIn(cwd);
    const story = live.stdout.slice(live.stdout.indexOf("\n● "));
    for (const args of [
      [id, "--speed"],
      ["--speed", "100", id],
      ["--speed", id],
    ]) {
      const { exitCode, stdout } = await baton(["replay", ...args], { cwd });
      assert.deepEqual([exitCode, withoutNumbers(stdout)], [0, withoutNumbers(`\n› work\n${story}`)]);
    }
  });
});

test("--fork continues live from an event, asks before what cannot be undone, and does not change the first run", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const paused = await baton(["run", "desk", "wire"], { cwd });
    await baton(toSuggested(paused.stderr), { cwd });
    const first = await newestIn(cwd);
    const log = await logIn(cwd, first);
    const step = log.find(({ type }) => type === "step.ended")?.seq ?? 0;
    const forked = await baton(["replay", first.slice(-8), "--fork", String(step)], { cwd });
    assert.equal(forked.exitCode, 3);
    assert.match(forked.stdout, new RegExp(`\nrun \\w{8}, a fork of ${first.slice(-8)} at event ${step}\n`));
    const done = await baton([...toSuggested(forked.stderr).slice(0, -1), "deny"], { cwd });
    assert.match(done.stdout, /│ {3}denied\n/);
    const second = await newestIn(cwd);
    assert.notEqual(second, first);
    assert.equal((await runsIn(cwd)).length, 2);
    assert.deepEqual(await logIn(cwd, first), log);
    assert.equal((await baton(["replay", second], { cwd })).exitCode, 0);
  });
});

test("a run that cannot be replayed has an error that says why", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    await baton(["run", "desk", "work"], { cwd });
    const id = await newestIn(cwd);
    const wrong: [string[], RegExp][] = [
      [[], /name a run: baton replay RUN; `baton runs` lists the runs/],
      [["nosuchrun"], /there is no run nosuchrun/],
      [[id, "--fork", "999"], /the run has events 1 to \d+; it cannot be forked at 999/],
      [[id, "--fork", "x"], /--fork must be the number of an event, not "x"/],
      [[id, "--speed", "0"], /--speed must be a number above 0/],
      [[id, "--speed", "2", "--fork", "3"], /--speed cannot be used with --fork or --against/],
      [[id, "desk", "--against", "desk"], /--against already names the crew; remove "desk"/],
    ];
    for (const [args, expected] of wrong) {
      const { exitCode, stdout, stderr } = await baton(["replay", ...args], { cwd });
      assert.deepEqual([exitCode, stdout], [2, ""], stderr);
      assert.match(stderr, expected);
    }
  });
});
