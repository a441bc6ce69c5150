import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { baton, Child, inFolder, type Ran, type RunOptions } from "../testing/command.ts";

const Lock = z.object({
  packages: z.record(z.string(), z.looseObject({ dependencies: z.record(z.string(), z.string()).optional() })),
});

test("the crew that is written has no findings and runs at once, with no node_modules", async () => {
  await inFolder({}, async (cwd) => {
    const { exitCode, stdout } = await baton(["init", "my crew"], { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /^ {2}baton run "my crew" "What time is it in Hanoi\?"$/m);
    const checked = await baton(["check", "my crew"], { cwd });
    assert.match(checked.stdout, /^✓ my crew {2}2 agents, 1 tool\n/);
    const ran = await baton(["run", "my crew", "What time is it in Hanoi?"], { cwd });
    assert.equal(ran.exitCode, 0);
    assert.match(ran.stdout, /✓ GetTime\(zone: "Asia\/Ho_Chi_Minh"\)/);
    assert.match(await readFile(join(cwd, "my crew", "crew.yaml"), "utf8"), /OPENAI_API_KEY/);
  });
});

/** Runs npm with an empty cache and no way to a registry. */
async function npm(cwd: string, args: readonly string[], env: RunOptions["env"] = {}): Promise<Ran> {
  const apart = { npm_config_offline: "true", npm_config_cache: join(cwd, "cache") };
  return new Child(["npm", ...args], { cwd, env: { ...apart, ...env } }).ended();
}

test("it is installed from this very folder, fetches nothing, and its own test passes", async () => {
  await inFolder({}, async (cwd) => {
    await baton(["init", "m i#n%20e"], { cwd });
    const crew = join(cwd, "m i#n%20e");
    const installed = await npm(crew, ["install"]);
    assert.equal(installed.exitCode, 0, installed.stderr);
    const lock = Lock.parse(JSON.parse(await readFile(join(crew, "package-lock.json"), "utf8")));
    assert.deepEqual(
      Object.values(lock.packages).flatMap(({ dependencies = {} }) => Object.keys(dependencies)),
      [],
    );
    const tested = await npm(crew, ["test"]);
    assert.equal(tested.exitCode, 0, tested.stdout);
    assert.match(tested.stdout, /pass 3\n/);
    const checked = await npm(crew, ["exec", "baton", "check"]);
    assert.match(checked.stdout, /^✓ \. {2}2 agents, 1 tool\n/);
  });
});

test("its own test fails on a Node that does not run TypeScript", async () => {
  await inFolder({}, async (cwd) => {
    await baton(["init", "mine"], { cwd });
    const { exitCode, stdout } = await npm(join(cwd, "mine"), ["test"], { NODE_OPTIONS: "--no-strip-types" });
    assert.equal(exitCode, 1, stdout);
    assert.match(stdout, /Unknown file extension "\.ts"/);
  });
});

test("nothing is overwritten, and nothing is written where something would be", async () => {
  await inFolder({ "mine/crew.yaml": "mine\n" }, async (cwd) => {
    const { exitCode, stderr } = await baton(["init", "mine"], { cwd });
    assert.deepEqual(
      [exitCode, stderr],
      [2, "baton: mine has crew.yaml already, so nothing was written; name another folder\n"],
    );
    assert.equal(await readFile(join(cwd, "mine", "crew.yaml"), "utf8"), "mine\n");
    await assert.rejects(readFile(join(cwd, "mine", "tools.ts")), { code: "ENOENT" });
    await writeFile(join(cwd, "file"), "");
    const blocked = await baton(["init", "file"], { cwd });
    assert.equal(blocked.exitCode, 2);
    assert.match(blocked.stderr, /^baton: file cannot be written: .*; name another folder\n$/);
  });
});
