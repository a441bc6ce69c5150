/** docs/typescript.md: its tables name every field whose word in YAML is not the word in code, and no other setting. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SETTING_NAMES, SETTINGS } from "@baton/core/ports";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const words = between(read("docs/typescript.md"), "## Words in YAML and in code\n", "\n## ");
const [fieldTable = "", settingTable = ""] = words.split("In `settings`");
const sources = ["definition", "agent"].map((name) => read(`packages/core/src/definitions/${name}.ts`)).join("\n");

/** Headings of docs/crews.md, whose tables have every field of YAML, and the type of the same thing in code. */
const PAIRS: readonly (readonly [heading: string, type: string])[] = [
  ["`crew.yaml`", "interface CrewDefinition"],
  ["`tasks`", "type Task"],
  ["`schedules`", "type CrewSchedule"],
  ["`routing`", "interface CrewDefinition"],
  ["`routing.signals`", "interface SignalRoute"],
  ["`routing.agent_behaviors`", "interface Behavior"],
  ["`routing.parallel_groups`", "interface Group"],
  ["`agents/<id>.yaml`", "interface AgentDefinition"],
  ["`cost_limits`", "interface CostLimits"],
  ["`error_limits`", "type ErrorLimits"],
];
/** What YAML has no field for: it writes a tool's condition and an agent that is a tool at the tool itself, and has neither schemas for the state nor an interpreter. */
const ONLY_IN_CODE: readonly string[] = ["children", "interpreter", "offers", "state"];

for (const [heading, type] of PAIRS) {
  test(`every field of ${heading} is in the table, or has the same word in code`, () => {
    const inYaml = fieldsUnder(`### ${heading}`);
    const inCode = namesIn(type);
    assert.ok(inYaml.length > 2 && inCode.length > 2, `${inYaml.length} and ${inCode.length} fields`);
    const shown = cells(fieldTable, 0);
    const silent = inYaml.filter((field) => !inCode.includes(toCamel(field)) && !shown.has(field));
    assert.deepEqual(silent, []);
  });
}

test("every field of a crew and an agent in code is in the table, or has the same word in YAML", () => {
  const inYaml = new Set(PAIRS.flatMap(([heading]) => fieldsUnder(`### ${heading}`).map(toCamel)));
  const shown = cells(fieldTable, 1);
  const inCode = PAIRS.flatMap(([, type]) => namesIn(type));
  const silent = inCode.filter((field) => !inYaml.has(field) && !shown.has(field) && !ONLY_IN_CODE.includes(field));
  assert.deepEqual(silent, []);
});

test("its settings are those that have another word in code, each with its unit if that differs", () => {
  const rows = settingTable.split("\n").filter((line) => line.startsWith("| `"));
  const differing = SETTING_NAMES.filter((name) => toCamel(SETTINGS[name].yaml) !== name).map((name) => {
    const { yaml, scale } = SETTINGS[name];
    const unit = new Map([
      [1_000, ", in milliseconds"],
      [1_024, ", in bytes"],
    ]).get(scale);
    return `| \`${yaml}\` | \`${name}\`${unit ?? ""} |`;
  });
  assert.deepEqual(rows, differing);
});

/** The words in backticks of a column, the parts of a dotted name included. */
function cells(table: string, column: number): ReadonlySet<string> {
  const rows = table.split("\n").filter((line) => line.startsWith("| "));
  const codes = rows.flatMap((row) => (row.split(" | ")[column] ?? "").match(/`[^`]+`/g) ?? []);
  return new Set(codes.flatMap((code) => code.match(/\w+/g) ?? []));
}

/** The fields of a table of docs/crews.md. */
function fieldsUnder(heading: string): readonly string[] {
  const section = between(`${read("docs/crews.md")}\n#`, `${heading}\n`, "\n#");
  return Array.from(section.matchAll(/^\| `(\w+)`/gm), ([, field = ""]) => field);
}

/** The fields of a type in the sources. */
function namesIn(type: string): readonly string[] {
  const isInterface = type.startsWith("interface");
  const body = between(sources, `export ${type} ${isInterface ? "{" : "="}`, isInterface ? "\n}" : ";\n\n");
  return Array.from(body.matchAll(isInterface ? /^ {2}readonly (\w+)/gm : /(\w+)\??: /g), ([, name = ""]) => name);
}

function toCamel(field: string): string {
  return field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  assert.notEqual(from, -1, `${start} is gone`);
  const to = text.indexOf(end, from + start.length);
  return text.slice(from + start.length, to === -1 ? undefined : to);
}
