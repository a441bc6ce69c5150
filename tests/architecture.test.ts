import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as architecture from "./architecture.ts";
import * as names from "./names.ts";
import type { Rule } from "./rule.ts";
import { parametersOf, toCode, type SourceFile } from "./source.ts";
import * as style from "./style.ts";

const root = join(import.meta.dirname, "..");
const repository = readRepository();
const HEADER = "/**\n * Noun: what it is.\n * It promises this.\n */\n";
const MANIFESTS: readonly SourceFile[] = [
  { path: "package.json", text: '{"name":"root","devDependencies":{"fast-check":"4"}}' },
  { path: "packages/core/package.json", text: '{"name":"@baton/core"}' },
  { path: "packages/models/package.json", text: '{"name":"@baton/models","dependencies":{"@baton/core":"1"}}' },
];

/** What each rule must find and, close to it, what it must leave alone. What it reads in files is put together here. */
const PLANTED: readonly { readonly rule: Rule; readonly bad: SourceFile; readonly good: SourceFile }[] = [
  plant(architecture.arrows, "packages/core/src/loop/run.ts", ['import "node:fs";', 'import "./step.ts";']),
  plant(architecture.arrows, "packages/core/src/loop/run.ts", ['import type { Z } from "zod";', '// import "zod"']),
  plant(architecture.arrows, "packages/models/src/x.ts", ['import "@baton/store";', 'import "@baton/core";']),
  plant(architecture.arrows, "packages/models/src/x.ts", ['import "../../core/src/run.ts";', 'import "../y.ts";']),
  plant(architecture.arrows, "packages/models/src/x.ts", ['import "@baton/core/testing";', 'import "node:fs";']),
  plant(architecture.arrows, "packages/models/src/x.ts", ['import "./testing/y.ts";', 'import "./test.ts";']),
  plant(architecture.arrows, "packages/models/src/x.test.ts", ['import "@baton/server";', 'import "@baton/store";']),
  plant(architecture.arrows, "packages/console/src/x.ts", ['import("@baton/core");', 'import("@baton/client");']),
  plant(architecture.arrows, "packages/server/src/x.ts", ['import "@baton/assistant";', 'import "@baton/store";']),
  plant(architecture.arrows, "packages/newcomer/src/x.ts", ['import "@baton/core";', 'import "hono";']),
  plant(architecture.arrows, "crews/sister/tools.ts", ['import "../desk/disk.ts";', 'import "../desk/tools.ts";']),
  plant(architecture.arrows, "packages/cli/src/x.ts", ['import "../../../crews/a/tools.ts";', 'import "./tools.ts";']),
  plant(architecture.arrows, "packages/assistant/src/x.ts", ['import "@baton/finance";', 'import "@baton/core";']),
  plant(architecture.arrows, "packages/assistant/src/x.ts", [
    'import "../../../apps/finance/x.ts";',
    'import "./y.ts";',
  ]),
  plant(architecture.arrows, "packages/assistant/src/chat/x.ts", [
    'import "@baton/server";',
    'import "@baton/server/mount";',
  ]),
  plant(architecture.arrows, "packages/assistant/src/plan/x.ts", [
    'import "@baton/server/mount";',
    'import "@baton/core";',
  ]),
  plant(architecture.noFinanceInAssistant, "packages/assistant/src/x.ts", [
    "const getStockPrice = 1;",
    "/** Like getStockPrice. */\nconst symbol = yearsIn(text); // a ticker",
  ]),
  plant(architecture.noFinanceInAssistant, "packages/assistant/src/x.ts", ['a("NASDAQ");', 'a("NAS DAQ");']),
  plant(architecture.noFinanceInAssistant, "packages/assistant/src/x.ts", ["a(getRSI);", "a(version);"]),
  plant(architecture.listed, "packages/models/src/x.ts", ['import "fast-check";', 'import "@baton/core";']),
  plant(architecture.listed, "packages/models/src/x.test.ts", ['import "left-pad";', 'import "fast-check";']),
  plant(architecture.rows, "packages/core/src/lifetimes/scope.ts", [
    'import "../loop/run.ts";',
    'import "../words/error.ts";',
  ]),
  plant(architecture.rows, "packages/core/src/definitions/tool.ts", [
    'import type { T } from "../loop/turn.ts";',
    'import "./crew.ts";',
  ]),
  plant(architecture.rows, "packages/core/src/newcomer.ts", [
    "export const a = 1;",
    '/** A door. */\nexport { a } from "./words/a.ts";',
  ]),
  plant(architecture.rows, "packages/core/src/loop/run.ts", ['import "../index.ts";', 'import "./step.ts";']),
  plant(architecture.shownNames, "packages/core/src/index.ts", [
    `export { ${"a, ".repeat(46)}} from "./a.ts";`,
    `export { ${"a, ".repeat(45)}} from "./a.ts";`,
  ]),
  plant(architecture.sizes, "packages/cli/src/x.ts", ["x;\n".repeat(401), "x;\n".repeat(400)]),
  plant(names.commentOpenings, "packages/cli/src/x.ts", [
    "/** What a run costs. */\nconst a = 1;",
    "/** Cost of a run. */\nconst a = 1;",
  ]),
  plant(names.commentOpenings, "packages/cli/src/x.ts", [
    "/** Whether it fits, and why. */\nfunction findFault(): string {}",
    "/** Whether it fits. */\nfunction fits(): boolean {}",
  ]),
  plant(names.noIdiomsInNames, "packages/cli/src/x.ts", ["engine.takeUp(id);", "engine.recover(id); // not takeUp"]),
  plant(style.noExportAll, "packages/cli/src/x.ts", ['export * from "./y.ts";', '// export * from "./y.ts";']),
  plant(style.noDecorators, "packages/cli/src/x.ts", ["@sealed\nclass A {}", "/** @internal */"]),
  plant(style.noModuleState, "packages/cli/src/x.ts", ["let count = 0;", "  let count = 0;"]),
  plant(style.noModuleState, "packages/cli/src/x.ts", [
    "const a = new Map();",
    "const a: ReadonlyMap<K, V> = new Map();",
  ]),
  plant(style.noModuleState, "packages/cli/src/x.ts", ["const a: string[] = [];", "const a = [1];"]),
  plant(style.noBooleanParameters, "packages/cli/src/x.ts", ["f = (a, b?: boolean) => b;", "f({ b: true });"]),
  plant(style.noBooleanParameters, "packages/cli/src/x.ts", [
    "go(a: null | boolean): T;",
    "go(a: { b: boolean } | string): T;",
  ]),
  plant(style.noBooleanParameters, "packages/cli/src/x.ts", [
    "function f(a = false) {}",
    "function f(a: string | boolean) {}",
  ]),
  plant(style.noWorldInCore, "packages/core/src/loop/run.ts", ["a(Date.now());", "a(clock.now());"]),
  plant(style.noWorldInCore, "packages/core/src/loop/run.ts", ["a(`${Math.random()}`);", "a(`Math.random()`);"]),
  plant(style.noWorldInCore, "packages/core/src/loop/run.ts", ["process.exit();", "// the process ends"]),
  plant(style.noWorldInCore, "packages/core/src/loop/run.ts", ["setTimeout(f);", "clock.setTimeout(f);"]),
  plant(style.noWorldInCore, "packages/core/src/engine/engine.ts", ["crypto.subtle;", "crypto.randomUUID();"]),
  plant(style.noLintSwitches, "packages/cli/src/x.ts", [["// oxlint", "disable"].join("-"), "// disabled"]),
  plant(style.noMachinePaths, "docs/x.md", [["see ", "home", "me"].join("/"), "see docs/home/x"]),
  plant(style.noIdioms, "packages/core/src/x.ts", ["// Stops what is at work.", "// Stops what is running."]),
  plant(style.noIdioms, "packages/core/src/x.ts", ['a("the id is none");', 'a("made if there is none");']),
  plant(style.noIdioms, "docs/x.md", ["A run is taken up again.", "A run is recovered."]),
  plant(style.noIdioms, "README.md", ["A client that was cut off.", "A client that was disconnected."]),
  plant(style.noIdioms, "packages/models/src/x.ts", ["// Whoever asks, waits.", "// The caller waits."]),
  plant(style.noIdioms, "packages/core/src/x.ts", [
    "// A model that cannot be had.",
    "// A model that is not available.",
  ]),
  plant(style.noIdioms, "docs/x.md", ["The text in the place of a key.", "The text instead of a key."]),
  plant(style.oneFormatter, "packages/console/src/x.tsx", ["a.toFixed(2);", "format.price(a);"]),
  plant(style.oneFormatter, "packages/console/src/x.tsx", ['<p className="x" title={a}>', "<Part title={a}>"]),
  plant(style.noRegistries, "package-lock.json", [
    ['"resolved"', '"https://x"'].join(": "),
    '"resolved": "packages/core"',
  ]),
  plant(style.noRegistries, ".npmrc", [["https://registry", "example", "org"].join("."), "save-exact=true"]),
  ...["src/Run.ts", "src/run_it.ts", "src/run.Test.ts"].map((name) => ({
    rule: style.kebabCase,
    bad: { path: `packages/cli/${name}`, text: "" },
    good: { path: "packages/cli/src/run-it.test.ts", text: "" },
  })),
  ...["", "// a\n", "/**\n * a\n * b\n * c\n * d\n * e\n */\n"].map((text) => ({
    rule: style.opening,
    bad: { path: "packages/cli/src/x.ts", text },
    good: { path: "packages/cli/src/x.ts", text: HEADER },
  })),
  plant(style.noReaderLists, "packages/cli/src/x.ts", [[" * Read", "by: all."].join(" "), " * It is read by all."]),
];

