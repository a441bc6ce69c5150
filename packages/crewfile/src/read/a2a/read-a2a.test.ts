import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool } from "@baton/core";
import { readCrew } from "../read-crew.ts";
import type { ReadOptions } from "../read-options.ts";
import { writeFolder } from "../../testing/folder.ts";

async function read(a2a: string, make?: ReadOptions["a2a"]) {
  const agents = "agents: [{ id: a, name: A, role: Helps, is_terminal: true }]";
  await using folder = await writeFolder({ "crew.yaml": `version: "1.0"\n${agents}\na2a: ${a2a}\n` });
  return await readCrew(folder.path, {
    providers: [],
    env: { TOKEN: "t" },
    ...(make === undefined ? {} : { a2a: make }),
  });
}

test("agents of other systems are read with their address, effect and token, and make tools", async () => {
  let seen: unknown;
  const tool = defineTool({
    name: "desk__ask",
    description: "Asks.",
    effect: "read",
    input: { jsonSchema: {}, validate: (value) => ({ ok: true, value }) },
    run: () => null,
  });
  const { crew, findings } = await read(
    "{ desk: { url: https://a.example.com, effect: read, token: '${TOKEN}' } }",
    (all) => {
      seen = all;
      return [tool];
    },
  );
  assert.deepEqual(findings, []);
  assert.deepEqual(seen, { desk: { url: "https://a.example.com", effect: "read", token: "t" } });
  assert.ok(crew?.tools.has("desk__ask"));
});

test("a wrong entry, a token in the file and a missing package are findings", async () => {
  const codes = async (...args: Parameters<typeof read>) => (await read(...args)).findings.map(({ code }) => code);
  assert.deepEqual(await codes("{ desk: { url: http://a.example.com } }"), ["invalid_server"]);
  assert.deepEqual(await codes("{ desk: { effect: read } }"), ["invalid_server"]);
  assert.deepEqual(await codes("{ desk: { url: https://a.example.com, token: abc } }"), ["invalid_server"]);
  assert.deepEqual(await codes("{ desk: { url: https://a.example.com } }"), ["missing_package"]);
});
