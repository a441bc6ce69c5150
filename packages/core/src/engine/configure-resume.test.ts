/** A configuration that is sent just after a resume, while the run's log is still being read, holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "../lifetimes/clock.ts";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import type { Log, RunLog } from "../ports/log.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import type { Model, Prompt } from "../ports/model.ts";
import { scriptModel } from "../ports/script.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const READ_MS = 100;

/** A log whose readers get what was there when they asked, a while later. */
class SlowLog implements Log {
  readonly #log: MemoryLog;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#log = new MemoryLog(clock);
    this.#clock = clock;
  }

  open(run: string): RunLog {
    return this.#slow(this.#log.open(run));
  }

  find(run: string): RunLog | undefined {
    const known = this.#log.find(run);
    return known === undefined ? undefined : this.#slow(known);
  }

  forget(run: string): void {
    this.#log.forget(run);
  }

  #slow(log: RunLog): RunLog {
    return {
      get length() {
        return log.length;
      },
      get isSealed() {
        return log.isSealed;
      },
      read: (after) => {
        const events = log.read(after);
        return new Promise((resolve) => this.#clock.after(READ_MS, () => resolve(events)));
      },
      append: (fact, lane) => log.append(fact, lane),
      appendText: (source, text) => log.appendText(source, text),
      committed: () => log.committed(),
      grown: (after) => log.grown(after),
      room: () => log.room(),
      remember: (history) => log.remember(history),
      seal: () => log.seal(),
    };
  }
}

const crew = defineCrew({ name: "c", agents: [{ id: "a" }], behaviors: { a: { waitForSignal: true } } });

/** The temperatures of a run that is configured so long after its resume. */
async function temperatures(afterMs: number): Promise<readonly (number | undefined)[]> {
  const clock = new SimulatedClock(1);
  const script = scriptModel({ a: [{ say: "Yes?" }, { say: "And?" }, { say: "So?" }] });
  const prompts: Prompt[] = [];
  const spy: Model = {
    name: "spy",
    stream(prompt, scope) {
      prompts.push(prompt);
      return script.stream(prompt, scope);
    },
  };
  await using engine = new Engine({ clock, model: () => spy, log: (time) => new SlowLog(time) });
  const { id, result: outcome } = engine.start(crew, { input: "go" });
  await clock.run(outcome);
  const resumed = engine.resume(id, "Go on.");
  await clock.advance(afterMs);
  assert.equal(prompts.length, 1, "the log is still being read");
  await resumed.command({ type: "configure", temperature: 0.1 });
  await clock.run(resumed.result);
  await clock.run(engine.resume(id, "And on.").result);
  return prompts.map(({ temperature }) => temperature);
}

test("a configuration holds from the next step on, however much of the log was read when it came", async () => {
  // All is read, and then it is seen that no more is there.
  for (let afterMs = 0; afterMs < 2 * READ_MS; afterMs += READ_MS / 4) {
    assert.deepEqual(await temperatures(afterMs), [0.7, 0.1, 0.1], `${afterMs} ms after the resume`);
  }
});
