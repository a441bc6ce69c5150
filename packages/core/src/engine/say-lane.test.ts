import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { defineTool } from "../definitions/tool.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import type { RunEvent } from "../words/event.ts";
import { fold } from "../words/fold.ts";
import { Engine } from "./engine.ts";

/** A crew whose two members wait in a tool until they are let go. */
function openCrew() {
  const gates = new Map<string, () => void>();
  const inside: PromiseWithResolvers<void> = Promise.withResolvers();
  const wait = defineTool({
    name: "Wait",
    description: "Waits.",
    effect: "read",
    input: z.object({ who: z.string() }),
    run: ({ who }) =>
      new Promise((resolve) => {
        gates.set(who, () => resolve("let go"));
        if (gates.size === 2) inside.resolve();
      }),
  });
  const crew = defineCrew({
    name: "g",
    tools: [wait],
    agents: [
      { id: "lead" },
      { id: "a", tools: ["Wait"] },
      { id: "b", tools: ["Wait"] },
      { id: "end", isTerminal: true },
    ],
    signals: { lead: [{ signal: "[GO]", target: "team" }] },
    groups: { team: { agents: ["a", "b"], nextAgent: "end" } },
  });
  const replies = {
    lead: [{ say: "[GO]" }],
    a: [{ call: [{ tool: "Wait", args: { who: "a" } }] }, { when: "for you", say: "Heard." }, { say: "Nothing." }],
    b: [{ call: [{ tool: "Wait", args: { who: "b" } }] }, { when: "for you", say: "Heard." }, { say: "Nothing." }],
    end: [{ when: "for you", say: "Heard too." }, { say: "End." }],
  };
  const open = () => {
    for (const go of gates.values()) go();
  };
  return { crew, replies, inside: inside.promise, open };
}

const answersOf = (events: readonly RunEvent[]) =>
  of(events, "group.ended")[0]?.results.map(({ agent, text }) => [agent, text]);

describe("a message to a lane", () => {
  test("is heard by the agent there alone, and is not part of the conversation", async () => {
    const { crew, replies, inside, open } = openCrew();
    await using engine = new Engine({ model: () => scriptModel(replies) });
    const run = engine.start(crew, { input: "go" });
    await inside;
    await run.say("this is for you", { lane: "2/team/a" });
    open();
    const { events, content, history } = await collect(run);
    assert.deepEqual(answersOf(events), [
      ["a", "Heard."],
      ["b", "Nothing."],
    ]);
    assert.equal(content, "End.");
    assert.deepEqual(
      of(events, "command.received").map(({ lane, command }) => [lane, command]),
      [["2/team/a", { type: "say", text: "this is for you", lane: "2/team/a" }]],
    );
    assert.equal(JSON.stringify(history).includes("for you"), false);
    assert.deepEqual(fold(events).history, history);
  });

  test("without a lane is heard by the run's own agent, after the group", async () => {
    const { crew, replies, inside, open } = openCrew();
    await using engine = new Engine({ model: () => scriptModel(replies) });
    const run = engine.start(crew, { input: "go" });
    await inside;
    await run.say("this is for you");
    await run.say("and this is for you", { lane: "" });
    open();
    const { events } = await collect(run);
    assert.deepEqual(answersOf(events)?.flat(), ["a", "Nothing.", "b", "Nothing."]);
    assert.deepEqual(
      of(events, "command.received").map(({ lane }) => lane),
      ["", ""],
    );
  });

  test("that does not run is refused, and one that ends first is a warning", async () => {
    const { crew, replies, inside, open } = openCrew();
    await using engine = new Engine({ model: () => scriptModel(replies) });
    const run = engine.start(crew, { input: "go" });
    await inside;
    await assert.rejects(run.say("hello", { lane: "2/team/nobody" }), { code: "not_found" });
    open();
    await run.result;
    await assert.rejects(run.say("hello", { lane: "2/team/a" }), { code: "run_ended" });
  });

  test("of a paused run continues the crew that waits there, and no other", async () => {
    const alpha = defineCrew({
      name: "alpha-crew",
      agents: [{ id: "asker" }],
      behaviors: { asker: { waitForSignal: true } },
      signals: { asker: [{ signal: "[OVER]", target: "" }] },
    });
    const crew = defineCrew({
      name: "t",
      subCrews: { alpha },
      agents: [{ id: "boss", isTerminal: true, tools: [{ crew: "alpha" }] }],
    });
    const { run } = await play(crew, {
      boss: [{ call: [{ tool: "alpha", args: { input: "ask" } }] }, { say: "Done." }],
      asker: [{ say: "Who?" }, { when: "me", say: "You. [OVER]" }],
    });
    await assert.rejects(run.say("me", { lane: "1.1.2/alpha" }), { code: "not_found" });
    await run.say("me", { lane: "1.1.1/alpha" });
    const { outcome, content } = await run.result;
    assert.deepEqual([outcome, content], ["done", "Done."]);
  });
});

test("a run that heard a message in a lane continues the same after a crash at every event", async () => {
  const { crew, replies, inside, open } = openCrew();
  await using engine = new Engine({ model: () => scriptModel(replies) });
  const run = engine.start(crew, { input: "go", id: "r" });
  await inside;
  await run.say("this is for you", { lane: "2/team/a" });
  open();
  const { events } = await collect(run);
  const instant = defineTool({
    name: "Wait",
    description: "Waits.",
    effect: "read",
    input: z.object({ who: z.string() }),
    run: () => "let go",
  });
  const heard = of(events, "command.received")[0]?.seq ?? 0;
  for (let seq = heard; seq < events.length; seq++) {
    const left = events.slice(0, seq);
    await using second = new Engine({
      model: () => scriptModel(replies),
      log: (clock, observer) => {
        const log = new MemoryLog(clock, observer);
        for (const event of left) log.open("r").append(event, event.lane);
        return log;
      },
    });
    const tools = new Map([["Wait", instant]]);
    const rest = await collect(second.adopt({ ...crew, tools }, { id: "r", events: left }));
    assert.deepEqual(answersOf(rest.events), answersOf(events), `after event ${seq}`);
    assert.equal(of(rest.events, "command.received").length, 1, `after event ${seq}`);
  }
});
