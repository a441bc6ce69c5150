import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import tools from "./tools.ts";

/** Whose tools a YAML file lists, however each is written. */
async function listedFor(agent: string): Promise<readonly (string | undefined)[]> {
  const text = await readFile(join(import.meta.dirname, `agents/${agent}.yaml`), "utf8");
  return [...text.matchAll(/^ {2}- (?:\{ name: )?(\w+)/gm)].map(([, name]) => name);
}

test("the analyst has every tool, in its order", async () => {
  assert.deepEqual(
    await listedFor("analyst"),
    tools.map(({ name }) => name),
  );
});

test("the runner has every tool but those that write plans", async () => {
  const names = tools.map(({ name }) => name).filter((name) => !name.endsWith("Plan"));
  assert.deepEqual(await listedFor("runner"), names);
});
