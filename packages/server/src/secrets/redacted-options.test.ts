import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, scriptModel, ToolError } from "@baton/core";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { defineRedaction } from "./redacted-options.ts";
import { startServer } from "../server.ts";
import { toModels, toServed } from "../testing/test-server.ts";

const SECRET = 'a "planted" secret';
const SHAPED = "sk-live-0123456789abcdef";
const input = z.object({});

/** A tool for each way in which a tool can tell something. */
const TOOLS = [
  defineTool({
    name: "fails",
    description: "Fails, and is tried again.",
    effect: "read",
    input,
    run: () => {
      throw new ToolError("temporary", `401 from https://api/?key=${encodeURIComponent(SECRET)} with ${SHAPED}`);
    },
  }),
  defineTool({
    name: "rejects",
    description: "Fails later, with something that is no error.",
    effect: "read",
    input,
    run: async () => {
      const thrown: unknown = { toString: () => `no ${SECRET}` };
      throw thrown;
    },
  }),
  defineTool({
    name: "tells",
    description: "Says everything it knows.",
    effect: "read",
    input,
    digest: (output) => `${JSON.stringify(output).length > 0 ? "digested" : ""} with ${SECRET}`,
    run: async (_, { progress, state, note }) => {
      note("login", { as: SECRET });
      progress({ connected: [`with ${SECRET}`] });
      state.set("login", { [SECRET]: SECRET });
      return { count: 3, nested: [{ [SECRET]: `is ${SECRET}`, made: SHAPED }] };
    },
  }),
  defineTool({
    name: "builds",
    description: "Gives something to be awaited that is no promise.",
    effect: "read",
    input,
    run: () => ({ then: (resolve: (value: string) => void) => resolve(`built with ${SECRET}`) }),
  }),
  defineTool({
    name: "rambles",
    description: "Fails with a text that is cut in the middle of a secret.",
    effect: "read",
    input,
    run: () => {
      throw new ToolError("permanent", `${"x".repeat(1_990)}${SECRET}`);
    },
  }),
  defineTool({
    name: "hangs",
    description: "Fails as the platform does where something took too long.",
    effect: "read",
    input,
    run: () => {
      throw new DOMException(`no answer to ${SECRET}`, "TimeoutError");
    },
  }),
  defineTool({ name: "says", description: "Says it as a text.", effect: "read", input, run: () => `it is ${SECRET}` }),
  defineTool({
    name: "denies",
    description: "Is not allowed.",
    effect: "read",
    input,
    permission: () => ({ decision: "deny", reason: `not with ${SECRET}` }),
    run: () => null,
  }),
  defineTool({
    name: "refuses",
    description: "Takes nothing.",
    effect: "read",
    input: input.refine(() => false, `not ${SECRET}`),
    run: () => null,
  }),
];

test("a tool that several crews have stays one tool", async () => {
  const [tool] = TOOLS;
  assert.ok(tool);
  const crews = ["one", "two"].map((name) => {
    const agents = [{ id: "a", isTerminal: true, tools: [tool.name] }];
    return defineCrew({ name, agents, tools: [tool] });
  });
  const { toRedacted } = defineRedaction({ model: toModels([]) });
  const [one, two] = crews.map(toRedacted);
  assert.ok(one !== undefined);
  assert.equal(one.tools.get(tool.name), two?.tools.get(tool.name));
  assert.equal(toRedacted(one), one);
});

const LEAKY = defineCrew({
  name: "leaky",
  agents: [{ id: "one", isTerminal: true, tools: TOOLS.map(({ name }) => name) }],
  tools: TOOLS,
});

const OUTER = defineCrew({
  name: "outer",
  agents: [{ id: "lead" }],
  subCrews: { inner: LEAKY },
  signals: {
    lead: [
      { signal: "[GO]", target: "inner" },
      { signal: "[END]", target: "" },
    ],
  },
});

for (const crew of [LEAKY, OUTER])
  test(`no secret comes out of a tool of ${crew.name}: not in its errors, outputs, progress, state or refusals`, async () => {
    const one = [{ say: "", call: TOOLS.map(({ name: tool }) => ({ tool, args: {} })) }, { say: "done" }];
    const script = { one, lead: [{ say: "[GO]" }, { say: "[END]" }] };
    await using store = await Store.open({ database: openMemory() });
    const server = await startServer({
      store,
      crews: [toServed(crew)],
      model: () => scriptModel(script),
      port: 0,
      graceMs: 0,
      logTo: { write: () => undefined },
      secrets: [SECRET],
    });
    const started = await fetch(`${server.url}/api/runs`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Prefer: "wait" },
      body: JSON.stringify({ input: "go" }),
    });
    const { id } = z.looseObject({ id: z.string() }).parse(await started.json());
    const texts = ["baton", "crew", "openai", "responses", "ui", "agui"].map(async (dialect) => {
      const answer = await fetch(`${server.url}/api/runs/${id}/events?dialect=${dialect}`);
      return answer.text();
    });
    const [log = "", ...others] = await Promise.all(texts);
    await server.stop();
    for (const text of [log, ...others]) {
      for (const hidden of [SECRET, "planted", encodeURIComponent(SECRET)]) assert.ok(!text.includes(hidden), hidden);
    }
    for (const told of [
      "401 from https://api/?key=*** with ***",
      '"kind":"crash","message":"no ***"',
      '"progress":{"connected":["with ***"]}',
      '"state":{"login":{"***":"***"}}',
      `"output":{"count":3,"nested":[{"***":"is ***","made":"${SHAPED}"}]}`,
      '"output":"it is ***"',
      '"digest":"digested with ***"',
      '"data":{"as":"***"}',
      '"output":"built with ***"',
      `"kind":"permanent","message":"${"x".repeat(1_990)}***"`,
      '"kind":"timeout","message":"no answer to ***"',
      "not with ***",
      "not ***",
    ]) {
      assert.ok(log.includes(told), told);
    }
    assert.match(log, /"type":"call\.retried"/);
  });
