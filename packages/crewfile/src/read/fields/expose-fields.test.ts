import assert from "node:assert/strict";
import { test } from "node:test";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

async function read(expose: string) {
  await using folder = await writeFolder({
    "crew.yaml": `version: "1.0"\nagents: [{ id: a, name: A, role: Helps, is_terminal: true }]\nexpose: ${expose}\n`,
  });
  return await readCrew(folder.path, { providers: [] });
}

test("`expose` is read as it is written, and what is wrong stands at its place", async () => {
  const input = { type: "object", properties: { symbol: { type: "string" } } };
  const { expose } = await read(`{ name: score, task: prefer, visible: no, input: ${JSON.stringify(input)} }`);
  assert.deepEqual(expose, { name: "score", task: "prefer", visible: false, input });
  const { findings } = await read(`{ name: "a b", task: always, input: { type: array }, visble: false }`);
  assert.deepEqual(
    findings.map(({ code, column }) => [code, column]),
    [
      ["invalid_value", 17],
      ["invalid_value", 30],
      ["invalid_schema", 53],
      ["unknown_field", 62],
    ],
  );
});
