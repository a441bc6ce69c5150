import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A folder that is gone afterwards. */
async function inFolder<T>(work: (cwd: string) => Promise<T>): Promise<T> {
  const cwd = await mkdtemp(join(tmpdir(), "baton-"));
  try {
    return await work(cwd);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** Runs a program of `testing` with no key set. */
function program(name: string, cwd: string, args: readonly string[] = []) {
  const path = join(import.meta.dirname, "testing", name);
  const env = { PATH: process.env["PATH"] ?? "", PORT: "0", OLLAMA_HOST: "http://127.0.0.1:9" };
  return execute(process.execPath, [path, ...args], { cwd, env });
}

test("the first program streams, prints, serves and ends by itself, with no key", async () => {
  await inFolder(async (cwd) => {
    const { stdout, stderr } = await program("program-worker.ts", cwd);
    assert.notEqual(stdout.trim(), "");
    assert.equal(stderr.match(/offline model answers/g)?.length, 1, stderr);
    assert.equal(await readFile(join(cwd, ".baton", ".gitignore"), "utf8"), "*\n");
  });
});

test("a run that pauses in one process is answered in the next", async () => {
  await inFolder(async (cwd) => {
    assert.equal((await program("two-steps-worker.ts", cwd, ["start"])).stdout, "paused\n");
    assert.equal((await program("two-steps-worker.ts", cwd, ["answer"])).stdout, "Paid.\ndone\n");
  });
});

test("a .env in the current folder is read, and the environment goes before it", async () => {
  await inFolder(async (cwd) => {
    await writeFile(join(cwd, ".env"), "COLOUR=blue\nPATH=nowhere\nBATON_DATA=kept\nOPENAI_API_KEY=sk-test\n");
    const { stdout, stderr } = await program("env-worker.ts", cwd);
    assert.deepEqual(JSON.parse(stdout), { colour: "blue", isPathKept: true, isKept: true });
    assert.equal(stderr, "");
    await rm(join(cwd, "kept"), { recursive: true });
    const off = await program("env-worker.ts", cwd, ["off"]);
    assert.deepEqual(JSON.parse(off.stdout), { isPathKept: true, isKept: false });
  });
});

test("a .env beside a folder of a crew goes before the one of the current folder", async () => {
  await inFolder(async (cwd) => {
    await mkdir(join(cwd, "tea"));
    const yaml = 'version: "1.0"\nagents:\n  - { id: a, name: A, role: Talks, is_terminal: true }\n';
    await writeFile(join(cwd, "tea", "crew.yaml"), yaml);
    await writeFile(join(cwd, "tea", ".env"), "COLOUR=green\n");
    await writeFile(join(cwd, ".env"), "COLOUR=blue\n");
    const { stdout } = await program("env-worker.ts", cwd, ["on", "tea"]);
    assert.match(stdout, /"colour":"green"/);
  });
});
