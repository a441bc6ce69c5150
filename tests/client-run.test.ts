import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, openBaton, scriptModel } from "@baton/baton";
import { createClient } from "@baton/client";
import { z } from "zod";

const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "paid",
});
const crew = defineCrew({
  name: "desk",
  agents: [
    { id: "clerk", tools: ["Pay"] },
    { id: "poet", isTerminal: true },
  ],
  tools: [pay],
  signals: { clerk: [{ signal: "[TO_POET]", target: "poet" }] },
  behaviors: { clerk: { waitForSignal: true } },
});
const model = scriptModel({
  clerk: [
    { say: "What do you [want]?" },
    { say: "One moment.", call: [{ tool: "Pay" }] },
    { say: "Paid. [TO_POET] The poet is next." },
  ],
  poet: [{ say: "A cup of tea." }],
});

for (const transport of ["http", "websocket"] as const) {
  test(`over ${transport} a client's run is one handle over a wait, an approval and the end, with the words of a run in code`, async () => {
    await using baton = await openBaton({ store: "memory", model, crews: [crew] });
    const { url } = await baton.serve({ port: 0, console: false });
    const client = createClient({ url, transport });
    const run = await client.start("desk", "hello");
    const read = async () => (await Array.fromAsync(run.text())).join("");
    assert.equal(await read(), "What do you [want]?");
    assert.equal((await run.result).outcome, "paused");
    await run.resume("pay it");
    assert.equal(await read(), "", "what is said before a call is not the answer");
    const { questions } = await run.result;
    await run.answer(questions[0]?.question ?? "", "allow");
    assert.equal(await read(), "Paid. The poet is next.\n\nA cup of tea.");
    assert.equal((await run.result).content, "A cup of tea.");
    const events = await Array.fromAsync(client.open(run.id).events({ until: "end" }));
    assert.equal(events.filter(({ type }) => type === "run.paused").length, 2);
    assert.equal(events.at(-1)?.type, "run.ended");
    client.close();
  });

  test(`over ${transport} a run that waits is cancelled with a receipt, and the handle says that it has ended`, async () => {
    await using baton = await openBaton({ store: "memory", model, crews: [crew] });
    const { url } = await baton.serve({ port: 0, console: false });
    const client = createClient({ url, transport });
    const run = await client.start("desk", "hello");
    await run.result;
    assert.deepEqual(await run.cancel({ reason: "enough" }), { stopped: [], finished: [], abandoned: [] });
    assert.equal((await run.result).outcome, "cancelled");
    client.close();
  });
}

test("over a websocket a refusal has its code, and a follow goes on when its socket is lost or its server restarts", async () => {
  const slow = scriptModel({
    clerk: [{ say: "[TO_POET]" }],
    poet: [{ say: "one two three four five six", delayMs: 20 }],
  });
  await using baton = await openBaton({ store: "memory", model: slow, crews: [crew] });
  const first = await baton.serve({ port: 0, console: false });
  const client = createClient({ url: first.url, transport: "websocket", backoff: { minMs: 1, maxMs: 10 } });
  await assert.rejects(client.start("nobody", "hello"), { name: "ClientError", code: "not_found", status: 404 });
  const run = await client.start("desk", "hello");
  const seen: number[] = [];
  let isMoved = false;
  for await (const { type, seq } of client.follow(run.id)) {
    seen.push(seq);
    if (type !== "text.delta" || isMoved) continue;
    isMoved = true;
    await first.stop();
    await baton.serve({ port: first.port, console: false });
  }
  assert.deepEqual(
    seen,
    Array.from({ length: seen.length }, (_, at) => at + 1),
  );
  assert.equal((await client.run(run.id)).outcome, "done");
  client.close();
});
