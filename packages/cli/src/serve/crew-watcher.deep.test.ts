/** `baton serve --watch`: code as its files become. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@baton/client";
import { inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";

const toolsOf = (word: string) => `import { appendFileSync } from "node:fs";
import { defineTool } from "@baton/core";
import { word } from "./word.ts";
const input = { jsonSchema: { type: "object" }, validate: (value) => ({ ok: true, value }) };
export const onShutdown = () => appendFileSync("shut.log", word + " ");
export default [defineTool({ name: "Say", description: "${word}", effect: "read", input, run: () => word })];
`;

const CODE = {
  "watched/crew.yaml": `version: "1.0"\nname: watched\nagents: [{ id: one, name: One, role: R, model: code/go, tools: [Say], is_terminal: true }]\n`,
  "watched/tools.ts": toolsOf("Says."),
  "watched/word.ts": 'export const word = "first";\n',
  "watched/code.ts": `import { defineProgram } from "@baton/core";
import { word } from "./word.ts";
const go = defineProgram(({ results }) => results?.length ? { say: word + " " + results[0].output } : { call: [{ tool: "Say", args: {} }] });
export default { go };
`,
};

test("code is read again when it changes, also a module that it imports, and code with an error stays out", async () => {
  await inFolder(CODE, async (cwd) => {
    await using server = await Served.start(["watched", "--watch"], { cwd });
    const client = createClient({ url: server.url });
    const abort = new AbortController();
    const feed = client.feed({ abort: abort.signal });
    const next = async () => {
      for (;;) {
        const { value, done } = await feed.next();
        if (done === true) assert.fail("the feed ended");
        if (value.type === "crews") return value.crews;
      }
    };
    await feed.next();
    const say = async () => JSON.stringify(await server.run({ input: "go" }, { wait: true }));
    assert.match(await say(), /first first/);

    await writeFile(join(cwd, "watched/word.ts"), 'export const word = "second";\n');
    await next();
    assert.match(await say(), /second second/);

    await writeFile(join(cwd, "watched/word.ts"), "export const word = ;\n");
    const [broken] = await next();
    assert.ok((broken?.errors ?? 0) > 0);
    const { findings } = await client.crew("watched");
    assert.match(JSON.stringify(findings), /word\.ts","line":1,"column":21/);
    assert.match(await say(), /second second/);

    await writeFile(join(cwd, "watched/word.ts"), 'export const word = "third";\n');
    assert.equal((await next())[0]?.errors, 0);
    assert.match(await say(), /third third/);
    abort.abort();
    const { exitCode, stderr } = await server.stop();
    assert.equal(exitCode, 0);
    assert.match(stderr, /watched\/word\.ts:1:21 the file cannot be imported/);
    assert.equal(await readFile(join(cwd, "shut.log"), "utf8"), "first second third ");
  });
});
