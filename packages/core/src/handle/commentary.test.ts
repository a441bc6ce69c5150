/** What an agent says before it calls tools is commentary: in the log and its history, never the answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { defineTool } from "../definitions/tool.ts";
import { Engine } from "../engine/engine.ts";
import { fold } from "../words/fold.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of } from "../testing/crew-runs.ts";
import { beginCall, feedReply, finishReply, startReplyHold } from "./reply-hold.ts";
import { toWatch } from "./signal-hold.ts";

const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({}),
  run: () => "seen",
});
const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Look"], isTerminal: true }], tools: [look] });

test("the step says so, its agent remembers it, and text() leaves it out", async () => {
  const replies = { a: [{ say: "Let me look.", call: [{ tool: "Look" }] }, { say: "It is there." }] };
  await using engine = new Engine({ model: () => scriptModel(replies) });
  const run = engine.start(crew, { input: "go" });
  const text = Array.fromAsync(run.text());
  const { events, content, history } = await collect(run);
  assert.deepEqual([content, (await text).join("")], ["It is there.", "It is there."]);
  assert.deepEqual(
    of(events, "step.ended").map(({ commentary }) => commentary),
    [true, undefined],
  );
  assert.deepEqual(
    of(events, "step.started").map(({ tools }) => tools),
    [true, true],
  );
  assert.ok(history.some((message) => message.content === "Let me look."));
});

test("a reply that may call tools shows nothing of its first 160 characters until it is known what they are", () => {
  const watch = toWatch(["[X]"]);
  const start = startReplyHold(watch, { mayCall: true });
  const [short, first] = feedReply(start, "é".repeat(160));
  assert.deepEqual(first, { text: "", commentary: "" });
  assert.equal(finishReply(short, { calls: 0 }).text.length, 160);
  assert.equal(finishReply(short, { calls: 1 }).commentary.length, 160);
  const [, called] = beginCall(short);
  assert.equal(called.commentary.length, 160);
  const [long, shown] = feedReply(short, "!");
  assert.equal(shown.text.length, 161);
  assert.deepEqual(finishReply(long, { calls: 1 }), { text: "", commentary: "" });
  const [, plain] = feedReply(startReplyHold(watch, { mayCall: false }), "Hi");
  assert.equal(plain.text, "Hi");
});

test("while a call is written, the fold has the text before it as commentary", () => {
  const base = { run: "r", at: 0, lane: "" };
  const { openSteps } = fold([
    { ...base, seq: 1, type: "step.started", step: "1.1", agent: "a", model: "m", tools: true },
    { ...base, seq: 2, type: "text.delta", step: "1.1", agent: "a", text: "Let me look." },
    { ...base, seq: 3, type: "args.delta", step: "1.1", agent: "a", call: "1.1.1", tool: "Look", text: "{" },
  ]);
  const { text, commentary } = openSteps.get("1.1") ?? {};
  assert.deepEqual([text, commentary], ["", "Let me look."]);
});
