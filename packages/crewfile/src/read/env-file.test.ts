import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { readEnvOf } from "./env-file.ts";

test("whatever the file holds, a variable that is set stays", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "env-"));
  try {
    const text = fc.array(
      fc.tuple(fc.constantFrom("A", "B", "__proto__", "constructor"), fc.string({ unit: "binary" })),
    );
    await fc.assert(
      fc.asyncProperty(text, async (pairs) => {
        await writeFile(join(cwd, ".env"), pairs.map(([name, value]) => `${name}=${value}`).join("\n"));
        const env: Record<string, string | undefined> = { A: "set" };
        await readEnvOf(cwd, env);
        assert.equal(env["A"], "set");
        for (const value of Object.values(env)) assert.equal(typeof value, "string");
      }),
      { numRuns: 100 },
    );
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});

test("a variable that is set to nothing stays empty, and one that is not set comes from the file", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "env-"));
  try {
    await writeFile(join(cwd, ".env"), "EMPTY=from file\nNEW=from file\nBLANK=\n");
    const env: Record<string, string | undefined> = { EMPTY: "", NEW: undefined };
    await readEnvOf(cwd, env);
    assert.deepEqual(env, { EMPTY: "", NEW: "from file", BLANK: "" });
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});
