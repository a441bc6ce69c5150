import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";

test("a crew is drawn as Mermaid, or into an SVG file", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { exitCode, stdout } = await baton(["graph", "desk"], { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /^flowchart /);
    const drawn = await baton(["graph", "desk", "--svg", "desk.svg"], { cwd });
    assert.deepEqual([drawn.exitCode, drawn.stdout], [0, ""]);
    assert.match(await readFile(`${cwd}/desk.svg`, "utf8"), /^<svg /);
    const lost = await baton(["graph", "desk", "--svg", "no/such/folder.svg"], { cwd });
    assert.equal(lost.exitCode, 2);
    assert.match(lost.stderr, /^baton: cannot write .*; name another file with --svg/);
  });
});
