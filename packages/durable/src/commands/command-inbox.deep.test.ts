/** Commands at every moment of a recovery, and messages at random processes: each one acknowledged is in the log exactly once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/core";
import { inSlice, of, SimulatedClock } from "@baton/core/testing";
import { readAll } from "@baton/store";
import { crewWith, script, solo, tool } from "../testing/small-crews.ts";
import { letPass, watch } from "../testing/work-state.ts";
import { type Process, World } from "../testing/world.ts";

const looks = crewWith(tool("Look", "read", 1_000));
const LOOKING = {
  a: [...Array.from({ length: 6 }, () => ({ call: [{ tool: "Look" }] })), { say: "Done." }],
};

const heard = (events: readonly RunEvent[]): readonly string[] =>
  of(events, "command.received").flatMap(({ command }) => (command.type === "say" ? command.text : []));
const countLate = (events: readonly RunEvent[]): number =>
  of(events, "warning.raised").filter(({ text }) => text.includes("too late")).length;

test("a command is carried out once, whenever it comes while its run is being recovered", async () => {
  for (const promises of inSlice(Array.from({ length: 80 }, (_, index) => index))) {
    const world = new World();
    const options = { crews: [solo], model: script({ a: [{ say: "one two three", delayMs: 60_000 }] }) };
    const one = await world.process(options);
    await world.run(one.engine.start(solo, { input: "go", id: "r", session: "s" }));
    one.isAlive = false;
    await world.clock.advance(5_000);
    const [two, three] = [await world.process(options), await world.process(options)];
    watch(two.engine.recover());
    await letPass(promises);
    const cancelling = watch(three.engine.command("r", { type: "cancel" }));
    await world.clock.advance(20_000);
    assert.equal(cancelling.now, "done", `after ${promises} promises`);
    assert.equal((await three.store.database.runs.find("r"))?.outcome, "cancelled", `after ${promises} promises`);
    for (const { engine } of [two, three]) await world.run(engine.stop());
  }
});

test("messages at random processes, which crash at random: each acknowledged one is in the log exactly once", async () => {
  const options = { crews: [looks], model: script(LOOKING) };
  for (const seed of inSlice(Array.from({ length: 60 }, (_, index) => index + 1))) {
    const world = new World(seed);
    const chance = new SimulatedClock(seed);
    const processes: Process[] = [];
    const next = async (): Promise<Process> => {
      const process = await world.process(options);
      processes.push(process);
      watch(process.engine.recover());
      return process;
    };
    const first = await next();
    await next();
    await next();
    await world.run(first.engine.start(looks, { input: "go", id: "r", session: "s" }));
    const sent = new Map<string, { now: string }>();
    for (let count = 0; count < 12; count++) {
      await world.clock.advance(Math.floor(chance.random() * 700));
      const living = processes.filter(({ isAlive }) => isAlive);
      const process = living[Math.floor(chance.random() * living.length)] ?? (await next());
      if (chance.random() < 0.3) {
        process.isAlive = false;
        await next();
      } else sent.set(`m${count}`, watch(process.engine.command("r", { type: "say", text: `m${count}` })));
    }
    await world.clock.advance(120_000);
    const last = processes.find(({ isAlive }) => isAlive) ?? (await next());
    const events = await world.run(readAll(last.store.database, "r"));
    assert.equal(events.at(-1)?.type, "run.ended", `seed ${seed}`);
    const texts = heard(events);
    assert.equal(new Set(texts).size, texts.length, `seed ${seed}: ${texts.join(" ")}`);
    const missing = [...sent].filter(([text, { now }]) => now === "done" && !texts.includes(text));
    assert.ok(missing.length <= countLate(events), `seed ${seed}: ${missing.map(([text]) => text).join(" ")} lost`);
    assert.deepEqual(await last.store.database.inbox.unread(), [], `seed ${seed}`);
    for (const { engine, isAlive } of processes) if (isAlive) await world.run(engine.stop());
  }
});
