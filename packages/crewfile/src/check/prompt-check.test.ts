import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defineCrew, defineTool, type CrewDefinition } from "@baton/core";
import { z } from "zod";
import { explore } from "./explore.ts";

const route = (signal: string, target: string) => ({ signal, target });

function exploreCrew(definition: Omit<CrewDefinition, "name">) {
  return explore(defineCrew({ name: "test", autoRoute: true, ...definition }));
}

function codesOf(definition: Omit<CrewDefinition, "name">): string[] {
  return exploreCrew(definition).findings.map(({ code }) => code);
}

suite("prompts", () => {
  test("a placeholder that is not filled in is a warning with the nearest one", () => {
    const systemPrompt = 'I am {{nam}}, { name }, {{name}}, {{ role }}, {{state.a}}, {{state.b c}}; {{ "json": 1 }}';
    const { findings } = exploreCrew({ agents: [{ id: "a", isTerminal: true, systemPrompt, context: "{{today}}" }] });
    assert.deepEqual(
      findings.map(({ code, severity, path, text, fix }) => [code, severity, path.at(-1), text, fix]),
      [
        ["unknown_placeholder", "warning", "systemPrompt", "{{nam}}", "did you mean `{{name}}`?"],
        ["unknown_placeholder", "warning", "systemPrompt", "{{ role }}", "did you mean `{{role}}`?"],
        [
          "unknown_placeholder",
          "warning",
          "systemPrompt",
          "{{state.b c}}",
          "use name, role, description, backstory or state.KEY",
        ],
        [
          "unknown_placeholder",
          "warning",
          "context",
          "{{today}}",
          "use name, role, description, backstory or state.KEY",
        ],
      ],
    );
  });

  test("state in a system prompt is a note, unless there is a context", () => {
    const noted = (context: string): readonly (readonly [string, string])[] =>
      exploreCrew({ agents: [{ id: "a", isTerminal: true, systemPrompt: "{{state.x}}", context }] }).findings.map(
        ({ code, severity }) => [code, severity],
      );
    assert.deepEqual(noted(" "), [["state_in_system_prompt", "note"]]);
    assert.deepEqual(noted("Now."), []);
  });
});

suite("places of signals", () => {
  const pay = defineTool({
    name: "Pay",
    description: "Pays.",
    effect: "irreversible",
    input: z.object({}),
    run: () => 1,
  });
  const codes = (more: Partial<CrewDefinition>) =>
    codesOf({
      agents: [{ id: "desk" }, { id: "clerk" }, { id: "payer", tools: ["Pay"], isTerminal: true }],
      tools: [pay],
      permissions: { Pay: "allow" },
      signals: { desk: [route("[CLERK]", "clerk"), route("[END]", "")], clerk: [route("[PAY]", "payer")] },
      defaults: { desk: "clerk", clerk: "desk" },
      ...more,
    }).filter((code) => code === "signal_anywhere");

  test("one that can lead to an irreversible tool without a question is a note, unless it must be at the end", () => {
    assert.equal(codes({}).length, 2);
    assert.equal(codes({ permissions: { Pay: "ask" } }).length, 0);
    assert.equal(codes({ permissions: {} }).length, 0);
    assert.equal(codes({ permissions: { "*": "allow" } }).length, 2);
    assert.equal(codes({ behaviors: { desk: { signalPosition: "end" } } }).length, 1);
    assert.equal(codes({ settings: { signalPosition: "end" } }).length, 0);
  });
});
