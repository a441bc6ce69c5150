import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";
import { SHOP } from "../testing/shop.ts";

/** A crew whose tool says what a variable is. */
const CREW = {
  "teller/crew.yaml": `version: "1.0"
agents:
  - { id: teller, name: Teller, role: Tells, is_terminal: true, tools: [Tell] }
`,
  "teller/tools.ts": `import { defineTool } from "@baton/core";
import { z } from "zod";
const AT_LOAD = process.env.COLOUR ?? "none";
export default [defineTool({ name: "Tell", description: "Tells.", effect: "read", input: z.object({}),
  run: () => [AT_LOAD, process.env.SIZE ?? "none"].join(" ") })];
`,
};

async function tell(cwd: string, env: { readonly [name: string]: string } = {}): Promise<string> {
  const { stdout, stderr } = await baton(["tools", "call", "teller", "Tell"], { cwd, env });
  assert.equal(stderr, "");
  return stdout.trim();
}

/** The same in a folder of its own, because a process loads the tools of a folder once. */
async function tellIn(
  files: typeof CREW & { readonly [path: string]: string },
  env?: { readonly [name: string]: string },
) {
  let told = "";
  await inFolder(files, async (cwd) => {
    told = await tell(cwd, env);
  });
  return told;
}

test("the .env beside the crew goes before that of the current folder, and the environment before both", async () => {
  const own = "# mine\nCOLOUR='dark red'\nexport SIZE=1\n";
  const both = { ...CREW, "teller/.env": own, ".env": "COLOUR=blue\nSIZE=2\n" };
  assert.equal(await tellIn(both), '"dark red 1"');
  assert.equal(await tellIn(both, { COLOUR: "green" }), '"green 1"');
  assert.equal(await tellIn(both, { COLOUR: "" }), '" 1"');
  assert.equal(await tellIn({ ...CREW, ".env": "\ufeffCOLOUR=blue\r\nSIZE=2\r\n" }), '"blue 2"');
});

test("a folder called .env is passed over, and a file that is too large is refused in one sentence", async () => {
  await inFolder(CREW, async (cwd) => {
    await mkdir(join(cwd, ".env"));
    assert.equal(await tell(cwd), '"none none"');
  });
  await inFolder({ ...CREW, ".env": `A=${"x".repeat(300_000)}` }, async (cwd) => {
    const { exitCode, stderr } = await baton(["tools", "call", "teller", "Tell"], { cwd });
    assert.deepEqual(
      [exitCode, stderr],
      [2, "baton: .env cannot be read: it is larger than 256 KB; make it readable, or remove it\n"],
    );
  });
});

test("settings of a server and keys of providers are read from .env", async () => {
  await inFolder({ ...SHOP, ".env": "BATON_DATA=kept\nBATON_MODEL=offline\n" }, async (cwd) => {
    const shown = await baton(["serve", "shop", "--print-config"], { cwd });
    assert.match(shown.stdout, /kept\b.*BATON_DATA/);
    await using server = await Served.start(["shop"], { cwd });
    assert.equal((await server.get("/health")).status, 200);
  });
  await inFolder(
    { ...CREW, "teller/.env": "OPENAI_API_KEY=sk-test\nOPENAI_BASE_URL=http://127.0.0.1:1\n" },
    async (cwd) => {
      const { stdout } = await baton(["run", "teller", "hello", "--data", "kept"], { cwd });
      assert.match(stdout, /^model openai\/.*OPENAI_API_KEY is set/m);
    },
  );
});
