import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import tools from "./tools.ts";

test("the analyst has every tool of the catalogue, in its order", async () => {
  const text = await readFile(join(import.meta.dirname, "agents/analyst.yaml"), "utf8");
  const listed = [...text.matchAll(/^ {2}- (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(
    listed,
    tools.map(({ name }) => name),
  );
});
