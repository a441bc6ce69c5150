import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { modelError } from "../providers/failure.ts";
import { offlineModel } from "./offline-model.ts";
import { recordModel, replayModel } from "../wrappers/recorded-model.ts";
import { fakeModel, hear, say, toPrompt } from "../testing/harness.ts";

const tool = (name: string, description: string, required: readonly string[] = []) => ({
  name,
  description,
  inputSchema: { type: "object", properties: {}, required },
});

const PAST_CALL = { call: "1.1.1", tool: "look", args: {}, output: "seen" };

test("the offline model says what it is, and the same prompt gets the same reply", async () => {
  const first = await hear(offlineModel());
  assert.match(first.text, /^\(Offline: written by rules, not by a language model\.\)/);
  assert.match(first.text, /Hello/);
  assert.deepEqual((await hear(offlineModel())).chunks, first.chunks);
  assert.ok(first.batches.length > 5, "it streams");
});

test("it passes on what tools said", async () => {
  const messages = [
    { role: "user", content: "How busy is the CPU?" },
    { role: "assistant", content: "", calls: [{ id: "1", tool: "GetCPUUsage", args: {} }] },
    { role: "tool", call: "1", tool: "GetCPUUsage", content: "93 %" },
  ] as const;
  assert.match((await hear(offlineModel(), toPrompt({ messages }))).text, /GetCPUUsage: 93 %/);
});

test("it uses a tool whose words were asked for, but makes no arguments up", async () => {
  const tools = [
    tool("GetTime", "The time of day."),
    tool("GetCPUUsage", "How busy the machine is."),
    tool("KillCPU", "cpu", ["id"]),
  ];
  const messages = [{ role: "user", content: "Check the cpu usage" }] as const;
  const { chunks } = await hear(offlineModel(), toPrompt({ tools, messages }));
  assert.deepEqual(
    chunks.filter(({ type }) => type === "call"),
    [{ type: "call", tool: "GetCPUUsage", args: "{}" }],
  );
});

test("it writes the signal whose words match, and none where no word does", async () => {
  const system =
    "When it is time, write one of these:\n- [ROUTE_BILLING]: questions about an invoice\n- [ROUTE_NETWORK]: the internet is slow";
  const ask = async (content: string) =>
    (await hear(offlineModel(), toPrompt({ system, messages: [{ role: "user", content }] }))).text;
  assert.match(await ask("My internet is down"), /\[ROUTE_NETWORK\]$/);
  assert.match(await ask("This invoice is wrong"), /\[ROUTE_BILLING\]$/);
  assert.doesNotMatch(await ask("Xin chào"), /\[/);
});

test("it does not write the marks that say who speaks as if they were signals", async () => {
  const system =
    "You help.\nA message that begins with [name] is a reply of the agent; a line with [user] is the user's.";
  const messages = [{ role: "user", content: "What is a reply that begins with a name?" }] as const;
  assert.doesNotMatch((await hear(offlineModel(), toPrompt({ messages, system }))).text, /\[name\]/);
});

test("it fills a schema, and labels that beside the data", async () => {
  const outputSchema = {
    type: "object",
    properties: {
      intent: { enum: ["buy", "sell"] },
      count: { type: "integer", minimum: 2 },
      tags: { type: "array", items: { $ref: "#/$defs/tag" }, minItems: 1 },
      extra: { type: "string" },
    },
    required: ["intent", "count", "tags"],
    $defs: { tag: { type: "string", maxLength: 4 } },
  };
  const { text, chunks } = await hear(
    offlineModel(),
    toPrompt({ outputSchema, messages: [{ role: "user", content: "I want to SELL" }] }),
  );
  assert.deepEqual(JSON.parse(text), { intent: "sell", count: 2, tags: ["I wa"] });
  assert.ok(chunks.some(({ type }) => type === "warning"));
});

test("a schema that refers to itself ends", async () => {
  const outputSchema = {
    $ref: "#/$defs/node",
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["next"] } },
  };
  assert.ok((await hear(offlineModel(), toPrompt({ outputSchema }))).text.startsWith('{"next":'));
});

test("rules of the host come first", async () => {
  const model = offlineModel([
    ({ messages }) =>
      messages[0]?.content === "Hello" ? { say: "Hi.", calls: [{ tool: "wave", args: { hand: "left" } }] } : undefined,
  ]);
  const { text, chunks } = await hear(model);
  assert.match(text, /Hi\.$/);
  assert.deepEqual(chunks.at(-2), { type: "call", tool: "wave", args: '{"hand":"left"}' });
  assert.equal((await hear(model, toPrompt({ messages: [] }))).error, undefined);
});

test("what was recorded is played back chunk for chunk, failures too, and a miss says what was asked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-models-"));
  try {
    const path = join(folder, "calls.jsonl");
    let call = 0;
    const real = fakeModel("openai/x", () => {
      call += 1;
      return call === 2
        ? { chunks: [{ type: "text", text: "Ha" }], error: modelError("openai/x", "overloaded") }
        : { chunks: say(`reply ${call}`) };
    });
    const recorder = recordModel(real, path);
    const recorded = [await hear(recorder), await hear(recorder), await hear(recorder, toPrompt({ attempt: 2 }))];
    const written = await readFile(path, "utf8");
    assert.equal(written.trim().split("\n").length, 3);

    const player = await replayModel(path);
    assert.equal(player.name, "openai/x");
    for (const { batches, error } of recorded) {
      const played = await hear(player);
      assert.deepEqual(played.batches, batches);
      assert.equal(played.error?.message, error?.message);
      assert.equal(played.error?.retryable, error?.retryable);
    }
    const elsewhere = { user: "ann", session: "s", values: new Map([["k", 1]]), results: [PAST_CALL] };
    assert.equal((await hear(player, toPrompt(elsewhere))).error, undefined, "who asks makes no other question");
    const { error } = await hear(player, toPrompt({ messages: [{ role: "user", content: "Something new" }] }));
    assert.match(error?.message ?? "", /no recorded reply for what agent "clerk" was asked: Something new/);
    assert.equal(error?.retryable, false);
  } finally {
    await rm(folder, { recursive: true });
  }
});
