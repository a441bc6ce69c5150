import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { baton, inFolder, withoutNumbers } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";
import { listedIn, newestIn, runsIn, toEvents, toSuggested } from "../testing/stored.ts";

test("runs are listed newest first, with what became of them", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const none = await baton(["runs"], { cwd });
    assert.deepEqual(none, { exitCode: 0, stdout: "", stderr: "no runs yet in .baton\n" });
    for (const input of ["work", "vague", "fail", "loop"]) await baton(["run", "desk", input], { cwd });
    const { exitCode, stdout } = await baton(["runs"], { cwd });
    assert.equal(exitCode, 0);
    const [titles = "", ...rows] = stdout.trimEnd().split("\n");
    assert.match(titles, /^run +crew +status +age +turns +calls +tokens +input$/);
    assert.deepEqual(
      rows.map((row) => row.replace(/^\w{8}/, "id").replaceAll(/ +\d+/g, " N")),
      [
        "id  desk  limit N s N N N  loop",
        "id  desk  failed N s N N N  fail",
        "id  desk  paused N s N N N  vague",
        "id  desk  done N s N N N  work",
      ],
    );
  });
});

test("filters choose by crew, status, conversation and number", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    for (const input of ["work", "vague"]) await baton(["run", "desk", input], { cwd });
    await baton(["chat", "desk", "--session", "mine"], { cwd, input: "work\n" });
    const inputsOf = async (...args: string[]) => (await listedIn(cwd, ...args)).map(({ input }) => input);
    assert.deepEqual(await inputsOf("--status", "paused"), ["vague"]);
    assert.deepEqual(await inputsOf("--status", "done"), ["work", "work"]);
    assert.deepEqual(await inputsOf("--status", "ended", "--limit", "1"), ["work"]);
    assert.deepEqual(await inputsOf("--status", "interrupted"), []);
    assert.deepEqual(await inputsOf("--crew", "other"), []);
    assert.deepEqual(
      (await listedIn(cwd, "--session", "mine")).map(({ session }) => session),
      ["mine"],
    );
    const wrong: [string[], RegExp][] = [
      [["--status", "dead"], /--status must be one of queued, running, interrupted,.* not "dead"/],
      [["--limit", "0"], /--limit must be a whole number of at least 1, not "0"/],
      [["shwo"], /has no action "shwo"; did you mean show\?/],
      [["show"], /name one run: baton runs show RUN/],
    ];
    for (const [args, expected] of wrong) {
      const { exitCode, stderr } = await baton(["runs", ...args], { cwd });
      assert.equal(exitCode, 2);
      assert.match(stderr, expected);
    }
  });
});

test("a run is shown as it was, what people said included, without its crew's files", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const live = await baton(["run", "desk", "vague"], { cwd });
    const shown = await baton(["runs", "show", (await newestIn(cwd)).slice(-8)], { cwd });
    const story = live.stdout.slice(live.stdout.indexOf("\n● "));
    assert.ok(withoutNumbers(shown.stdout).includes(withoutNumbers(`\n› vague\n${story}`)), shown.stdout);
    assert.match(shown.stdout, /^desk {2}\d+ s ago {2}paused {2}[0-9a-f-]{36}\n/);
    assert.match(shown.stdout, /\nthe run is paused: asker waits for your answer\.\nContinue it with:\n/);
    await baton(toSuggested(shown.stdout), { cwd });
    await rm(join(cwd, "desk"), { recursive: true });
    const whole = await baton(["runs", "show", await newestIn(cwd)], { cwd });
    assert.match(
      whole.stdout,
      /╰─ waits for you\n\n› your answer\n\n● Ngân {2}asker\n│ Thank you\.[\s\S]*✓ done in [^\n]*\n$/,
    );
  });
});

test("a run that waits and whose crew is not here says which crew is meant", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    await baton(["run", "desk", "vague"], { cwd });
    await rm(join(cwd, "desk"), { recursive: true });
    const { stdout } = await baton(["runs", "show", await newestIn(cwd)], { cwd });
    assert.match(stdout, /\nbaton run CREW --resume \w{8} "your answer"\nCREW is the folder of desk\.\n$/);
  });
});

test("show --json is the log, one event a line", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const live = await baton(["run", "desk", "work", "--json"], { cwd });
    const { stdout } = await baton(["runs", "show", await newestIn(cwd), "--json"], { cwd });
    assert.equal(stdout, live.stdout);
    assert.equal(toEvents(stdout).at(-1)?.type, "run.ended");
  });
});

test("runs are deleted by name all or none, and pruned by number or age unless they wait", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    for (const input of ["one", "two", "three", "four", "vague"]) await baton(["run", "desk", input], { cwd });
    const ids = new Map((await runsIn(cwd)).map(({ id, input }) => [input, id]));
    const one = ids.get("one") ?? "";
    const unasked = await baton(["runs", "delete", one], { cwd });
    assert.deepEqual(
      [unasked.exitCode, unasked.stderr],
      [2, "baton: without a terminal nobody can confirm; add --yes to delete\n"],
    );
    assert.equal((await baton(["runs", "delete", one, "nosuchrun", "--yes"], { cwd })).exitCode, 2);
    assert.equal((await runsIn(cwd)).length, 5);
    const deleted = await baton(["runs", "delete", one.slice(-8), ids.get("two") ?? "", "--yes"], { cwd });
    assert.deepEqual([deleted.exitCode, deleted.stdout], [0, "deleted 2 runs\n"]);
    assert.match((await baton(["runs", "prune", "--older-than", "1"], { cwd })).stdout, /^deleted 0 runs; /);
    assert.match((await baton(["runs", "prune", "--keep", "1"], { cwd })).stdout, /^deleted 1 run; /);
    assert.deepEqual(
      (await runsIn(cwd)).map(({ input }) => input),
      ["vague", "four"],
    );
    for (const args of [[], ["--keep", "1", "--older-than", "1"], ["--keep", "-1"]]) {
      assert.equal((await baton(["runs", "prune", ...args], { cwd })).exitCode, 2);
    }
  });
});

test("a run that is damaged is listed with the reason, hides no other, and can be deleted", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    for (const input of ["work", "vague"]) await baton(["run", "desk", input], { cwd });
    const id = await newestIn(cwd);
    const editor = new DatabaseSync(join(cwd, ".baton", "baton.db"));
    editor.prepare("UPDATE runs SET body = substr(body, 2) WHERE id = ?").run(id);
    editor.close();
    const { stdout } = await baton(["runs"], { cwd });
    const [, damaged = "", whole = ""] = stdout.trimEnd().split("\n");
    assert.match(damaged, /^\w{8} +desk +failed .*what is stored of run/);
    assert.match(whole, / done .* work$/);
    const shown = await baton(["runs", "show", id], { cwd });
    assert.match(shown.stderr, /damaged, so its crew is unknown; show its log with .*show \w+ --json`/);
    assert.equal(
      toEvents((await baton(["runs", "show", id.slice(-8), "--json"], { cwd })).stdout)[0]?.type,
      "run.started",
    );
    assert.equal((await baton(["runs", "delete", id, "--yes"], { cwd })).stdout, "deleted 1 run\n");
    assert.deepEqual(
      (await runsIn(cwd)).map(({ input }) => input),
      ["work"],
    );
  });
});