/** Rules on more than one file have tests of their own below. */
const OF_MANY_FILES: readonly Rule[] = [names.siblings, names.typeNames, names.sharedNames];

for (const [name, rule] of rules()) {
  test(`the repository keeps the rule ${name}`, () => {
    assert.deepEqual(
      rule(repository).map(({ path, line, message }) => `${path}:${line} ${message}`),
      [],
    );
  });

  test(`a planted violation of ${name} is found, and its harmless neighbour is not`, () => {
    const planted = PLANTED.filter((candidate) => candidate.rule === rule);
    assert.ok(planted.length > 0 || OF_MANY_FILES.includes(rule), "every rule has a planted violation");
    for (const { bad, good } of planted) {
      const [first, ...rest] = rule([...MANIFESTS, bad]);
      assert.equal(first?.path, bad.path, `not found: ${bad.text}`);
      assert.deepEqual(rest, [], `found twice: ${bad.text}`);
      assert.deepEqual(rule([...MANIFESTS, good]), [], `found wrongly: ${good.text}`);
    }
  });
}

test("a violation is reported with its line", () => {
  const text = `${HEADER}\nexport * from "./y.ts";\n`;
  assert.deepEqual(style.noExportAll([{ path: "packages/cli/src/x.ts", text }])[0]?.line, 6);
});

