/** Crews in TypeScript files: read, checked and played as those in YAML. */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { suite, test } from "node:test";
import type { Tool } from "@baton/core";
import { isCrewCode, readCrew, readCrews } from "./read-crew.ts";
import type { IsolationLevel, ThreadPool, ToolSource } from "./read-options.ts";
import { writeFolder } from "../testing/folder.ts";

const CORE = JSON.stringify(import.meta.resolve("@baton/core"));
const HEAD = `import { defineCrew, defineTool } from ${CORE};
const input = { jsonSchema: {}, validate: (value) => ({ ok: true, value }) };
const tool = (name, more) => defineTool({ name, description: name, effect: "read", input, run: () => 1, ...more });
`;
const PROVIDERS = ["openai"];

const placesOf = (findings: readonly { file: string; line: number; column: number; code: string }[]) =>
  findings.map(({ file, line, column, code }) => `${basename(file)}:${line}:${column} ${code}`);

async function read(text: string, more: Record<string, string> = {}) {
  await using folder = await writeFolder({ "package.json": '{"type":"module"}', ...more, "crew.ts": text });
  return await readCrews(`${folder.path}/crew.ts`, { providers: PROVIDERS });
}

suite("a crew in a TypeScript file", () => {
  test("is read with its worst case, its script and the lines of its agents", async () => {
    const text = `${HEAD}export default defineCrew({
  name: "desk",
  agents: [
    { id: "clerk", isTerminal: true },
  ],
});
`;
    const [file, ...others] = await read(text, { "script.yaml": "clerk:\n  - say: Hello.\n" });
    assert.equal(others.length, 0);
    assert.equal(file?.crew?.name, "desk");
    assert.deepEqual(file?.worst, { modelCalls: 1, toolRounds: 0, handoffs: 0, isExact: true });
    assert.deepEqual(file?.script?.get("clerk"), [{ say: "Hello." }]);
    assert.equal(file?.prompts?.get("clerk")?.line, 7);
  });

  test("has the findings of the graph, at the call of defineCrew, with the names that code uses", async () => {
    const text = `${HEAD}
export default defineCrew({ name: "loop", agents: [{ id: "a" }, { id: "b" }, { id: "c", systemPrompt: "{{nam}}" }],
  defaults: { a: "b", b: "a" }, signals: { a: [{ signal: "[X]", target: "b" }] } });
`;
    const [file] = await read(text);
    assert.equal(file?.crew, undefined);
    assert.deepEqual(placesOf(file?.findings ?? []), [
      "crew.ts:5:16 no_end",
      "crew.ts:5:16 unreachable_agent",
      "crew.ts:5:16 unknown_placeholder",
    ]);
    const [fixed] = await read(text.replace(', b: "a" }', " }"));
    const warning = fixed?.findings.find(({ code }) => code === "unknown_placeholder");
    assert.deepEqual([warning?.path, warning?.severity], ["agents[2].systemPrompt", "warning"]);
    assert.match(warning?.message ?? "", /systemPrompt/);
  });

  test("names models that no provider has", async () => {
    const [file] = await read(`${HEAD}export default defineCrew({ name: "a", agents: [
      { id: "a", model: { name: "opnai/gpt-5" } }, { id: "b", model: { name: "gpt-5" }, isTerminal: true }],
      defaults: { a: "b" } });`);
    assert.deepEqual(
      file?.findings.map(({ code, fix }) => `${code} ${fix}`),
      ["unknown_provider did you mean `openai`?", "unknown_model write `openai/gpt-5`"],
    );
  });

  test("whose definition is refused has every error as a finding of its own", async () => {
    const [file] = await read(
      `${HEAD}\nexport default defineCrew({ name: "a", agents: [{ id: "a b", temperature: 9, tools: ["Nope"] }] });\n`,
    );
    assert.deepEqual(placesOf(file?.findings ?? []), [
      "crew.ts:5:16 invalid_id",
      "crew.ts:5:16 invalid_value",
      "crew.ts:5:16 unknown_tool",
    ]);
    assert.equal(file?.findings[1]?.message, "agents[0].temperature: 9 is out of range");
  });

  for (const [what, text, place, message] of [
    ["throws", '\nthrow new Error("kaput");', "crew.ts:2:7", /: kaput$/],
    ["throws no error", "\nthrow 5;", "crew.ts:1:1", /it threw 5$/],
    ["has a syntax error", "export default {\n  a: 1\nb: 2 };", "crew.ts:3:1", /cannot be imported/],
    ["imports what is not there", 'export {};\nimport { a } from "./gone.ts";', "crew.ts:2:22", /Cannot find module/],
    ["imports a broken file", 'export {};\nimport "./part.ts";', "part.ts:2:9", /cannot be imported/],
  ] as const) {
    test(`that ${what} is found with its file, line and column`, async () => {
      const [file] = await read(text, { "part.ts": "const a = 1;\nlet b = ;\n" });
      const [finding] = file?.findings ?? [];
      assert.deepEqual(placesOf(finding === undefined ? [] : [finding]), [`${place} unloadable_crew`]);
      assert.match(finding?.message ?? "", message);
      assert.doesNotMatch(finding?.message ?? "", /\n\s+at /);
    });
  }

  test("that Node does not read as a module says what to change", async () => {
    const [file] = await read('import "node:fs";\nexport default 1;', { "package.json": '{"type":"commonjs"}' });
    assert.match(
      file?.findings[0]?.fix ?? "",
      /^add "type": "module" to package\.json .*, or rename the file to \.mts$/,
    );
  });

  for (const [what, text, message] of [
    ["no default export", "export const a = 1;", "the file has no default export"],
    ["an object", "const a = 1;\nexport default {};", "the default export is not a crew of defineCrew"],
    ["an empty list", "export default [];", "the default export is an empty list"],
    ["a list with something else", "export default [1];", "item 0 of the default export is not a crew of defineCrew"],
  ] as const) {
    test(`with ${what} as its default export says what to write`, async () => {
      const [file] = await read(text);
      assert.deepEqual(
        file?.findings.map(({ code, message: said, fix }) => [code, said, fix]),
        [["no_crew", message, "write `export default defineCrew({ … })`, or export a list of such crews"]],
      );
    });
  }
});

