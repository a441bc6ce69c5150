import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";
import { listedIn, runsIn } from "../testing/stored.ts";

test("runs are stored in --data, else in BATON_DATA, else in .baton", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const env = { BATON_DATA: join(cwd, "set") };
    await baton(["run", "desk", "work"], { cwd });
    await baton(["run", "desk", "work"], { cwd, env });
    await baton(["run", "desk", "work", "--data", "named/deep"], { cwd, env });
    for (const folder of [".baton", "set", "named/deep"]) {
      assert.equal(await readFile(join(cwd, folder, ".gitignore"), "utf8"), "*\n");
      assert.equal((await listedIn(cwd, "--data", folder)).length, 1, folder);
    }
  });
});

test("nothing is written by commands that keep nothing, or before a run can begin", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    await baton(["check", "desk"], { cwd });
    await baton(["runs"], { cwd });
    await baton(["runs", "show", "abcdef"], { cwd });
    await baton(["run", "desk", "work", "--model", "openai/gpt-5-mini"], { cwd });
    assert.equal(existsSync(join(cwd, ".baton")), false);
  });
});

test("if runs cannot be stored, a warning says so and the crew still runs", async () => {
  await inFolder({ ...CREW_FILES, file: "" }, async (cwd) => {
    const { exitCode, stdout, stderr } = await baton(["run", "desk", "vague", "--data", "file/in"], { cwd });
    assert.equal(exitCode, 3);
    assert.match(stdout, /╰─ waits for you\n$/);
    const [told, ...rest] = stderr.split("\n");
    assert.match(told ?? "", /^baton: this run is not stored: .*; name another folder with --data DIR$/);
    assert.deepEqual(rest, [
      "baton: the run is paused: asker waits for your answer.",
      "To answer it, run the command on a terminal.",
      "",
    ]);
    const chat = await baton(["chat", "desk", "--data", "file/in"], { cwd, input: "vague\nMonday\n" });
    assert.equal(chat.exitCode, 0);
    assert.match(chat.stdout, /✓ done/);
    await mkdir(join(cwd, "broken"));
    await writeFile(
      join(cwd, "broken", "baton.db"),
      "not a database, but long enough to be taken for one. ".repeat(40),
    );
    for (const args of [
      ["runs"],
      ["runs", "show", "abcdef"],
      ["replay", "abcdef"],
      ["run", "desk", "--resume", "abcdef"],
    ]) {
      const looked = await baton([...args, "--data", "broken"], { cwd });
      assert.equal(looked.exitCode, 2);
      assert.match(looked.stderr, /^baton: the store broken\/baton\.db is damaged or no store of Baton/);
    }
  });
});

test("a folder that the system lets nobody make is refused at once", { skip: !existsSync("/proc/self") }, async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { exitCode, stderr } = await baton(["serve", "desk", "--port", "0", "--data", "/proc/baton/deep"], { cwd });
    assert.equal(exitCode, 2);
    assert.match(stderr, /^baton: the store \/proc\/baton\/deep\/baton\.db cannot be opened .*choose another path\n$/);
  });
});

test("several commands keep their runs in one folder at once", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const runs = await Promise.all(["one", "two", "three"].map((input) => baton(["run", "desk", input], { cwd })));
    for (const { exitCode, stderr } of runs) assert.deepEqual([exitCode, stderr], [0, ""]);
    assert.deepEqual((await runsIn(cwd)).map(({ input }) => input).toSorted(), ["one", "three", "two"]);
  });
});
