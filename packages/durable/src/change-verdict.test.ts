/** What an operator decides about changed tools is what the log says, and what happens. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Command, defineCrew, defineTool, type RunEvent } from "@baton/core";
import { given } from "@baton/core/ports";
import { z } from "zod";
import { crewOf } from "./crew-shelf.ts";
import { readAll } from "@baton/store";
import { replay } from "./replay/replay.ts";
import { watch } from "./testing/moments.ts";
import { crewWith, script, tool, waits } from "./testing/small-crews.ts";
import { type Process, type ProcessOptions, World } from "./testing/world.ts";

const TALK = script({ a: [{ say: "Which?" }, { say: "[GO]" }], b: [{ say: "Done." }] });
const LOOK = script({ a: [{ call: [{ tool: "Look" }] }, { say: "a b c" }] });

/** A run that waits for a message, or was left while it was running; then a process with other tools has it. */
const SITUATIONS = {
  paused: async (world: World, meddle?: ProcessOptions["meddle"]) => {
    const before = defineCrew({
      ...waits,
      entry: "a",
      agents: [...waits.agents.values()],
      tools: [tool("Old", "read")],
    });
    const one = await world.process({ crews: [before], model: TALK });
    const run = await world.run(one.engine.start(before, { input: "hi", id: "r" }));
    await world.run(run.result);
    await world.run(one.engine.stop());
    const two = await world.process({ crews: [waits], model: TALK, ...given({ meddle }) });
    await assert.rejects(world.run(two.engine.resume("r", "go on")), { code: "question_open" });
    return two;
  },
  interrupted: async (world: World) => {
    const before = crewWith(tool("Look", "read", 60_000));
    const one = await world.process({ crews: [before], model: LOOK });
    await world.run(one.engine.start(before, { input: "look", id: "r" }));
    await world.clock.advance(100);
    one.isAlive = false;
    const two = await world.process({ crews: [crewWith(tool("Look", "idempotent"))], model: LOOK });
    await world.clock.advance(5_000);
    await world.run(two.engine.recover());
    return two;
  },
};

for (const [name, begin] of Object.entries(SITUATIONS)) {
  describe(`a run that was ${name} and whose tools have changed`, () => {
    test("is cancelled by the answer cancel, and its log says that this was the answer", async () => {
      const world = new World();
      const process = await begin(world);
      const question = await askedOf(process);
      const { events, receipt } = await decide(world, process, { type: "answer", question, value: "cancel" });
      assert.deepEqual(receipt, { stopped: [], finished: [], abandoned: [] });
      assert.deepEqual(of(events, question), ["question.opened", 'question.answered "cancel"']);
      await checkEnd(world, process, events);
    });

    test("is cancelled by a cancel, and its log does not say that anybody answered", async () => {
      const world = new World();
      const process = await begin(world);
      const question = await askedOf(process);
      const { events } = await decide(world, process, { type: "cancel" });
      assert.deepEqual(of(events, question), ["question.opened", "question.closed"]);
      await checkEnd(world, process, events);
    });
  });
}

test("a run goes on with the answer continue, also with a call that had begun with another effect", async () => {
  const world = new World();
  const two = await SITUATIONS.interrupted(world);
  const question = await askedOf(two);
  const { run } = await world.run(two.engine.command("r", { type: "answer", question, value: "continue" }));
  const result = await world.run(run.result);
  assert.deepEqual([result.outcome, result.content, result.error], ["done", "a b c", undefined]);
  await world.run(two.engine.stop());
});

test("a run that waits for the client goes on waiting if its tool can be run here now, and the answer is its result", async () => {
  const world = new World();
  const pick = defineTool({ name: "Pick", description: "Pick", effect: "read", input: z.object({}) });
  const model = script({ a: [{ call: [{ tool: "Pick" }] }, { when: "blue", say: "Blue." }, { say: "?" }] });
  const one = await world.process({ crews: [crewWith(pick)], model });
  const waiting = await world.run(one.engine.start(crewWith(pick), { input: "go", id: "r" }));
  assert.equal((await world.run(waiting.result)).outcome, "paused");
  await world.run(one.engine.stop());
  const two = await world.process({ crews: [crewWith(tool("Pick", "read"))], model });
  const answer: Command = { type: "answer", question: "1.1.1/tool", value: "blue" };
  await assert.rejects(world.run(two.engine.command("r", answer)), {
    code: "question_open",
    message: /tool Pick is run here now and was carried out by the client/,
  });
  const [, question = ""] = (await two.store.database.run("r"))?.questions ?? [];
  await world.run(two.engine.command("r", { type: "answer", question, value: "continue" }));
  assert.deepEqual((await two.store.database.run("r"))?.questions, ["1.1.1/tool"]);
  const { run } = await world.run(two.engine.command("r", answer));
  const { outcome, content } = await world.run(run.result);
  assert.deepEqual([outcome, content], ["done", "Blue."]);
  const record = (await two.store.database.run("r")) ?? assert.fail();
  const { crew } = await crewOf(two.store.database, record);
  assert.equal(await replay(crew, await readAll(two.store.database, "r")), undefined, "without the crew's code");
  await world.run(two.engine.stop());
});

test("an operator who said cancel just before a crash is asked again, and nothing goes on meanwhile", async () => {
  const world = new World();
  const dies = (process: Process, name: string): void => {
    const isSaid = world.data.logs.get("r")?.some(({ body }) => body.includes('"question.answered"')) ?? false;
    if (name === "commit" && isSaid) process.isAlive = false;
  };
  const two = await SITUATIONS.paused(world, dies);
  const question = await askedOf(two);
  const answer = watch(two.engine.command("r", { type: "answer", question, value: "cancel" }));
  await world.clock.advance(5_000);
  assert.deepEqual([two.isAlive, answer.now], [false, "open"]);
  const three = await world.process({ crews: [waits], model: TALK });
  assert.equal((await three.store.database.run("r"))?.status, "paused");
  await assert.rejects(world.run(three.engine.resume("r", "go on")), { code: "question_open" });
  await world.run(three.engine.stop());
});

async function askedOf({ store }: Process): Promise<string> {
  const [question = ""] = (await store.database.run("r"))?.questions ?? [];
  assert.match(question, /^change\//);
  return question;
}

async function decide(world: World, { engine, store }: Process, command: Command) {
  const { run, receipt } = await world.run(engine.command("r", command));
  assert.equal((await world.run(run.result)).outcome, "cancelled");
  return { receipt, events: await readAll(store.database, "r") };
}

/** What the log says of a question, in order. */
function of(events: readonly RunEvent[], question: string): readonly string[] {
  return events.flatMap((event) => {
    if (!("question" in event) || event.question !== question) return [];
    return event.type === "question.answered" ? `${event.type} ${JSON.stringify(event.value)}` : event.type;
  });
}

/** It has ended, nothing is held, and the log can be replayed. */
async function checkEnd(world: World, { engine, store }: Process, events: readonly RunEvent[]): Promise<void> {
  const record = (await store.database.run("r")) ?? assert.fail();
  assert.deepEqual([record.status, record.outcome, record.questions], ["ended", "cancelled", []]);
  assert.equal(engine.open, 0);
  const { crew } = await crewOf(store.database, record);
  assert.equal(await replay(crew, events), undefined);
  await world.run(engine.stop());
}
