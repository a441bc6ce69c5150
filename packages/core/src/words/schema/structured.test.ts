import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import type { AgentDefinition } from "../../definitions/agent.ts";
import { defineCrew } from "../../definitions/crew.ts";
import type { CrewDefinition } from "../../definitions/definition.ts";
import { Engine } from "../../engine/engine.ts";
import type { EventBodyOf } from "../event.ts";
import { fold } from "../fold.ts";
import { type Json, parseJson } from "../json.ts";
import { defineProgram } from "../../ports/program.ts";
import { toResult } from "../../handle/run-result.ts";
import { type ScriptEntry, scriptModel } from "../../ports/script.ts";
import { readOutput } from "./structured.ts";
import { collect, of, play } from "../../testing/crew-runs.ts";
import { assertLinear } from "../../testing/growth.ts";
import { defineTool } from "../../definitions/tool.ts";

const SCORE = { type: "object", properties: { score: { type: "integer" } }, required: ["score"] } as const;

const toReply = (text: string, output?: Json): EventBodyOf<"step.ended"> => {
  const usage = { inputTokens: 0, outputTokens: 0 };
  const base = { type: "step.ended", step: "1.1", agent: "a", text, calls: [], finish: "stop", usage } as const;
  return output === undefined ? base : { ...base, output };
};

const judge = (agent: Partial<AgentDefinition> = {}, more: Partial<CrewDefinition> = {}) =>
  defineCrew({ name: "t", agents: [{ id: "judge", output: SCORE, isTerminal: true, ...agent }], ...more });

suite("the value of a reply", () => {
  /** JSON that is not null, without what would close a fence. */
  const VALUE = fc
    .json()
    .filter((text) => text !== "null" && !text.includes("```"))
    .map((text): Json => parseJson(text) ?? false);
  const SPACE = fc.stringMatching(/^[ \n\t]{0,4}$/);
  const PROSE = fc.stringMatching(/^[a-z .,\n]{0,20}$/);

  test("is the whole text, or what stands in its first code fence", () => {
    fc.assert(
      fc.property(VALUE, SPACE, PROSE, (value, space, prose) => {
        const text = JSON.stringify(value);
        for (const reply of [
          `${space}${text}${space}`,
          `${prose}\`\`\`json\n${text}${space}\n\`\`\`${prose}`,
          `\`\`\`\n${text}\`\`\``,
          `${prose}\`\`\`json\n${text}\n\`\`\`${prose}\`\`\`json\n{"a":"later one"}\n\`\`\`${space}`,
        ]) {
          assert.deepEqual(readOutput({}, toReply(reply)), { ok: true, value }, reply);
        }
      }),
    );
  });

  test("is what a program gives, whatever it says beside it", () => {
    fc.assert(
      fc.property(VALUE, fc.string(), (value, said) => {
        assert.deepEqual(readOutput({}, toReply(said, value)), { ok: true, value });
      }),
    );
  });

  test("is refused with every problem", () => {
    const schema = { ...SCORE, additionalProperties: false };
    assert.deepEqual(readOutput({ output: schema }, toReply('{"score":"x","more":1}')), {
      ok: false,
      problems: "score must be integer, not string; more is not allowed",
    });
    for (const text of ["", "Three.", '{"score":', "```json\n{", "```"]) {
      assert.deepEqual(readOutput({ output: schema }, toReply(text)), { ok: false, problems: "it is not JSON" }, text);
    }
  });

  test("is looked for in time that grows with the text", () => {
    assertLinear(50_000, (size) => {
      const reply = toReply("```\n".repeat(size));
      return () => readOutput({ output: SCORE }, reply);
    });
  });
});

const BAD = '{"score":"high"}';
const GOOD = '```json\n{"score":3}\n```';

