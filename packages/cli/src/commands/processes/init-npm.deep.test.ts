import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { BATON, baton, Child, inFolder } from "../../testing/command.ts";
import type { Ran, RunOptions } from "../../testing/in-process.ts";

/** Makes the command one that scripts of npm find, as after an install. */
async function install(cwd: string): Promise<void> {
  const bin = join(cwd, "node_modules", ".bin");
  await mkdir(bin, { recursive: true });
  await symlink(BATON, join(bin, "baton"));
}

async function npm(cwd: string, args: readonly string[], env: RunOptions["env"] = {}): Promise<Ran> {
  const apart = { npm_config_offline: "true", npm_config_cache: join(cwd, "cache") };
  return new Child(["npm", ...args], { cwd, env: { ...apart, ...env } }).ended();
}

test("npm test and npm start work at once if Baton is installed above, with and without a key", async () => {
  await inFolder({}, async (cwd) => {
    await install(cwd);
    const { stdout } = await baton(["init", "desk"], { cwd });
    assert.doesNotMatch(stdout, /npm install/);
    const folder = join(cwd, "desk");
    for (const env of [{}, { OPENAI_API_KEY: "sk-none", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }]) {
      const tested = await npm(folder, ["test"], env);
      assert.equal(tested.exitCode, 0, tested.stdout);
      assert.match(tested.stdout, /pass 3\n/);
      const server = new Child(["setsid", "npm", "start"], { cwd: folder, env: { BATON_PORT: "0", ...env } });
      await server.sees("listening on http://127.0.0.1:");
      await server.sees("OPENAI_API_KEY" in env ? "OPENAI_API_KEY is set" : "script");
      // npm does not pass signals on: all of its group get it.
      process.kill(-(server.process.pid ?? 0), "SIGTERM");
      await server.ended();
    }
  });
});
