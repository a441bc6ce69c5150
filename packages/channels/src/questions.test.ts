import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, suspend } from "@baton/core";
import { z } from "zod";
import { startChannelServer } from "./testing/simulated-server.ts";

const MARKUP = z.object({ inline_keyboard: z.array(z.array(z.object({ callback_data: z.string() }))) });

const refund = defineTool({
  name: "refund",
  description: "Refunds an order.",
  effect: "irreversible",
  input: z.object({ order: z.string() }),
  run: ({ order }) => `refunded ${order}`,
});
const howMany = defineTool({
  name: "how_many",
  description: "Asks how many.",
  effect: "read",
  input: z.object({}),
  run: (_, { kept, answers }) =>
    kept === undefined
      ? suspend({
          keep: 1,
          questions: [{ name: "count", kind: "input", text: "How many?", schema: { type: "integer", minimum: 1 } }],
        })
      : `there are ${JSON.stringify(answers)}`,
});
const DESK = {
  crew: defineCrew({
    name: "desk",
    agents: [{ id: "clerk", isTerminal: true, tools: ["refund", "how_many"] }],
    tools: [refund, howMany],
  }),
  script: {
    clerk: [
      { when: "refunded A2", say: "Both are done." },
      { when: "there are", say: "Noted." },
      { when: "both", say: "", call: ["A1", "A2"].map((order) => ({ tool: "refund", args: { order } })) },
      { when: "count", say: "", call: [{ tool: "how_many", args: {} }] },
      { say: "Hello." },
    ],
  },
};

test("several questions are several messages, each with its own buttons; all are answered before the run goes on", async () => {
  await using server = await startChannelServer(DESK);
  const { platform, until } = server;
  platform.say("both");
  await until(() => platform.texts().length === 2);
  assert.match(platform.texts()[0] ?? "", /A1/);
  assert.match(platform.texts()[1] ?? "", /A2/);
  const allow = platform
    .of("sendMessage")
    .map((sent) => MARKUP.parse(sent["reply_markup"]).inline_keyboard[0]?.[0]?.callback_data ?? "");
  const [first = 0, second = 0] = platform.sentIds();
  platform.press(allow[1] ?? "");
  await until(() => platform.of("editMessageText").length === 1);
  assert.equal(platform.of("editMessageText")[0]?.["message_id"], second);
  platform.say("and now?");
  await until(() => platform.texts().length === 3);
  assert.match(platform.texts()[2] ?? "", /question is open/);
  platform.press(allow[0] ?? "");
  await until(() => platform.texts().length === 4);
  await server.clock.advance(30_000);
  assert.deepEqual(platform.texts().slice(3), ["Both are done."]);
  assert.equal(platform.of("editMessageText")[1]?.["message_id"], first);
});

test("an answer that does not fit the question is told so, and the question stays open", async () => {
  await using server = await startChannelServer(DESK);
  const { platform, until } = server;
  platform.say("count");
  await until(() => platform.texts().length === 1);
  assert.match(platform.texts()[0] ?? "", /How many\?/);
  for (const [index, wrong] of ["many", "0", "2.5"].entries()) {
    platform.say(wrong);
    await until(() => platform.texts().length === index + 2);
    assert.match(platform.texts()[index + 1] ?? "", /does not answer the question[\s\S]*How many\?/);
  }
  platform.say("3");
  await until(() => platform.texts().length === 5);
  assert.equal(platform.texts()[4], "Noted.");
  assert.equal((await server.database.runs.list({})).length, 1);
});
