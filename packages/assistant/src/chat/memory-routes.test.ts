import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool, toolContext, toolOf } from "@baton/core/testing";
import type { Json } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { parse } from "yaml";
import { z } from "zod";
import { defineLearnTools } from "../memory/learn-tools.ts";
import { defineMemoryTools } from "../memory/memory-tools.ts";
import { OVERVIEW } from "../memory/overview.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { makeKey, startChatServer } from "./testing/chat-server.ts";
import { DESK } from "./testing/chat-harness.ts";
import { openLasting } from "@baton/store/testing";

const TOOLS = [...defineMemoryTools(), ...defineLearnTools()];
const LOCAL = { tenant: "local", user: "local" };

const CARD = z.looseObject({ change: z.string(), undo: z.string(), operation: z.string() });
const CHANGED = z.looseObject({
  core: z.looseObject({ human: z.array(z.looseObject({ id: z.string(), text: z.string() })) }),
  change: CARD.optional(),
});

type Sent = Readonly<{ body?: unknown; as?: Record<string, string> }>;

/** A server with memory, and what tests do to it. */
async function startMemory(database = openLasting(), owner = LOCAL, headers: Record<string, string> = {}) {
  const server = await startChatServer({ crew: DESK, database, routes: memoryRoutes() });
  const documents: Documents = database.documents(owner);
  const send = async (method: string, path: string, { body, as = headers }: Sent = {}) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(server.url + path, { method, headers: { "Content-Type": "application/json", ...as }, ...json });
  };
  return {
    send,
    documents,
    overview: async (query = "") => OVERVIEW.parse(await (await send("GET", `/api/memory${query}`)).json()),
    use: (tool: string, args: Json, call = "1.1.1") =>
      callTool(toolOf(TOOLS, tool), args, { ...toolContext([], { documents })(call), session: "s" }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const texts = (entries: readonly { readonly text: string }[]) => entries.map(({ text }) => text);

/** The error of an answer. */
async function problemOf(answer: Response) {
  const { code, detail } = z.looseObject({ code: z.string(), detail: z.string() }).parse(await answer.json());
  return { status: answer.status, code, detail };
}

test("GET /api/memory shows core memory, facts, messages, the summary with its versions, and the changes", async () => {
  await using memory = await startMemory();
  assert.deepEqual(await memory.overview(), {
    core: {
      persona: [],
      human: [],
      tokens: { persona: 0, human: 0, total: 0 },
      limits: { persona: 500, human: 1_500, total: 2_000 },
    },
    recall: [],
    changes: [],
  });
  await memory.use("saveToMemory", { content: "I am a cautious investor, call me Lan", category: "preference" });
  await memory.use("saveToMemory", { content: "Keeps bees", category: "skill" }, "1.1.2");
  await memory.use("keepTurn", { run: "r", session: "s", input: "Hello", answer: "Hi" });
  await memory.use("saveSummary", { session: "s", version: 1, from: 1, to: 10, text: "So far" });
  const { core, recall, summary, changes } = await memory.overview();
  assert.deepEqual(texts(core.human), ["I am a cautious investor, call me Lan"]);
  assert.deepEqual(texts(recall).toSorted(), ["Hello", "Hi", "Keeps bees"]);
  assert.deepEqual([summary?.text, summary?.versions.length], ["So far", 1]);
  assert.deepEqual(
    changes.map(({ operation }) => operation),
    ["ADD", "ADD"],
  );
  assert.equal((await memory.overview("?session=other")).summary, undefined);
  assert.equal((await memory.send("GET", "/api/memory?limit=0")).status, 400);
});

test("a change is undone once; after that it is a conflict, and an unknown one is not found", async () => {
  await using memory = await startMemory();
  const saved = z
    .looseObject({ change: z.string() })
    .parse(await memory.use("saveToMemory", { content: "Call me Lan", category: "fact" }));
  const fact = z
    .looseObject({ change: z.string() })
    .parse(await memory.use("saveToMemory", { content: "Keeps bees", category: "skill" }, "1.1.2"));
  for (const { change } of [saved, fact]) {
    const undone = await memory.send("POST", `/api/memory/${change}/undo`);
    assert.equal(undone.status, 200, await undone.clone().text());
    CHANGED.parse(await undone.json());
    assert.partialDeepStrictEqual(await problemOf(await memory.send("POST", `/api/memory/${change}/undo`)), {
      status: 409,
      code: "conflict",
    });
  }
  const { core, recall, changes } = await memory.overview();
  assert.deepEqual([core.human, recall, changes.every(({ undone }) => undone !== undefined)], [[], [], true]);
  for (const id of ["c-0", "..%2F", "%20", "m-1"]) {
    assert.equal((await memory.send("POST", `/api/memory/${id}/undo`)).status, 404, id);
  }
});

test("core memory is replaced as a whole, which can be undone; what is wrong changes nothing", async () => {
  await using memory = await startMemory();
  await memory.use("saveToMemory", { content: "Call me Lan", category: "fact" });
  const body = {
    persona: ["Be kind"],
    human: [{ text: "Name: Minh", key: "name", category: "fact" }, "Likes tea"],
  };
  const { core, change } = CHANGED.parse(await (await memory.send("PUT", "/api/memory/core", { body })).json());
  assert.deepEqual(texts(core.human), ["Name: Minh", "Likes tea"]);
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ human: [{ text: "" }] }, /human/],
    [
      { human: ["my password is hunter2"] },
      /Nothing was changed: human\.0: this is not remembered: it holds a password/,
    ],
    [
      { human: Array.from({ length: 30 }, (_, index) => `${index} ${"x".repeat(300)}`) },
      /human has \d+ tokens; at most 1500/,
    ],
    [{ human: [], other: 1 }, /other/],
  ];
  for (const [sent, detail] of wrong) {
    const answer = await memory.send("PUT", "/api/memory/core", { body: sent });
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), detail);
  }
  assert.deepEqual(texts((await memory.overview()).core.human), ["Name: Minh", "Likes tea"]);
  assert.equal((await memory.send("POST", change?.undo ?? "")).status, 200);
  assert.deepEqual(texts((await memory.overview()).core.human), ["Call me Lan"]);
});

