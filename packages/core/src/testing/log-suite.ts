/**
 * Log suite: what every log promises, whatever it is kept in.
 *
 * Run it against an implementation with `testLog("name", make)`.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Clock, SystemClock } from "../lifetimes/clock.ts";
import type { RunEvent } from "../words/event.ts";
import { Follower } from "../ports/follower.ts";
import type { Log, Observer } from "../ports/log.ts";

/** Makes an empty log. */
export type MakeLog = (clock: Clock, observer: Observer | undefined) => Log;

const isEnd = ({ type }: RunEvent): boolean => type === "run.ended";
const warning = (text: string) => ({ type: "warning.raised", agent: "a", text }) as const;
const ended = { type: "run.ended", outcome: "done", by: "answer", agent: "a", text: "" } as const;
const source = { lane: "2/team/a", step: "2/team/a/1.1", agent: "a" };

/** Tests a log's promises. */
export function testLog(name: string, make: MakeLog): void {
  const fresh = (observer?: Observer) => make(new SystemClock(), observer);

  describe(`${name} is a log`, () => {
    test("events come back as they were appended, numbered from 1 without a gap", async () => {
      const log = fresh().open("r");
      log.append(warning("one"), "");
      log.appendText(source, "two");
      const at = log.append(ended, "");
      await log.committed();
      const events = await log.read(0);
      assert.deepEqual(
        events.map(({ seq, type, lane, run }) => [seq, type, lane, run]),
        [
          [1, "warning.raised", "", "r"],
          [2, "text.delta", "2/team/a", "r"],
          [3, "run.ended", "", "r"],
        ],
      );
      assert.equal(events[2]?.at, at);
      assert.equal(log.length, 3);
      assert.deepEqual(JSON.parse(JSON.stringify(events)), events);
      assert.deepEqual(await log.read(2), events.slice(2));
      assert.deepEqual(await log.read(3), []);
    });

    test("runs do not see each other, and the same name is the same log", async () => {
      const log = fresh();
      log.open("a").append(warning("in a"), "");
      await log.open("a").committed();
      assert.equal((await log.open("a").read(0)).length, 1);
      assert.equal((await log.open("b").read(0)).length, 0);
      log.forget("a");
      assert.equal(log.find("a"), undefined);
    });

    test("a follower gets what was there, then what comes, and ends with the last", async () => {
      const log = fresh().open("r");
      log.append(warning("before"), "");
      const reading = Array.fromAsync(new Follower(log, 0, isEnd));
      for (let count = 0; count < 100; count++) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        log.appendText(source, `${count}`);
      }
      log.append(ended, "");
      const events = await reading;
      assert.deepEqual(
        events.map(({ seq }) => seq),
        Array.from({ length: 102 }, (_, index) => index + 1),
      );
    });

    test("a follower that looks between reading and waiting misses nothing", async () => {
      const log = fresh().open("r");
      const readers = Array.from({ length: 20 }, () => Array.fromAsync(new Follower(log, 0, isEnd)));
      for (let ticks = 0; ticks < 50; ticks++) {
        await Promise.resolve();
        log.appendText(source, "x");
      }
      log.append(ended, "");
      for (const events of await Promise.all(readers)) assert.equal(events.length, 51);
    });

    test("a follower that is left early stops", async () => {
      const log = fresh().open("r");
      log.append(warning("one"), "");
      await log.committed();
      for await (const event of new Follower(log, 0, isEnd)) {
        assert.equal(event.seq, 1);
        break;
      }
    });

    test("whoever observes sees every event, once and in order", async () => {
      const seen: number[] = [];
      const log = fresh(({ seq }) => seen.push(seq)).open("r");
      log.append(warning("one"), "");
      log.appendText(source, "two");
      log.append(ended, "");
      await log.committed();
      assert.deepEqual(seen, [1, 2, 3]);
    });
  });
}
