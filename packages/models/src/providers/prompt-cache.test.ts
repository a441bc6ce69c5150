import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Message } from "@baton/core";
import { at, openWire, type WireServer } from "../testing/wire.ts";

let wire: WireServer;
before(async () => {
  wire = await openWire();
});
after(() => wire[Symbol.asyncDispose]());

const CLAUDE = "anthropic/claude-sonnet-4-5";
const EPHEMERAL = { type: "ephemeral" };
const LONG = "You answer questions about tea. ".repeat(200);
const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string): Message => ({ role: "assistant", content, agent: "clerk" });

/** The paths of all marks in a request. */
function marksOf(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => marksOf(item, `${path}.${index}`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, own]) =>
    key === "cache_control" ? [`${path} ${JSON.stringify(own)}`] : marksOf(own, `${path}.${key}`),
  );
}

const asked = {
  system: LONG,
  messages: [
    user("What is oolong?"),
    assistant("A tea."),
    user("<context>It is Monday.</context>"),
    user("And puerh?"),
  ],
  contextAt: 2,
};

test("Anthropic is told three places: the system text, the message before the context, and the last one", async () => {
  const mark = JSON.stringify(EPHEMERAL);
  assert.deepEqual(marksOf(await wire.send(CLAUDE, asked)), [
    `.system.0 ${mark}`,
    `.messages.1.content.0 ${mark}`,
    `.messages.2.content.1 ${mark}`,
  ]);
  const called: Message[] = [
    ...asked.messages,
    { role: "assistant", content: "", agent: "clerk", calls: [{ id: "1", tool: "look", args: {} }] },
    { role: "tool", call: "1", tool: "look", content: "A dark tea." },
  ];
  assert.deepEqual(marksOf(await wire.send(CLAUDE, { ...asked, messages: called })).slice(1), [
    `.messages.1.content.0 ${mark}`,
    `.messages.4.content.0 ${mark}`,
  ]);
});

test("without a context there are two places; with less than about 1,024 tokens before it, none", async () => {
  const { contextAt: _, ...plain } = asked;
  assert.equal(marksOf(await wire.send(CLAUDE, plain)).length, 2);
  assert.deepEqual(marksOf(await wire.send(CLAUDE, { ...asked, system: "Be brief." })), []);
  const long = [...asked.messages.slice(0, -1), user(LONG)];
  const marks = marksOf(await wire.send(CLAUDE, { ...asked, system: "Be brief.", messages: long }));
  assert.deepEqual(
    marks.map((mark) => mark.split(" ")[0]),
    [".messages.2.content.1"],
  );
  const tools = [{ name: "look", description: LONG, inputSchema: { type: "object" } }];
  assert.equal(marksOf(await wire.send(CLAUDE, { ...asked, system: "Be brief.", tools })).length, 3);
});

test("`long` keeps for an hour and `off` marks nothing", async () => {
  const marks = marksOf(await wire.send(CLAUDE, { ...asked, promptCache: "long" }));
  assert.deepEqual([marks.length, marks[0]], [3, '.system.0 {"type":"ephemeral","ttl":"1h"}']);
  assert.deepEqual(marksOf(await wire.send(CLAUDE, { ...asked, promptCache: "off" })), []);
});

const KEY = { tenant: "acme", crew: "shop", agent: "clerk", session: "s1" };

test("OpenAI gets one key for a tenant, crew, agent and session, and no two share one", async () => {
  const keyOf = async (cacheKey: typeof KEY, name = "openai/gpt-5-mini"): Promise<unknown> =>
    at(await wire.send(name, { cacheKey }), "prompt_cache_key");
  const key = await keyOf(KEY);
  assert.ok(typeof key === "string" && key.length > 20 && key.length <= 64, String(key));
  assert.equal(await keyOf({ ...KEY }), key);
  assert.equal(await keyOf({ ...KEY }, "openai-chat/gpt-4o"), key);
  const others = [
    { ...KEY, tenant: "evil" },
    { ...KEY, crew: "desk" },
    { ...KEY, agent: "boss" },
    { ...KEY, session: "s2" },
    { tenant: "acme", crew: "shopclerk", agent: "", session: "s1" },
    { tenant: 'acme","shop', crew: "", agent: "clerk", session: "s1" },
    { ...KEY, session: "x".repeat(10_000) },
  ];
  const all = await Promise.all(others.map((other) => keyOf(other)).map(async (one) => String(await one)));
  assert.equal(new Set([key, ...all]).size, others.length + 1);
  for (const other of all) assert.ok(other.length <= 64);
});

test("OpenAI's retention is asked for by `long`, as each model takes it; `off` and other servers get nothing", async () => {
  const sent = async (name: string, promptCache: "auto" | "long" | "off") => {
    const body = await wire.send(name, { cacheKey: KEY, promptCache });
    return ["prompt_cache_retention", "prompt_cache_options"].map((field) => body[field]);
  };
  assert.deepEqual(await sent("openai/gpt-5-mini", "auto"), [undefined, undefined]);
  assert.deepEqual(await sent("openai/gpt-5-mini", "long"), ["24h", undefined]);
  assert.deepEqual(await sent("openai-chat/gpt-4o", "long"), ["24h", undefined]);
  assert.deepEqual(await sent("openai/gpt-6-sol", "long"), [undefined, { ttl: "12h" }]);
  for (const [name, promptCache] of [
    ["openai/gpt-5-mini", "off"],
    ["openai-compatible/m", "long"],
    ["google/gemini-2.5-pro", "long"],
    ["ollama/qwen3", "long"],
  ] as const) {
    const body = JSON.stringify(await wire.send(name, { cacheKey: KEY, promptCache }));
    assert.ok(!body.includes("cache"), body);
  }
});
