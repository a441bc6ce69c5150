/** The cases of the example crews pass, with their scripts and no real tool that changes anything: this gates the build. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scriptModel } from "@baton/core";
import { readCrew } from "@baton/crewfile";
import { evaluate, readCases } from "@baton/evals";
import { openDatabase, openStore } from "@baton/baton/store";

const root = import.meta.dirname;
// The cases of late-orders need an interpreter: they are played in a test of their own.
const crews = readdirSync(root).filter((name) => name !== "late-orders" && existsSync(join(root, name, "evals")));

for (const name of crews) {
  test(`the cases of ${name} pass`, async () => {
    const { crew, script = new Map() } = await readCrew(join(root, name), { providers: [] });
    assert.ok(crew);
    const cases = await readCases([join(root, name, "evals", "cases.yaml")]);
    await using store = await openStore(await openDatabase({ data: "", store: "memory" }));
    const report = await evaluate({ crew, cases, store, version: "test", model: () => () => scriptModel(script) });
    const wrong = report.results.filter(({ status }) => status !== "pass");
    assert.deepEqual(wrong, []);
    assert.equal(report.trials, cases.length);
  });
}

test("every example crew has cases, but for those whose tools are on this machine or on a server", () => {
  const without = readdirSync(root).filter(
    (name) => existsSync(join(root, name, "crew.yaml")) && !existsSync(join(root, name, "evals")),
  );
  assert.deepEqual(without, ["it-support", "weather-desk"]);
});
