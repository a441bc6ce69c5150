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

test("a client's run is one handle over a wait, an approval and the end, with the words of a run in code", async () => {
  await using baton = await openBaton({ store: "memory", model, crews: [crew] });
  const { url } = await baton.serve({ port: 0, console: false });
  const client = createClient({ url });
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
});

test("a run that waits is cancelled with a receipt, and the handle says that it has ended", async () => {
  await using baton = await openBaton({ store: "memory", model, crews: [crew] });
  const { url } = await baton.serve({ port: 0, console: false });
  const run = await createClient({ url }).start("desk", "hello");
  await run.result;
  assert.deepEqual(await run.cancel({ reason: "enough" }), { stopped: [], finished: [], abandoned: [] });
  assert.equal((await run.result).outcome, "cancelled");
});
