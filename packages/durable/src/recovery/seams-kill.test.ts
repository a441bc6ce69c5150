/** Programs, outputs, notes, sub-crews and what runs after, in a real process that is killed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkSeams, liveSeams } from "../testing/seams-process.ts";

test("a process that is killed when its runs have begun: each ends as if nothing had happened, and one follows it", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "baton-seams-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "baton.db");
  await liveSeams(path, 1);
  await liveSeams(path, 60_000);
  await checkSeams(path, undefined);
});
