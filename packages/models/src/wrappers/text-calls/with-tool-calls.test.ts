import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Chunk,
  defineCrew,
  defineTool,
  Engine,
  type Message,
  type Prompt,
  type ScriptEntry,
  scriptModel,
} from "@baton/core";
import { collect, of } from "@baton/core/testing";
import type { ToolCalls, ToolSpec } from "@baton/core/ports";
import * as fc from "fast-check";
import { z } from "zod";
import { parseTextCalls } from "./text-calls.ts";
import { withToolCalls } from "./with-tool-calls.ts";
import { TextScan } from "./text-scan.ts";
import { modelError } from "../../providers/failure.ts";
import { offlineModel } from "../../offline/offline-model.ts";
import { fakeModel, hear, toPrompt } from "../../testing/harness.ts";

const GET_PRICE: ToolSpec = {
  name: "GetPrice",
  description: "The price of a share.",
  inputSchema: {
    type: "object",
    properties: { symbol: { type: "string" }, days: { type: "integer" } },
    required: ["symbol"],
  },
};
const END: Chunk = { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } };

/** The prompt of an agent's first step. */
const first = (parts: Partial<Prompt> = {}): Prompt => toPrompt({ tools: [GET_PRICE], isUncalled: true, ...parts });
const toText = (text: string): Chunk => ({ type: "text", text });

async function reply(parts: readonly string[], toolCalls: ToolCalls = "text") {
  const chunks = [...parts.map((text) => toText(text)), END];
  return hear(
    withToolCalls(
      fakeModel("m", () => ({ chunks })),
      toolCalls,
    ),
    first(),
  );
}

test("a call in the text becomes a call, and its text is not part of the reply", async () => {
  const { chunks, text } = await reply(["Let me look.\nGet", 'Price("F', 'PT")']);
  assert.equal(text, "Let me look.\n");
  assert.deepEqual(chunks.slice(-2), [
    { type: "call", tool: "GetPrice", args: '{"symbol":"FPT"}' },
    { ...END, finish: "calls" },
  ]);
});

test("text that is no call streams on as it comes", async () => {
  const { batches } = await reply(["Good", "bye", ".\n", "Get", "ting late", "\n[EN", "D]"]);
  assert.deepEqual(
    batches.map((batch) => batch.map((chunk) => (chunk.type === "text" ? chunk.text : chunk.type))),
    [["Good"], ["bye"], [".\n"], ["Getting late"], ["\n[EN"], ["D]"], ["end"]],
  );
});

test("however the text is cut, the reply is the same", () => {
  const whole =
    'One.\n  GetPrice(A)\nTwo ```json {\n```json\n{"name": "GetPrice", "arguments": {"symbol": "B"}}\n```\nEnd';
  return fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 20 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const { chunks, text } = await reply(places.slice(1).map((end, index) => whole.slice(places[index], end)));
      assert.equal(text, "One.\n\nTwo ```json {\n\nEnd");
      assert.deepEqual(
        chunks.flatMap((chunk) => (chunk.type === "call" ? [chunk.args] : [])),
        ['{"symbol":"A"}', '{"symbol":"B"}'],
      );
    }),
  );
});

test("the model is told of the tools in words, and shown past calls and results as text", async () => {
  let seen: Prompt | undefined;
  const model = withToolCalls(
    fakeModel("m", (prompt) => {
      seen = prompt;
      return { chunks: [END] };
    }),
    "text",
  );
  const messages: readonly Message[] = [
    { role: "user", content: "Price?" },
    {
      role: "assistant",
      content: "Wait",
      agent: "clerk",
      calls: [{ id: "1.1.1", tool: "GetPrice", args: { symbol: "FPT" } }],
    },
    { role: "tool", call: "1.1.1", tool: "GetPrice", content: "42" },
  ];
  await hear(model, toPrompt({ messages, tools: [GET_PRICE] }));
  assert.deepEqual(seen?.tools, []);
  assert.match(seen?.system ?? "", /- GetPrice\(symbol: string, days: integer\): The price of a share\./);
  assert.deepEqual(seen?.messages, [
    { role: "user", content: "Price?" },
    { role: "assistant", content: 'Wait\nGetPrice({"symbol":"FPT"})', agent: "clerk" },
    { role: "user", content: "[Result of GetPrice]\n42" },
  ]);
});