const TWO = `${HEAD}
const alpha = defineCrew({ name: "alpha", agents: [{ id: "a", isTerminal: true, tools: ["Deep"] }], tools: [tool("Deep")] });
export default [
  defineCrew({ name: "one", agents: [{ id: "a", isTerminal: true, tools: ["Plain", "Here"] }],
    tools: [tool("Plain"), tool("Here", { isolation: "inline" })] }),
  defineCrew({ name: "two", agents: [{ id: "a", isTerminal: true, tools: ["Plain"] }], tools: [tool("Plain")],
    signals: { a: [{ signal: "[GO]", target: "alpha" }] }, subCrews: { alpha }, settings: { toolIsolation: "thread" } }),
];
`;

test("each crew of a list is read, and one of them is named after a #", async () => {
  await using folder = await writeFolder({ "package.json": '{"type":"module"}', "crews.ts": TWO });
  const path = `${folder.path}/crews.ts`;
  class Pool implements ThreadPool {
    readonly wrapped: string[] = [];
    wrap(tool: Tool, { file, crew = [] }: ToolSource, level: IsolationLevel): Tool {
      this.wrapped.push(`${level} ${crew.join("/")} ${tool.name}`);
      return { ...tool, file };
    }
  }
  const threads = new Pool();
  const options = { providers: PROVIDERS, threads };
  const all = await readCrews(path, options);
  assert.deepEqual(
    all.map(({ crew }) => crew?.name),
    ["one", "two"],
  );
  // The crews of a file are read side by side, in any order.
  assert.deepEqual(threads.wrapped.toSorted(), ["auto one Plain", "auto two/sub:alpha Deep", "thread two Plain"]);
  assert.equal((await readCrew(`${path}#two`, options)).crew?.name, "two");
  const [several] = (await readCrew(path, options)).findings;
  assert.equal(several?.code, "several_crews");
  assert.match(several?.fix ?? "", /crews\.ts#one, .*crews\.ts#two$/);
  assert.equal((await readCrew(`${path}#three`, options)).findings[0]?.code, "several_crews");
  assert.deepEqual(
    [isCrewCode("a.mts"), isCrewCode("a.ts#b"), isCrewCode("a.yaml"), isCrewCode("a#b")],
    [true, true, false, false],
  );
});

test("a crew in YAML may contain one in code", async () => {
  const crew = `version: "1.0"
agents: [{ id: a, name: A, role: R, is_terminal: true, system_prompt: "Write [GO]." }]
routing: { signals: { a: [{ signal: "[GO]", target: alpha }] } }
sub_crews: { alpha: alpha.ts }
`;
  const alpha = `${HEAD}export default defineCrew({ name: "alpha", agents: [{ id: "x", isTerminal: true }] });`;
  await using folder = await writeFolder({ "package.json": '{"type":"module"}', "crew.yaml": crew, "alpha.ts": alpha });
  const outer = await readCrew(folder.path, { providers: [] });
  assert.deepEqual(
    outer.findings.filter(({ severity }) => severity !== "note"),
    [],
  );
  assert.ok(outer.crew?.subCrews.get("alpha")?.agents.has("x"));
});
