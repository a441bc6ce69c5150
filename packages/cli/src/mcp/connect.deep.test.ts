import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";

const CREW = `version: "1.0"\nagents: [{ id: host, name: Host, role: Hosts, is_terminal: true }]\n`;
const FILES = { "talk/crew.yaml": CREW, "talk/script.yaml": "host: [{ say: Hi. }]\n" };
const OTHER = '{ "mcpServers" : { "other": {"command" :"x"} } }\n';

test("`baton connect` adds an entry beside others, keeps the old file and says that the entry works", async () => {
  await inFolder({ ...FILES, ".mcp.json": OTHER }, async (cwd) => {
    const read = (name: string) => readFile(join(cwd, name), "utf8");
    const args = ["connect", "talk", "--to", "claude-code"];
    for (const [more, exitCode] of [
      [[], 2],
      [["--dry-run"], 0],
      [["--yes", "--name", "other"], 1],
      [["--yes", "--name", "a b"], 2],
      [["--yes", "--key", "k"], 2],
    ] as const) {
      assert.equal((await baton([...args, ...more], { cwd })).exitCode, exitCode, more.join(" "));
      assert.equal(await read(".mcp.json"), OTHER);
    }
    const { exitCode, stdout, stderr } = await baton([...args, "--yes"], { cwd });
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /\nverified: 1 tools\n$/);
    const written = await read(".mcp.json");
    assert.ok(written.startsWith(OTHER.slice(0, OTHER.indexOf("}") + 1)), written);
    assert.equal(await read(".mcp.json.bak"), OTHER);
    const { args: words } = z
      .object({ mcpServers: z.object({ baton: z.looseObject({ args: z.array(z.string()) }) }) })
      .parse(JSON.parse(written)).mcpServers.baton;
    assert.deepEqual(words.slice(3), [join(cwd, "talk"), "--data", join(cwd, ".baton")]);
  });
});

test("`baton connect --url` brings the old file back if the server does not answer, and is for the owner's eyes", async () => {
  await inFolder({ ...FILES, ".mcp.json": OTHER }, async (cwd) => {
    const connect = (to: string, url: string) =>
      baton(["connect", "--to", to, "--url", url, "--key", "bt_secret", "--yes"], { cwd });
    assert.equal((await connect("claude-code", "http://127.0.0.1:1")).exitCode, 1);
    assert.equal(await readFile(join(cwd, ".mcp.json"), "utf8"), OTHER);
    assert.equal((await connect("vscode", "http://127.0.0.1:1")).exitCode, 1);
    assert.equal(existsSync(join(cwd, ".vscode")), false);
    await using server = await Served.start(["talk"], { cwd });
    await mkdir(join(cwd, ".cursor"));
    const { exitCode, stderr } = await connect("cursor", server.url);
    assert.equal(exitCode, 0, stderr);
    assert.equal((await stat(join(cwd, ".cursor/mcp.json"))).mode & 0o777, 0o600);
    await writeFile(join(cwd, ".cursor/mcp.json"), "{ /* mine */ }");
    const refused = await connect("cursor", server.url);
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stdout, /"Authorization": "Bearer bt_secret"/);
  });
});
