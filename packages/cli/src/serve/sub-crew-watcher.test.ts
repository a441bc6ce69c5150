/** `baton serve --watch`: sub-crews that lie elsewhere. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@baton/client";
import { inFolder } from "../testing/command.ts";
import { followCrews, Served } from "../testing/served.ts";

const OUTER = `version: "1.0"\nname: watched\nagents:\n  - { id: one, name: One, role: Helper, is_terminal: true }\n`;

test("a sub-crew in another folder is watched too, also one that a change brings", async () => {
  const inner = (role: string) =>
    `version: "1.0"\nname: inner\nagents:\n  - { id: i, name: I, role: ${role}, is_terminal: true }\n`;
  const files = { "watched/crew.yaml": OUTER, "elsewhere/inner/crew.yaml": inner("First") };
  await inFolder(files, async (cwd) => {
    await using server = await Served.start(["watched", "--watch"], { cwd });
    const client = createClient({ url: server.url });
    const { next, abort } = await followCrews(client);
    await writeFile(join(cwd, "watched/crew.yaml"), `${OUTER}sub_crews:\n  inner: ../elsewhere/inner\n`);
    await next();
    await writeFile(join(cwd, "elsewhere/inner/crew.yaml"), "version: [");
    const [broken] = await next();
    assert.ok((broken?.errors ?? 0) > 0);
    await writeFile(join(cwd, "elsewhere/inner/crew.yaml"), inner("Second"));
    assert.equal((await next())[0]?.errors, 0);
    abort.abort();
    await server.stop();
  });
});
