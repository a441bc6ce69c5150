import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { BATON, Child, hasTerminals, inFolder, startOnTerminal } from "../testing/command.ts";
import { Served } from "../testing/served.ts";
import { SHOP } from "../testing/shop.ts";

const CLOCK = /^\d\d:\d\d:\d\d /;

test("with both streams in one file the address is the first line", async () => {
  await inFolder(SHOP, async (cwd) => {
    const child = new Child(["sh", "-c", `exec "$0" "$1" serve shop --port 0 2>&1`, process.execPath, BATON], { cwd });
    await child.sees('"msg":"listening"');
    assert.match(
      child.stdout,
      /^listening on http:\/\/127\.0\.0\.1:\d+\nmodel .*\n\{"level":"info".*"msg":"listening"/,
    );
    child.process.kill("SIGTERM");
    assert.equal((await child.ended()).exitCode, 0);
  });
});

test("on a terminal the address comes first, then what to open, which model and why, crews; no JSON", async (t) => {
  if (!(await hasTerminals())) return t.skip("there is no `script` here");
  await inFolder(SHOP, async (cwd) => {
    const server = startOnTerminal(["serve", "shop", "--port", "0"], { cwd });
    await server.sees("Ctrl-C");
    const url = /listening on (http:\/\/\S+)/.exec(server.stdout)?.[1] ?? "";
    await (await fetch(`${url}/api/crews`)).text();
    await server.sees("request");
    server.process.stdin.write("\u0003");
    const { exitCode, stdout } = await server.ended();
    assert.equal(exitCode, 0);
    const text = stripVTControlCharacters(stdout).replaceAll("\r", "");
    assert.match(text, /^listening on http:\/\/127\.0\.0\.1:\d+\n\n/);
    assert.match(text, /^open {4}http:\/\/127\.0\.0\.1:\d+\/ in your browser$/m);
    assert.match(text, /^model {3}\S/m);
    assert.match(text, /^crews {3}shop: \d+ agents?/m);
    assert.doesNotMatch(text, /"level"/);
  });
});

test("elsewhere the log is JSON, unless text is asked for", async () => {
  await inFolder(SHOP, async (cwd) => {
    for (const [format, expected] of [
      ["auto", /^\{"level":"info"/],
      ["text", CLOCK],
    ] as const) {
      await using server = await Served.start(["shop", "--log-format", format], { cwd });
      await (await server.get("/api/crews")).text();
      const { stdout, stderr } = await server.stop();
      assert.match(stderr, expected);
      assert.match(stdout, /^listening on http:\/\/127\.0\.0\.1:\d+\nmodel /);
    }
  });
});
