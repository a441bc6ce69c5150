import assert from "node:assert/strict";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { inFolder } from "../testing/command.ts";
import { FolderWatcher } from "./folder-watcher.ts";

test("files that are written, replaced by another one or made in a new folder are told, each time", async () => {
  await inFolder({ "a.ts": "1", "inside/b.ts": "1", "node_modules/c.ts": "1" }, async (cwd) => {
    const seen: string[] = [];
    let wake: () => void = () => undefined;
    const changed = (file: string): void => {
      seen.push(file);
      wake();
    };
    using _watcher = new FolderWatcher(cwd, { changed, warn: (text) => assert.fail(text) });
    const until = async (file: string): Promise<void> => {
      while (!seen.includes(file)) await new Promise<void>((resolve) => (wake = resolve));
      seen.length = 0;
    };
    for (const text of ["2", "3", "4"]) {
      // As editors and `sed -i` do.
      await writeFile(join(cwd, "a.ts.new"), text);
      await rename(join(cwd, "a.ts.new"), join(cwd, "a.ts"));
      await until("a.ts");
    }
    await writeFile(join(cwd, "inside/b.ts"), "2");
    await until(join("inside", "b.ts"));
    await mkdir(join(cwd, "later"));
    await until("later");
    await writeFile(join(cwd, "later/d.ts"), "1");
    await until(join("later", "d.ts"));
    await writeFile(join(cwd, "node_modules/c.ts"), "2");
    await writeFile(join(cwd, "a.ts"), "5");
    await until("a.ts");
    assert.ok(!seen.some((file) => file.includes("node_modules/c.ts")));
  });
});