test("core memory is exported as YAML and imported again; a bad file is refused whole with line and reason", async () => {
  await using memory = await startMemory();
  await memory.use("saveToMemory", { content: "Call me Lan", category: "fact" });
  const exported = await memory.send("GET", "/api/memory/export");
  assert.equal(exported.headers.get("content-type"), "application/yaml");
  const yaml = await exported.text();
  assert.partialDeepStrictEqual(parse(yaml), { version: 1, human: [{ text: "Call me Lan" }] });
  assert.equal(
    CHANGED.parse(await (await memory.send("POST", "/api/memory/import", { body: { yaml } })).json()).change,
    undefined,
  );
  await memory.send("DELETE", "/api/memory");
  assert.equal((await memory.send("POST", "/api/memory/import", { body: { yaml } })).status, 200);
  assert.deepEqual(texts((await memory.overview()).core.human), ["Call me Lan"]);
  const bad = "human:\n  - Likes tea\n  - text: Likes milk\n    category: mood\n";
  const { status, detail } = await problemOf(await memory.send("POST", "/api/memory/import", { body: { yaml: bad } }));
  assert.equal(status, 400);
  assert.match(detail, /Nothing was changed: line 4: human\.1\.category/);
  assert.deepEqual(texts((await memory.overview()).core.human), ["Call me Lan"]);
});

test("one entry, fact or message is forgotten by its id, and all kinds at once", async () => {
  await using memory = await startMemory();
  await memory.use("saveToMemory", { content: "Call me Lan", category: "fact" });
  await memory.use("saveToMemory", { content: "Keeps bees", category: "skill" }, "1.1.2");
  await memory.use("keepTurn", { run: "r", session: "s", input: "Hello", answer: "" });
  await memory.use("saveWorking", { entries: [{ kind: "user_context", text: "x" }] });
  const { core, recall } = await memory.overview();
  const ids = [...core.human, ...recall].map(({ id }) => id);
  assert.equal(ids.length, 3);
  const undos: string[] = [];
  for (const id of ids) {
    const answer = await memory.send("DELETE", `/api/memory/${id}`);
    assert.equal(answer.status, 200);
    const { change } = z.looseObject({ change: CARD.optional() }).parse(await answer.json());
    if (change !== undefined) undos.push(change.undo);
    assert.equal((await memory.send("DELETE", `/api/memory/${id}`)).status, 404);
  }
  assert.deepEqual(await memory.overview().then((one) => [one.core.human, one.recall]), [[], []]);
  for (const undo of undos) assert.equal((await memory.send("POST", undo)).status, 200);
  assert.deepEqual(await memory.overview().then((one) => [...texts(one.core.human), ...texts(one.recall)]), [
    "Call me Lan",
    "Keeps bees",
  ]);
  assert.ok(
    z.object({ deleted: z.int() }).parse(await (await memory.send("DELETE", "/api/memory")).json()).deleted > 4,
  );
  for (const collection of ["core", "facts", "messages", "changes", "summary", "working"]) {
    assert.deepEqual((await memory.documents.list(`memory_${collection}`)).documents, [], collection);
  }
});

test("another user's memory is not seen, and its ids are not found; a rotated key keeps its user's", async () => {
  const database = openLasting();
  const lan = { tenant: "acme", user: "lan" };
  const first = await makeKey(database, "lan");
  const rotated = await makeKey(database, "lan");
  const minh = await makeKey(database, "minh");
  await using memory = await startMemory(database, lan, first);
  const saved = z
    .looseObject({ id: z.string(), change: z.string() })
    .parse(await memory.use("saveToMemory", { content: "Call me Lan", category: "fact" }));
  assert.equal((await memory.send("GET", "/api/memory", { as: {} })).status, 401);
  const seen = OVERVIEW.parse(await (await memory.send("GET", "/api/memory?session=s", { as: minh })).json());
  assert.deepEqual([seen.core.human, seen.recall, seen.changes], [[], [], []]);
  assert.doesNotMatch(await (await memory.send("GET", "/api/memory/export", { as: minh })).text(), /Lan/);
  assert.equal((await memory.send("DELETE", `/api/memory/${saved.id}`, { as: minh })).status, 404);
  assert.equal((await memory.send("POST", `/api/memory/${saved.change}/undo`, { as: minh })).status, 404);
  assert.equal(
    z.object({ deleted: z.int() }).parse(await (await memory.send("DELETE", "/api/memory", { as: minh })).json())
      .deleted,
    0,
  );
  const own = OVERVIEW.parse(await (await memory.send("GET", "/api/memory", { as: rotated })).json());
  assert.deepEqual(texts(own.core.human), ["Call me Lan"]);
});

test("the routes are in the server's description with their schemas", async () => {
  await using memory = await startMemory();
  const { paths } = z
    .looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(await (await memory.send("GET", "/openapi.json")).json());
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith("/api/memory") ? [`${path} ${Object.keys(methods).join(",")}`] : [],
  );
  assert.deepEqual(told.toSorted(), [
    "/api/memory get,delete",
    "/api/memory/core put",
    "/api/memory/export get",
    "/api/memory/import post",
    "/api/memory/{id} delete",
    "/api/memory/{id}/undo post",
  ]);
});
