import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { BATON, baton, Child, ENVIRONMENT, inFolder } from "../testing/command.ts";

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

test("its own test passes", async () => {
  await inFolder({ "bin/baton": `#!/bin/sh\nexec "${process.execPath}" "${BATON}" "$@"\n` }, async (cwd) => {
    await baton(["init", "mine"], { cwd });
    await new Child(["chmod", "+x", join(cwd, "bin", "baton")], {}).ended();
    const PATH = [join(cwd, "bin"), dirname(process.execPath), ENVIRONMENT.PATH].join(delimiter);
    const { exitCode, stdout } = await new Child([process.execPath, "--test"], {
      cwd: join(cwd, "mine"),
      env: { PATH },
    }).ended();
    assert.equal(exitCode, 0, stdout);
    assert.match(stdout, /pass 2\n/);
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