test("after a reply that does not fit, the model reads every problem, in this turn only and not in the history", async () => {
  const views: string[][] = [];
  const script = scriptModel({ judge: [{ say: "Three." }, { say: BAD }, { say: GOOD }] });
  const engine = new Engine({
    model: () => ({
      name: "seen",
      stream: (prompt, scope) => {
        views.push(prompt.messages.map(({ content }) => content));
        assert.deepEqual(prompt.outputSchema, SCORE);
        return script.stream(prompt, scope);
      },
    }),
  });
  const { events, outcome, output, history, content } = await collect(engine.start(judge(), { input: "hello" }));
  assert.deepEqual([outcome, output, content], ["done", { score: 3 }, GOOD]);
  const told = (why: string) => `Your reply is not what was asked for: ${why}. Reply with the corrected JSON alone.`;
  const first = ["hello", "Three.", told("it is not JSON")];
  assert.deepEqual(views, [["hello"], first, [...first, BAD, told("score must be integer, not string")]]);
  assert.deepEqual(
    history.map((message) => message.content),
    ["hello", GOOD],
  );
  assert.equal(of(events, "warning.raised").length, 2);
  assert.deepEqual(of(events, "turn.ended")[0]?.output, { score: 3 });
  assert.deepEqual(of(events, "run.ended")[0]?.output, { score: 3 });
  assert.ok(of(events, "step.started").every((step) => step.output === true));
  assert.deepEqual(fold(events).history, history);
});

test("an output that never fits is corrected twice, then the turn fails with bad_output", async () => {
  const played = await play(judge(), { judge: [{ say: BAD }] });
  const { events, outcome, error, history, output, engine: _1, run: _2, ...rest } = played;
  assert.deepEqual([outcome, error?.code, output], ["failed", "bad_output", undefined]);
  assert.equal(error?.message, "the output of judge does not fit: score must be integer, not string");
  assert.equal(of(events, "step.ended").length, 3);
  assert.equal(history.length, 1);
  assert.deepEqual(toResult(fold(events)), { ...rest, outcome, error, history });
});

test("a bad output goes to the agent that on_failure names", async () => {
  const crew = judge(
    { isTerminal: false },
    {
      agents: [
        { id: "judge", output: SCORE },
        { id: "human", isTerminal: true },
      ],
      behaviors: { judge: { onFailure: "human" } },
    },
  );
  const { outcome, content, events } = await play(crew, { judge: [{ say: BAD }], human: [{ say: "I take it." }] });
  assert.deepEqual([outcome, content], ["done", "I take it."]);
  assert.deepEqual(
    of(events, "handoff.made").map(({ via, to }) => [via, to]),
    [["failure", "human"]],
  );
});

test("a correction counts as a round: without one left the output fails at once", async () => {
  const replies = { judge: [{ say: BAD }, { say: GOOD }] };
  const one = await play(judge({ maxSteps: 1 }), replies);
  assert.deepEqual([one.error?.code, of(one.events, "step.ended").length], ["bad_output", 1]);
  const two = await play(judge({ maxSteps: 2 }), replies);
  assert.deepEqual([two.outcome, two.output], ["done", { score: 3 }]);
});

test("only the reply without calls must fit, and a tool may be used before it", async () => {
  const look = defineTool({ name: "Look", description: "Looks.", effect: "read", input: z.any(), run: () => "seen" });
  const entries: readonly ScriptEntry[] = [{ say: "One moment.", call: [{ tool: "Look" }] }, { say: GOOD }];
  const { output, events, history } = await play(judge({ tools: ["Look"] }, { tools: [look] }), { judge: entries });
  assert.deepEqual(output, { score: 3 });
  assert.equal(of(events, "warning.raised").length, 0);
  assert.deepEqual(fold(events).history, history);
});

test("a program whose output does not fit fails at once, without a correction", async () => {
  for (const decision of [{ output: { score: "x" } }, { say: "Three." }, {}]) {
    const crew = judge({ model: { name: "code/p" } }, { programs: { p: defineProgram(() => decision) } });
    const { error, events } = await play(crew, {});
    assert.deepEqual([error?.code, of(events, "step.ended").length], ["bad_output", 1]);
    assert.equal(of(events, "warning.raised").length, 0);
  }
});

test("a program may write its output as text, and a Standard Schema says what fits", async () => {
  const output = z.object({ score: z.int() });
  const crew = judge({ output, model: { name: "code/p" } }, { programs: { p: defineProgram(() => ({ say: GOOD })) } });
  assert.deepEqual((await play(crew, {})).output, { score: 3 });
});

test("the output of a run is that of its last agent: an agent without a schema has none", async () => {
  const crew = defineCrew({
    name: "t",
    agents: [
      { id: "judge", output: SCORE },
      { id: "writer", isTerminal: true },
    ],
    defaults: { judge: "writer" },
  });
  const played = await play(crew, { judge: [{ say: GOOD }], writer: [{ say: '{"score":4}' }] });
  const { events, engine: _1, run: _2, ...result } = played;
  assert.equal(result.output, undefined);
  assert.deepEqual(toResult(fold(events)), result);
});
