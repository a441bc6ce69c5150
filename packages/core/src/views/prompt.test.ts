import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { AgentDefinition } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import type { CrewDefinition } from "../definitions/definition.ts";
import { render, toTemplate } from "./prompt.ts";
import { SPEAKER_NOTE } from "./speaker.ts";

const systemOf = (...[agent, crew]: Parameters<typeof toTemplate>): string =>
  render(toTemplate(agent, crew), new Map());

/** The system prompt of `a` in a crew of `a` and `b`, without the sentence about who speaks, which it must end with. */
function promptOf(agent: Partial<AgentDefinition>, definition: Partial<CrewDefinition> = {}): string {
  const crew = defineCrew({ name: "test", agents: [{ id: "a", ...agent }, { id: "b" }], ...definition });
  const first = crew.agents.get("a");
  assert.ok(first !== undefined);
  const system = systemOf(first, crew);
  const note = `\n\n${SPEAKER_NOTE}`;
  assert.ok(system.endsWith(note));
  return system.slice(0, -note.length);
}

suite("an agent's prompt", () => {
  test("is the crew's own, with its placeholders filled in", () => {
    const systemPrompt = "{{name}}, {{role}}: {{description}}. {{backstory}} {{name}} {{other}} { {name}}";
    const filled = { name: "Ada", role: "Counts", description: "Sums", backstory: "Born in $& 1815." };
    assert.equal(promptOf({ systemPrompt, ...filled }), "Ada, Counts: Sums. Born in $& 1815. Ada {{other}} { {name}}");
  });

  test("is filled in one pass: a placeholder in what was filled in stays as it is", () => {
    const agent = { name: "{{role}}", role: "{{name}}", description: "{{backstory}}", backstory: "{{" };
    const systemPrompt = "{{name}} {{role}} {{description}} {{backstory}}name}}";
    assert.equal(promptOf({ systemPrompt, ...agent }), "{{role}} {{name}} {{backstory}} {{name}}");
  });

  test("may have 1,048,576 characters once it is filled in, whatever they are", () => {
    const backstory = "👍".repeat(1_024);
    assert.equal(promptOf({ systemPrompt: "{{backstory}}".repeat(1_024), backstory }).length, 2 * 1_048_576);
    const tooLong = { code: "invalid", message: /agent "a".*1,048,57[67] characters/ };
    assert.throws(() => promptOf({ systemPrompt: `${"{{backstory}}".repeat(1_024)}.`, backstory }), tooLong);
    assert.throws(() => promptOf({ systemPrompt: "x".repeat(1_048_577) }), tooLong);
  });

  test("is refused where it could not even be made", () => {
    const long = "x".repeat(262_144);
    const systemPrompt = "{{backstory}}".repeat(20_000);
    assert.throws(() => promptOf({ systemPrompt, backstory: long }), { code: "invalid", message: /agent "a"/ });
  });

  test("is made of what is known where the crew brings none", () => {
    assert.equal(promptOf({ systemPrompt: " \n" }), "You are a.");
    const signals = {
      a: [
        { signal: "[B]", target: "b" },
        { signal: "[END]", target: "", description: "" },
        { signal: "[C]", target: "b", description: "to think again" },
      ],
    };
    const agent = { name: "Ada", role: "Counts", description: "Sums.", backstory: "Born in 1815.", isTerminal: true };
    assert.equal(
      promptOf(agent, { signals }),
      [
        "You are Ada.",
        "Role: Counts",
        "Sums.",
        "Born in 1815.",
        "When it is time, end your reply with one of these signals, written exactly:\n" +
          "- [B]: hands over to b\n- [END]: ends the conversation\n- [C]: to think again",
        "You are the final agent: your reply is what the user reads.",
      ].join("\n\n"),
    );
  });
});