test("core's loop may not outgrow its cap, and no row a tenth of its size, not counting tests and comments", () => {
  const files = (folder: string, line: string) =>
    ["step", "turn", "call", "calls", "run"].map((file) => ({
      path: `packages/core/src/${folder}/${file}.ts`,
      text: line.repeat(399),
    }));
  assert.deepEqual(architecture.sizes(files("testing", "x;\n")), []);
  assert.deepEqual(architecture.sizes(files("loop", "// x\n")), []);
  assert.match(
    architecture.sizes(files("loop", "x;\n"))[0]?.message ?? "",
    /loop\/ of core has 1995 lines of code, at most \d+/,
  );
  assert.match(
    architecture.sizes(files("handle", "x;\n"))[0]?.message ?? "",
    /handle\/ .* at most 425; a decision record/,
  );
});

test("a folder has at most 30 siblings, and folders of data any number", () => {
  const fill = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `packages/cli/src/${folder}/${index}.ts`, text: "" }));
  assert.deepEqual(names.siblings([...fill("a", 30), ...fill("b", 30), ...fill("fixtures", 31)]), []);
  assert.equal(names.siblings(fill("a", 31))[0]?.message, "has 31 siblings, at most 30");
});

test("an exported type name belongs to one package, and few names are exported by more than one file", () => {
  const file = (unit: string, text: string) => ({ path: `packages/${unit}/src/x.ts`, text });
  const reply = "export interface Reply {}\n";
  assert.deepEqual(names.typeNames([file("cli", reply), file("core", "interface Reply {}\n")]), []);
  assert.deepEqual(
    names.typeNames([file("cli", reply), file("core", reply)]).map(({ path, message }) => [path, message]),
    [["packages/core/src/x.ts", "the type name Reply belongs to packages/cli"]],
  );
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `export const name${index} = 1;\n`).join("");
  assert.deepEqual(names.sharedNames([file("cli", many(150)), file("core", many(150))]), []);
  assert.match(names.sharedNames([file("cli", many(151)), file("core", many(151))])[0]?.message ?? "", /^151 names/);
});

test("the scanner keeps code and offsets, and blanks comments, strings, templates and regular expressions", () => {
  const text = 'a("b", /["`]c/, `d${e(`f`)}g`); // h\nx = y / z; /* i */ j\n';
  const code = toCode(text);
  assert.equal(code.length, text.length);
  assert.equal(code, 'a(" ", /     /, ` ${e(` `)} `);     \nx = y / z;         j\n');
});

test("parameters are read without what is nested in them", () => {
  const texts = parametersOf("f(a: { b: C, d: E }, g: (h: I) => J) {}").map(({ text }) => text.trim());
  assert.deepEqual(texts, ["h: I", "a:", "g:  => J"]);
});

function plant(rule: Rule, path: string, [bad, good]: readonly [bad: string, good: string]) {
  return { rule, bad: { path, text: bad }, good: { path, text: good } };
}

function rules(): readonly (readonly [name: string, rule: Rule])[] {
  return [...Object.entries(architecture), ...Object.entries(names), ...Object.entries(style)];
}

function readRepository(): readonly SourceFile[] {
  const listing = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  return listing
    .toString()
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