test("with tools switched off nothing is read as a call", async () => {
  const model = fakeModel("m", () => ({ chunks: [toText("GetPrice(A)"), END] }));
  for (const toolCalls of ["text", "auto"] as const) {
    const { text } = await hear(withToolCalls(model, toolCalls), first({ tools: [] }));
    assert.equal(text, "GetPrice(A)");
  }
});

test("what was held is forgotten when the reply starts again", async () => {
  const chunks: Chunk[] = [toText("GetPrice("), { type: "restart", reason: "lost" }, toText("Sorry."), END];
  for (const toolCalls of ["text", "auto"] as const) {
    const { text } = await hear(
      withToolCalls(
        fakeModel("m", () => ({ chunks })),
        toolCalls,
      ),
      first(),
    );
    assert.equal(text, "Sorry.");
  }
});

/** The text and calls of a reply, independent of its chunks. */
const toSaid = (chunks: readonly Chunk[]) => ({
  text: chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join(""),
  calls: chunks.flatMap((chunk) => (chunk.type === "call" ? [[chunk.tool, chunk.args]] : [])),
});

test("auto: a model is asked as it is, and a reply without native calls is read for calls", async () => {
  let seen: Prompt | undefined;
  const model = fakeModel("m", (prompt) => {
    seen = prompt;
    return { chunks: [toText('Let me look.\nGetPrice("FPT")'), END] };
  });
  const prompt = first();
  const { chunks } = await hear(withToolCalls(model, "auto"), prompt);
  assert.equal(seen, prompt);
  assert.deepEqual(toSaid(chunks), { text: "Let me look.\n", calls: [["GetPrice", '{"symbol":"FPT"}']] });
  assert.deepEqual(chunks.at(-1), { ...END, finish: "calls" });
});

test("auto: a turn that has made text calls only is read on, and one that has made a native call is not", async () => {
  const getPrice = defineTool({
    name: "GetPrice",
    description: "The price of a share.",
    effect: "read",
    input: z.object({ symbol: z.string() }),
    run: ({ symbol }) => `${symbol}: 1`,
  });
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["GetPrice"], isTerminal: true }],
    tools: [getPrice],
  });
  const native = { call: [{ tool: "GetPrice", args: { symbol: "N" } }] };
  const play = async (...entries: readonly ScriptEntry[]) => {
    const model = withToolCalls(scriptModel({ a: [...entries, { say: "Done." }] }), "auto");
    await using engine = new Engine({ model: () => model });
    const { events, content } = await collect(engine.start(crew, { input: "go" }));
    return [...of(events, "call.ended").map(({ output }) => output), content];
  };
  const [a, b] = [{ say: 'GetPrice("A")' }, { say: 'GetPrice("B")' }];
  assert.deepEqual(await play(a, b), ["A: 1", "B: 1", "Done."]);
  assert.deepEqual(await play(a, native, b), ["A: 1", "N: 1", 'GetPrice("B")']);
});

test("auto: once a native call was made in the turn, text is text, and so it always is with native", async () => {
  const { isUncalled: _, ...later } = first();
  const chunks = [toText("GetPrice(A)"), END];
  const model = fakeModel("m", () => ({ chunks }));
  assert.deepEqual((await hear(withToolCalls(model, "auto"), later)).chunks, chunks);
  assert.deepEqual((await hear(withToolCalls(model, "native"), first())).chunks, chunks);
});

