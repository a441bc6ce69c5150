import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { DIALECTS } from "./dialects.ts";
import { SCENES, toContext, toSegments, toSse } from "./testing/scenes.ts";

/** Set to write the golden files anew; then read what changed. */
const isWriting = process.env["BATON_WRITE_GOLDEN"] === "1";

for (const dialect of DIALECTS) {
  const { name } = dialect;
  // The log is its own golden file.
  if (name === "baton") continue;
  test(`${name} tells every scene as its golden file does`, async () => {
    const told: string[] = [];
    for (const [title, play] of SCENES) {
      const scene = await play();
      const context = toContext(scene, { model: "crew", options: { include_usage: true } });
      told.push(`# ${title}\n\n${toSse(toSegments(dialect, context, scene.events).flat())}`);
    }
    const file = new URL(`golden/${name}.txt`, import.meta.url);
    if (isWriting) await writeFile(file, told.join("\n"));
    assert.equal(told.join("\n"), await readFile(file, "utf8"));
  });
}
