import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

/** Reads a crew whose agent has this output and routes; findings are `line:column code`. */
async function readOutput(output: string, routes = "[]") {
  await using folder = await writeFolder({
    "crew.yaml": `version: "1.0"\nagents: [a]\nrouting:\n  signals:\n    a: ${routes}\n`,
    "agents/a.yaml": `id: a\nname: A\nrole: R\nis_terminal: true\noutput:\n${output.replaceAll(/^/gm, "  ")}\n`,
  });
  const { crew, findings } = await readCrew(folder.path, { providers: [] });
  return { crew, findings, seen: findings.map(({ line, column, code }) => `${line}:${column} ${code}`) };
}

const KIND =
  "type: object\nproperties: { kind: { enum: [direct, plan] }, Deep: { $ref: '#/$defs/Deep' } }\n$defs:\n  Deep: { type: object, properties: { isOn: { type: boolean } } }";

suite("an output in YAML", () => {
  test("may use every keyword that is checked", async () => {
    const { crew, seen } = await readOutput(`$schema: https://json-schema.org/draft/2020-12/schema
$id: x
$comment: c
title: t
description: d
type: [object, "null"]
default: null
examples: [{}]
properties:
  a: { type: string, minLength: 1, maxLength: 2, const: b, enum: [b] }
  b: { type: array, items: { type: integer, minimum: 1, maximum: 2 }, minItems: 1, maxItems: 2 }
  c: { anyOf: [{ $ref: "#/$defs/D" }, true], oneOf: [true], allOf: [true] }
  d: { exclusiveMinimum: 0, exclusiveMaximum: 2, multipleOf: 0.5 }
  e: { type: array, prefixItems: [{ format: email }, { format: date-time }], uniqueItems: true }
  f: { propertyNames: { format: uuid } }
required: [a]
additionalProperties: false
$defs: { D: { type: "null" } }`);
    assert.deepEqual(seen, []);
    assert.equal(crew?.agents.get("a")?.output?.["title"], "t");
  });

  test("has a finding for each keyword that is not, at its place", async () => {
    const { seen, findings } = await readOutput(
      "type: object\nproperties:\n  a: { type: string, pattern: x }\n  b: { minimun: 1 }\n  pattern: { type: string }\n  c: { oneOf: [{ format: emial }, { not: true }] }",
    );
    assert.deepEqual(seen, [
      "8:24 invalid_schema",
      "9:10 invalid_schema",
      "11:28 invalid_schema",
      "11:39 invalid_schema",
    ]);
    assert.equal(findings[1]?.fix, "did you mean `minimum`?");
  });

  test("is wrong in its types, references and lists at their places", async () => {
    const { seen } = await readOutput(
      "type: obect\nproperties:\n  a: { $ref: '#/$defs/Nope' }\n  b: 7\n  c: { enum: [] }\nrequired: a\nminItems: x",
    );
    assert.deepEqual(seen, [
      "6:9 invalid_schema",
      "8:16 invalid_schema",
      "9:8 wrong_type",
      "10:16 invalid_schema",
      "11:13 wrong_type",
      "12:13 wrong_type",
    ]);
  });
});

suite("routes by output", () => {
  test("compare paths as the schema spells them", async () => {
    const { crew, seen } = await readOutput(KIND, "[{ when: { kind: [direct, plan], Deep.isOn: true } }]");
    assert.deepEqual(seen, []);
    assert.deepEqual(crew?.signals.get("a")?.[0]?.when, { kind: ["direct", "plan"], "Deep.isOn": true });
  });

  test("with a typo are found at the path, or at the value", async () => {
    const { seen, findings } = await readOutput(
      KIND,
      "[{ when: { knd: direct } }, { when: { kind: [plan, plna], Deep.isOn: maybe } }, { when: { Deep.ison: true } }]",
    );
    assert.deepEqual(seen, [
      "5:19 unknown_path",
      "5:59 impossible_value",
      "5:77 impossible_value",
      "5:98 unknown_path",
    ]);
    assert.equal(findings[0]?.fix, "did you mean `kind`?");
  });

  test("need a condition, an output, and no signal beside them", async () => {
    const { seen } = await readOutput(KIND, '[{ when: {} }, { when: { kind: plan }, signal: "[X]" }, { target: "" }]');
    assert.deepEqual(seen, ["5:17 invalid_route", "5:25 invalid_route", "5:64 missing_field"]);
    await using folder = await writeFolder({
      "crew.yaml": `version: "1.0"\nagents: [{ id: a, name: A, role: R, is_terminal: true }]\nrouting: { signals: { a: [{ when: { x: 1 } }] } }\n`,
    });
    const { findings } = await readCrew(folder.path, { providers: [] });
    assert.deepEqual(
      findings.map(({ code, line, column }) => [code, line, column]),
      [["when_without_output", 3, 29]],
    );
  });
});
