/** What holds for every example crew, whoever adds one. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readCrew } from "@baton/crewfile";
import { MODEL_PROVIDERS } from "@baton/models";

const here = import.meta.dirname;
const crews = globSync("*/", { cwd: here, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test("there are example crews, and the list of them names each one", () => {
  const list = readFileSync(join(here, "README.md"), "utf8");
  const listed = Array.from(list.matchAll(/^\| \[([a-z-]+)\]/gm), ([, name = ""]) => name);
  assert.deepEqual(listed.toSorted(), crews.toSorted());
  assert.notEqual(crews.length, 0);
});

for (const name of crews) {
  test(`${name} can be read, loads without errors, and runs with no key`, async () => {
    const folder = join(here, name);
    for (const file of ["README.md", "crew.yaml", "script.yaml", "crew.test.ts"]) {
      assert.ok(existsSync(join(folder, file)), `${name}/${file} is missing`);
    }
    const { crew, script, findings } = await readCrew(folder, { providers: MODEL_PROVIDERS });
    assert.deepEqual(
      findings.filter(({ severity }) => severity === "error"),
      [],
    );
    assert.equal(crew?.name, name);
    assert.deepEqual([...(script?.keys() ?? [])].toSorted(), [...crew.agents.keys()].toSorted());
    assert.equal(crew.model, undefined, "the crew takes whatever model there is");
  });
}
