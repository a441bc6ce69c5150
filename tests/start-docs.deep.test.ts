/** docs/start.md: its files and commands, one after the other in one project, do what the tutorial says. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, suite, test } from "node:test";

const root = join(import.meta.dirname, "..");
const bin = join(root, "node_modules", ".bin");
const page = await readFile(join(root, "docs/start.md"), "utf8");
const blocks = Array.from(page.matchAll(/^```(\w+)([^\n]*)\n(.*?)^```$/gms), ([, language, info = "", text = ""]) => {
  return { language, isFile: info.includes("file"), isShown: info.includes("no-run"), text };
});

/** The run that asks ends with the code of a pause where nobody can be asked. */
const PAUSED = 3;

suite("the tutorial", () => {
  let folder = "";
  let project = "";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "baton-start-"));
    project = join(folder, "my-crew");
    assert.match(page, /npx @baton\/cli init my-crew\n[^]*\ncd my-crew\nnpm install\n/);
    assert.equal(shell("baton init my-crew", folder).status, 0);
    await symlink(join(root, "node_modules"), join(project, "node_modules"));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  test("every step works, in its order", async () => {
    for (const { language, isFile, isShown, text } of blocks) {
      if (isFile && !isShown) await write(text);
      if (language !== "sh" || isShown) continue;
      const { status, stdout, stderr } = shell(text, project);
      const isAsking = text.includes("Wake me");
      assert.equal(status, isAsking ? PAUSED : 0, `${text}\n${stdout}\n${stderr}`);
      if (isAsking) assert.match(stderr, /asks to use SetAlarm/);
    }
  });

  test("what it serves answers the request that it shows", async () => {
    const server = spawn(
      process.execPath,
      [join(root, "packages/cli/bin/baton.js"), "serve", "--port", "0", "--data", "served"],
      {
        cwd: project,
        env: { PATH: process.env["PATH"], HOME: folder },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    try {
      const first = String(await once(server.stdout, "data"));
      const address = /http:\/\/(127\.0\.0\.1:\d+)/.exec(first)?.[1] ?? "";
      const body = /-d '([^']+)'/.exec(page)?.[1] ?? "";
      const headers = { "Content-Type": "application/json", Prefer: "wait" };
      const answer = await fetch(`http://${address}/api/runs`, { method: "POST", headers, body });
      assert.match(await answer.text(), /"outcome":"done"/);
    } finally {
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      await ended;
    }
  });

  async function write(text: string): Promise<void> {
    const path = /^(?:#|\/\/) (\S+)/.exec(text)?.[1] ?? "";
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }

  function shell(text: string, cwd: string) {
    const env = { PATH: [bin, process.env["PATH"]].join(delimiter), HOME: folder, NO_COLOR: "1" };
    return spawnSync("bash", ["-euo", "pipefail", "-c", text], { cwd, env, encoding: "utf8" });
  }
});