for (const native of [
  { type: "call", tool: "GetPrice", args: "{}" },
  { type: "args", index: 1, tool: "GetPrice", text: "{" },
] as const satisfies readonly Chunk[]) {
  test(`auto: a native ${native.type} makes text of what was held, and of what follows`, async () => {
    const chunks = [toText("So:\nGetPrice(A)"), native, toText("\nGetPrice(B)"), END];
    const heard = await hear(
      withToolCalls(
        fakeModel("m", () => ({ chunks })),
        "auto",
      ),
      first(),
    );
    assert.deepEqual(heard.chunks, [toText("So:\n"), toText("GetPrice(A)"), native, toText("\nGetPrice(B)"), END]);
  });
}

test("auto: a reply that starts again is read again, also after a native call", async () => {
  const call: Chunk = { type: "call", tool: "GetPrice", args: "{}" };
  const chunks: Chunk[] = [call, { type: "restart", reason: "lost" }, toText("GetPrice(B)"), END];
  const heard = await hear(
    withToolCalls(
      fakeModel("m", () => ({ chunks })),
      "auto",
    ),
    first(),
  );
  assert.deepEqual(toSaid(heard.chunks.slice(2)).calls, [["GetPrice", '{"symbol":"B"}']]);
});

test("auto: what was held when the model failed is said, as text", async () => {
  const error = modelError("m", "network");
  const model = fakeModel("m", () => ({ chunks: [toText("GetPrice(A")], error }));
  const heard = await hear(withToolCalls(model, "auto"), first());
  assert.deepEqual([heard.text, heard.error], ["GetPrice(A", error]);
});

test("auto: JSON in a fence that is not a call streams on before the reply ends, unchanged", async () => {
  const fence = '```json\n{"name": "GetPrice", "days": [1, 2]}\n```\n';
  const after = "This is how it looks. ".repeat(20);
  const { batches, chunks } = await reply((fence + after).split(""), "auto");
  assert.deepEqual(toSaid(chunks), { text: fence + after, calls: [] });
  assert.ok(batches.length > after.length / 2, "the text after the fence is not held to the end");
});

test("auto: a reply that must be JSON is not a call, whatever its fields are", async () => {
  const whole = '{"name": "GetPrice", "arguments": {"symbol": "A"}}';
  const model = fakeModel("m", () => ({ chunks: [toText(whole), END] }));
  const prompt = first({ outputSchema: { type: "object" } });
  assert.equal((await hear(withToolCalls(model, "auto"), prompt)).text, whole);
  assert.equal((await hear(withToolCalls(model, "auto"), first())).text, "");
  const named = fakeModel("m", () => ({ chunks: [toText("GetPrice(A)"), END] }));
  assert.equal(toSaid((await hear(withToolCalls(named, "auto"), prompt)).chunks).calls.length, 1);
});

test("text: the prompt asks for the schema, because a model that is held to it could write no call", async () => {
  let asked: Prompt | undefined;
  const whole = '{"name": "GetPrice", "arguments": {"symbol": "A"}}';
  const model = fakeModel("m", (prompt) => {
    asked = prompt;
    return { chunks: [toText(whole), END] };
  });
  const outputSchema = { type: "object", properties: { name: { type: "string" } } };
  const { text } = await hear(withToolCalls(model, "text"), first({ outputSchema }));
  assert.equal(text, whole, "JSON is the reply, not a call");
  assert.equal(asked?.outputSchema, undefined);
  assert.ok(asked?.system.includes(JSON.stringify(outputSchema)));
  assert.match(asked?.system ?? "", /final reply, after any use of tools, .*\n.*\n\nYou can use tools/);
  await hear(withToolCalls(model, "text"), first({ outputSchema, tools: [] }));
  assert.equal(asked?.outputSchema, outputSchema, "without tools the provider may take it");
});

