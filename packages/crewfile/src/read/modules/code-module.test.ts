import assert from "node:assert/strict";
import { basename } from "node:path";
import { suite, test } from "node:test";
import { defineProgram, type Model } from "@baton/core";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

const MANY = `version: "1.0"
model: code/nothing
agents:
  - { id: a, name: A, role: R, model: code/clasify, handoff_targets: [b] }
  - { id: b, name: B, role: R, primary: { provider: code, model: pla }, backup: { provider: code, model: paln }, is_terminal: true }
`;
const ONE = `version: "1.0"\nagents: [{ id: a, name: A, role: R, model: code/classify, is_terminal: true }]\n`;

async function readCode(yaml: string, code: unknown) {
  await using folder = await writeFolder({ "crew.yaml": yaml, "code.ts": "" });
  const importModule = async () => ({ default: code });
  return await readCrew(folder.path, { providers: ["openai"], importModule });
}

const seen = ({ findings }: Awaited<ReturnType<typeof readCrew>>) =>
  findings.map(({ file, line, column, code, fix }) => `${basename(file)}:${line}:${column} ${code}; ${fix}`);

suite("programs of code.ts", () => {
  test("belong to the crew, also one that no agent names", async () => {
    const program = defineProgram(() => ({ say: "x" }));
    const read = await readCode(ONE, { classify: program, offline: program });
    assert.deepEqual(seen(read), []);
    assert.equal(read.crew?.programs.get("classify"), program);
    assert.ok(read.crew?.programs.has("offline"));
  });

  test("that do not exist are found where a model names them, with the nearest", async () => {
    const program = defineProgram(() => ({}));
    assert.deepEqual(seen(await readCode(MANY, { classify: program, plan: program })), [
      "crew.yaml:2:8 unknown_program; export it from code.ts, or give it in `programs`",
      "crew.yaml:4:39 unknown_program; did you mean `code/classify`?",
      "crew.yaml:5:66 unknown_program; did you mean `code/plan`?",
      "crew.yaml:5:106 unknown_program; did you mean `code/plan`?",
    ]);
  });

  test("without code.ts, a program is unknown", async () => {
    await using folder = await writeFolder({ "crew.yaml": ONE });
    const { findings } = await readCrew(folder.path, { providers: [] });
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["unknown_program"],
    );
  });

  for (const [what, code, message] of [
    ["a list", [], "the default export is not an object of programs"],
    ["nothing", undefined, "the default export is not an object of programs"],
    [
      "a model",
      { go: { isProgram: false, stream: () => [] } },
      "`go` of the default export was not made by defineProgram",
    ],
    ["a function", { go: () => ({}) }, "`go` of the default export was not made by defineProgram"],
  ] as const) {
    test(`${what} in their place is the only finding, not every program it would have had`, async () => {
      const { findings } = await readCode(ONE, code);
      assert.deepEqual(
        findings.map((one) => [one.code, one.message]),
        [["invalid_code", message]],
      );
    });
  }

  test("may come with a wrapper of models, which must be a function", async () => {
    const wrapModel = (model: Model) => model;
    await using folder = await writeFolder({ "crew.yaml": ONE, "code.ts": "" });
    const program = defineProgram(() => ({ say: "x" }));
    const readWith = (wrap: unknown) =>
      readCrew(folder.path, {
        providers: [],
        importModule: async () => ({ default: { classify: program }, wrapModel: wrap }),
      });
    assert.equal((await readWith(wrapModel)).crew?.wrapModel, wrapModel);
    assert.deepEqual(
      (await readWith("loud")).findings.map(({ code, message }) => [code, message]),
      [["invalid_code", "`wrapModel` is not a function"]],
    );
  });

  test("in a file that cannot be imported are not looked for either", async () => {
    await using folder = await writeFolder({ "crew.yaml": ONE, "code.ts": "throw new Error('no database');" });
    const { findings } = await readCrew(folder.path, { providers: [] });
    assert.deepEqual(
      findings.map(({ code, message }) => [code, message]),
      [["unloadable_code", "the file cannot be imported: no database"]],
    );
  });

  test("a module that cannot be imported is found once, though tools.ts and code.ts both import it", async () => {
    await using folder = await writeFolder({
      "crew.yaml": ONE,
      "shared.ts": "export const x = ;",
      "tools.ts": 'import { x } from "./shared.ts";\nexport default [x];',
      "code.ts": 'import { x } from "./shared.ts";\nexport default { x };',
    });
    const { findings } = await readCrew(folder.path, { providers: [] });
    assert.deepEqual(
      findings
        .filter(({ severity }) => severity === "error")
        .map(({ file, line, column }) => [file.endsWith("shared.ts"), line, column]),
      [[true, 1, 18]],
    );
  });

  test("a module that never finishes loading is a finding", async (t) => {
    await using folder = await writeFolder({ "crew.yaml": ONE, "code.ts": "" });
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const asked = Promise.withResolvers<void>();
    const importModule = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const reading = readCrew(folder.path, { providers: [], importModule });
    await asked.promise;
    t.mock.timers.tick(30_000);
    const [finding] = (await reading).findings;
    assert.deepEqual(
      [finding?.code, finding?.message],
      ["unloadable_code", "the file cannot be imported: it took longer than 30 s; look for an `await` that never ends"],
    );
  });
});
