import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";

const SERVER = join(import.meta.dirname, "../../../../crews/weather-desk/server.ts");
const CREW = `version: "1.0"
# Whoever reads this: keep it.
agents:
  - { id: desk, name: Desk, role: Tells the weather, is_terminal: true, tools: ["weather__*"] }
`;
const SCRIPT = `desk:
  - when: '"conditions":'
    say: Warm.
  - call: [{ tool: weather__get_weather, args: { city: Chicago } }]
`;

test("a server is added, called, recorded and played; a lock that was edited is found", async () => {
  await inFolder({ "crew.yaml": CREW.replace(', tools: ["weather__*"]', ""), "script.yaml": SCRIPT }, async (cwd) => {
    const run = async (...args: readonly string[]) => {
      const { exitCode, stdout, stderr } = await baton(args, { cwd });
      return { exitCode, text: stdout + stderr };
    };
    const command = ["--", process.execPath, "--no-warnings", SERVER];
    assert.equal((await run("mcp", "add", "weather", ...command)).exitCode, 2);
    assert.match((await run("mcp", "add", "x", "http://10.0.0.1/mcp", "--yes")).text, /must be https:/);
    const added = await run("mcp", "add", "weather", "--yes", ...command);
    assert.equal(added.exitCode, 0, added.text);
    assert.match(added.text, /get_weather: read/);
    const written = await readFile(join(cwd, "crew.yaml"), "utf8");
    assert.match(written, /# Whoever reads this: keep it\.\n/);
    await writeFile(
      join(cwd, "crew.yaml"),
      written.replace("is_terminal: true", 'is_terminal: true, tools: ["weather__*"]'),
    );
    assert.match((await run("mcp", "list")).text, /weather__get_weather {2}irreversible/);
    assert.match((await run("mcp", "check")).text, /^weather ok\n/);
    const asked = await run("tools", "call", "weather__get_weather", '{"city": "Chicago"}');
    assert.equal(asked.exitCode, 2, asked.text);
    await writeFile(
      join(cwd, "crew.yaml"),
      `${await readFile(join(cwd, "crew.yaml"), "utf8")}    tools: { "*": read }\n`,
    );
    const first = await run("run", ".", "weather?", "--json");
    assert.equal(first.exitCode, 0, first.text);
    const id = /"run":"([^"]+)"/.exec(first.text)?.[1] ?? "";
    const recorded = await run("mcp", "record", id, "--to", "calls.json");
    assert.match(recorded.text, /calls\.json: 1 call/);
    const lock = await readFile(join(cwd, "baton.lock"), "utf8");
    await writeFile(
      join(cwd, "crew.yaml"),
      (await readFile(join(cwd, "crew.yaml"), "utf8")).replace(SERVER, "gone.ts"),
    );
    await writeFile(join(cwd, "baton.lock"), lock.replace(SERVER, "gone.ts"));
    assert.match((await run("run", ".", "weather?", "--cassette", "calls.json")).text, /Warm\./);
    const gone = await run("mcp", "update", "--yes");
    assert.deepEqual([gone.exitCode, /the lock is unchanged/.test(gone.text)], [1, true]);
    await writeFile(join(cwd, "baton.lock"), lock.replace("average July", "average June"));
    assert.match((await run("check")).text, /damaged_lock/);
  });
});
