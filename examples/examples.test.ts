import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const MAX_LINES = 60;
/** A whole assistant with its documents. */
const MAX_ASSISTANT_LINES = 120;
const examples = globSync("*.ts", { cwd: import.meta.dirname }).filter((name) => !name.endsWith(".test.ts"));

test("the first example runs on its own and without a key", () => {
  const path = join(import.meta.dirname, "hello.ts");
  const env = { PATH: process.env["PATH"], NO_COLOR: "1" };
  const stdout = execFileSync(process.execPath, [path], { env, encoding: "utf8", timeout: 60_000 });
  assert.equal(stdout, "greeter: Hello! Baton is running.\n— done\n");
});

test(`an example has fewer than ${MAX_LINES} lines (an assistant ${MAX_ASSISTANT_LINES}), so that it is read`, () => {
  for (const name of examples) {
    const lines = readFileSync(join(import.meta.dirname, name), "utf8")
      .trimEnd()
      .split("\n").length;
    assert.ok(lines < (name === "help-desk.ts" ? MAX_ASSISTANT_LINES : MAX_LINES), `${name} has ${lines} lines`);
  }
});