test("the script's and the offline model's texts are read too, and they know the tools they may call", async () => {
  const script = () =>
    scriptModel({ clerk: [{ say: "GetPrice(A)" }, { call: [{ tool: "GetPrice", args: { symbol: "B" } }] }] });
  const offline = offlineModel([() => ({ say: "GetPrice(C)" })]);
  for (const toolCalls of ["text", "auto"] as const) {
    const model = withToolCalls(script(), toolCalls);
    const said = await hear(model, first());
    assert.deepEqual(toSaid(said.chunks).calls, [["GetPrice", '{"symbol":"A"}']]);
    const called = await hear(model, first({ state: [0] }));
    assert.deepEqual(toSaid(called.chunks).calls, [["GetPrice", '{"symbol":"B"}']]);
    const ruled = await hear(withToolCalls(offline, toolCalls), first());
    assert.deepEqual(toSaid(ruled.chunks).calls, [["GetPrice", '{"symbol":"C"}']]);
  }
});

test("in words, a model is told that it must use a tool, and that it may use only one", async () => {
  const toSystem = async (prompt: Prompt): Promise<string> => {
    let system = "";
    const model = fakeModel("m", (seen) => {
      system = seen.system;
      return { chunks: [END] };
    });
    await hear(withToolCalls(model, "text"), prompt);
    return system;
  };
  assert.match(await toSystem(first({ toolChoice: "required" })), /\nUse a tool now\.$/);
  assert.match(await toSystem(first({ toolChoice: { tool: "GetPrice" } })), /\nUse GetPrice now\.$/);
  assert.match(await toSystem(first({ parallelCalls: false })), /\nUse at most one tool in a reply\.$/);
});

const BITS = [
  "GetPrice",
  "GetPrice ",
  "GetPrices(1)",
  "Get",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  '"',
  "'",
  "\\",
  ",",
  ":",
  "\n",
  "\r\n",
  " ",
  "\t",
  "```json",
  "```tool_code",
  "```\n",
  "```",
  "<tool_call>",
  "</tool_call>",
  "<function=Get>",
  '{"name":"Nobody","arguments":{}}',
  '{"name":"GetPrice"}',
  '[{"a": 1}]',
  "[END]",
  "é",
];
const CALLS = ['GetPrice("A")', "GetPrice(A, 3)", '{"name":"GetPrice","arguments":{"symbol":"A"}}'];
const cuts = fc.array(fc.nat(400), { maxLength: 30 });
const toTexts = (bits: readonly string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...bits), fc.string({ maxLength: 4, unit: "grapheme" })), { maxLength: 60 })
    .map((parts) => parts.join(""));

function cut(text: string, places: readonly number[]): readonly string[] {
  const all = [0, ...places.toSorted((a, b) => a - b), text.length].map((place) => Math.min(place, text.length));
  return all.slice(1).map((end, index) => text.slice(all[index], end));
}

const TOOLS = new Map([[GET_PRICE.name, GET_PRICE]]);
const hasCall = (text: string): boolean =>
  parseTextCalls(new TextScan(text), TOOLS).some(({ type }) => type === "call");

test("auto: a text without a call comes out as it went in, however it is cut", () =>
  fc.assert(
    fc.asyncProperty(
      toTexts(BITS).filter((text) => !hasCall(text)),
      cuts,
      async (text, places) => {
        const { chunks } = await reply(cut(text, places), "auto");
        assert.deepEqual(toSaid(chunks), { text, calls: [] });
        assert.deepEqual(chunks.at(-1), END);
      },
    ),
    { numRuns: 2_000 },
  ));

test("auto: a text with calls is read the same however it is cut", () =>
  fc.assert(
    fc.asyncProperty(toTexts([...BITS, ...CALLS, ...CALLS.map((call) => `\n${call}`)]), cuts, async (text, places) => {
      const whole = await reply([text], "auto");
      const inPieces = await reply(cut(text, places), "auto");
      assert.deepEqual(toSaid(inPieces.chunks), toSaid(whole.chunks));
    }),
    { numRuns: 2_000 },
  ));
