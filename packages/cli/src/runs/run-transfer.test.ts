import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";
import { listedIn, logIn, newestIn } from "../testing/stored.ts";

test("a run is exported to a file or to standard output, and imported into another folder", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    await baton(["run", "desk", "work"], { cwd });
    const id = await newestIn(cwd);
    const events = await logIn(cwd, id);
    const { stdout } = await baton(["runs", "export", id.slice(-8)], { cwd });
    const [header = "", ...lines] = stdout.trimEnd().split("\n");
    assert.partialDeepStrictEqual(JSON.parse(header), { format: "baton-run", version: 1, run: id });
    assert.deepEqual(
      lines.map((line): unknown => JSON.parse(line)),
      events,
    );
    // As a server shows it.
    const shortId = `req-${id.slice(-12)}`;
    const saved = await baton(["runs", "export", shortId, "--out", "run.jsonl"], { cwd });
    assert.deepEqual(saved, { exitCode: 0, stdout: "", stderr: "" });
    assert.equal(await readFile(join(cwd, "run.jsonl"), "utf8"), stdout);
    const twice = await baton(["runs", "import", "run.jsonl", "run.jsonl", "--data", "other"], { cwd });
    const [same, copy] = twice.stdout.trimEnd().split("\n");
    assert.deepEqual([twice.exitCode, same, copy === id], [0, id, false]);
    for (const run of [same, copy]) {
      const replayed = await baton(["replay", run ?? "", "--data", "other"], { cwd });
      assert.match(replayed.stdout, /identical/);
    }
    assert.deepEqual(
      (await listedIn(cwd, "--data", "other", "--search", "wor")).map(({ input }) => input),
      ["work", "work"],
    );
  });
});

test("a file that was cut or is not there is refused by its name and line, and nothing is imported", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    await baton(["run", "desk", "work"], { cwd });
    const { stdout } = await baton(["runs", "export", await newestIn(cwd)], { cwd });
    await writeFile(join(cwd, "cut.jsonl"), stdout.slice(0, stdout.lastIndexOf("{")));
    for (const [args, expected] of [
      [["import", "cut.jsonl"], /^baton: cut\.jsonl: line \d+ of the file: the file ends here, and 1 event/],
      [["import", "none.jsonl"], /^baton: there is no file none\.jsonl/],
      [["import"], /name the files of runs: baton runs import FILE…/],
      [["export"], /name one run: baton runs export RUN/],
      [["export", "nobody"], /there is no run nobody/],
    ] as const) {
      const { exitCode, stderr } = await baton(["runs", ...args, "--data", "other"], { cwd });
      assert.equal(exitCode, 2, stderr);
      assert.match(stderr, expected);
    }
  });
});

test("runs are listed by their words and by their feedback", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    for (const input of ["work in Huế", "vague"]) await baton(["run", "desk", input], { cwd });
    const found = async (...args: string[]) => (await listedIn(cwd, ...args)).map(({ input }) => input);
    assert.deepEqual(await found("--search", "wor hue"), []);
    assert.deepEqual(await found("--search", "HUE wor"), ["work in Huế"]);
    assert.deepEqual(await found("--search", '"in hue"'), ["work in Huế"]);
    assert.deepEqual(await found("--search", "asker"), ["vague"]);
    assert.deepEqual(await found("--feedback", "none"), ["vague", "work in Huế"]);
    assert.deepEqual(await found("--feedback", "any"), []);
    const { exitCode, stderr } = await baton(["runs", "--feedback", "good"], { cwd });
    assert.deepEqual([exitCode, stderr.trimEnd()], [2, "baton: --feedback is good; write up, down, any or none"]);
  });
});
