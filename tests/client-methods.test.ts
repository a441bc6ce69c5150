/** Methods of the client against a real server: what they send is understood, and what they get is typed. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defineCrew, defineTool, openBaton, scriptModel } from "@baton/baton";
import { createClient } from "@baton/client";
import { z } from "zod";

const crew = defineCrew({ name: "hello", agents: [{ id: "host", isTerminal: true }] });
const model = scriptModel({ host: [{ say: "Hello." }] });

async function openHello() {
  const baton = await openBaton({ store: "memory", model, crews: [crew] });
  const { url } = await baton.serve({ port: 0, console: false });
  return { client: createClient({ url }), [Symbol.asyncDispose]: () => baton[Symbol.asyncDispose]() };
}

suite("a run that has ended", () => {
  test("is rated, and the rating is taken back", async () => {
    await using opened = await openHello();
    const { client } = opened;
    const run = await client.start("hello", "hi");
    await run.result;
    await client.rateRun(run.id, "down", "too short");
    assert.deepEqual(
      (await client.runs({ feedback: "down" })).runs.map(({ id }) => id),
      [run.id],
    );
    await client.rateRun(run.id, null);
    assert.deepEqual((await client.runs({ feedback: "any" })).runs, []);
  });

  test("is exported, deleted and imported again under its id", async () => {
    await using opened = await openHello();
    const { client } = opened;
    const run = await client.start("hello", "hi");
    await run.result;
    const file = await client.exportRun(run.id);
    assert.match(file, /^\{"format":"baton-run","version":1,/);
    await client.deleteRun(run.id);
    await assert.rejects(client.run(run.id), { code: "not_found" });
    assert.equal((await client.importRun(file)).id, run.id);
    assert.equal((await client.run(run.id)).status, "ended");
    await assert.rejects(client.importRun(file.slice(0, -20)), { code: "damaged" });
  });
});

test("a conversation is renamed, pinned and exported", async () => {
  await using opened = await openHello();
  const { client } = opened;
  await (
    await client.start("hello", "hi", { session: "one" })
  ).result;
  await client.editSession("one", { title: "Greeting", pinned: true });
  const [session] = (await client.sessions()).sessions;
  assert.deepEqual([session?.title, session?.pinned], ["Greeting", true]);
  await client.editSession("one", { title: null });
  assert.equal((await client.sessions()).sessions[0]?.title, "hi");
  assert.match(await client.exportSession("one", "markdown"), /## User\n\n_.*_\n\nhi\n/);
  assert.match(await client.exportSession("one"), /"content":\s*"Hello\."/);
});

test("a structured output is read while it is written", async () => {
  const typed = defineCrew({
    name: "typed",
    agents: [{ id: "host", isTerminal: true, output: { type: "object", properties: { list: { type: "array" } } } }],
  });
  const words = scriptModel({ host: [{ say: '{"list": ["one", "two", "three"]}' }] });
  await using baton = await openBaton({ store: "memory", model: words, crews: [typed] });
  const { url } = await baton.serve({ port: 0, console: false });
  const run = await createClient({ url }).start("typed", "hi");
  const parts = await Array.fromAsync(run.partialOutput());
  assert.ok(parts.length > 1, `${parts.length} parts`);
  assert.deepEqual(parts[0], {});
  assert.deepEqual(parts.at(-1), { list: ["one", "two", "three"] });
  assert.deepEqual((await run.result).output, parts.at(-1));
});

test("a run hears what is said to it, is paused and configured, and carries out tools of its client", async () => {
  const inside = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<string>();
  const wait = defineTool({
    name: "Wait",
    description: "Waits.",
    effect: "read",
    input: z.object({}),
    run: () => {
      inside.resolve(undefined);
      return gate.promise;
    },
  });
  const guide = defineCrew({
    name: "guide",
    tools: [wait],
    agents: [{ id: "host", isTerminal: true, tools: ["Wait"], clientTools: true }],
  });
  const says = scriptModel({
    host: [
      { call: [{ tool: "Wait" }] },
      { when: "hurry", call: [{ tool: "locate", args: { place: "here" } }] },
      { when: "river", say: "By the river." },
    ],
  });
  await using baton = await openBaton({ store: "memory", model: says, crews: [guide] });
  const { url } = await baton.serve({ port: 0, console: false });
  const inputSchema = { type: "object", properties: { place: { type: "string" } } };
  const run = await createClient({ url }).start("guide", "where?", {
    tools: [{ name: "locate", description: "Finds a place.", inputSchema }],
  });
  await inside.promise;
  await run.configure({ temperature: 0.1 });
  await run.pause();
  gate.resolve("done");
  assert.deepEqual(
    (await run.result).questions.map(({ kind }) => kind),
    ["pause"],
  );
  await run.say("hurry");
  const { questions } = await run.result;
  assert.deepEqual(
    questions.map(({ kind, args }) => [kind, args]),
    [["tool", { place: "here" }]],
  );
  await run.answer(questions[0]?.question ?? "", "the river");
  assert.equal((await run.result).content, "By the river.");
});
