/**
 * Host suite: what every host promises a run, wherever it lives.
 *
 * Run it with `testHost("name", make)`. A segment is one host over a log; a second segment over the same log must repeat
 * the first.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BatonError } from "../words/error.ts";
import type { EventBodyOf, RunEvent } from "../words/event.ts";
import type { Host, RecordedWork } from "../ports/host.ts";

/** One segment of a run, as the suite drives it. */
export interface HostSegment {
  readonly host: Host;
  events(): Promise<readonly RunEvent[]>;
  cancel(reason: BatonError): Promise<unknown>;
  answer(question: string, value: string): boolean;
}

/** Begins a segment over what was recorded in earlier ones. */
export type MakeSegment = (recorded: readonly RunEvent[]) => HostSegment;

const started = { type: "step.started", step: "1.1", agent: "a", model: "m" } as const;
const question = {
  type: "question.opened",
  question: "q",
  kind: "approval",
  agent: "a",
  text: "May I?",
  schema: { enum: ["allow", "deny"] },
} as const;

const late = () => new BatonError("timeout", "too late");

function call(key: string, work: () => Promise<string>): RecordedWork<"call.ended"> {
  const base = { type: "call.ended", call: key, agent: "a", tool: "T", attempts: 1 } as const;
  return {
    type: "call.ended",
    key,
    effect: "idempotent",
    work: async (): Promise<EventBodyOf<"call.ended">> => ({ ...base, output: await work() }),
    failed: ({ code, message }) => ({ ...base, error: { code, message } }),
  };
}

/** Tests a host's promises. */
export function testHost(name: string, make: MakeSegment): void {
  describe(`${name} is a host`, () => {
    test("once does its work, says so, and has the intention down before", async () => {
      const segment = make([]);
      const intended: string[] = [];
      const done = await segment.host.once(
        call("1.1.1", async () => {
          for (const { type } of await segment.events()) intended.push(type);
          return "x";
        }),
      );
      assert.equal(done.output, "x");
      assert.deepEqual(intended, ["effect.intended"]);
      assert.deepEqual(
        (await segment.events()).map(({ type }) => type),
        ["effect.intended", "call.ended"],
      );
    });

    test("work that throws is a recorded failure", async () => {
      const { host } = make([]);
      const { error } = await host.once(call("1.1.1", () => Promise.reject(new Error("no"))));
      assert.equal(error?.message, "no");
    });

    test("a cancel is the recorded result of what comes to the door after it", async () => {
      const segment = make([]);
      await segment.cancel(new BatonError("cancelled", "stop"));
      const { error } = await segment.host.once(call("1.1.1", async () => "never"));
      assert.equal(error?.code, "cancelled");
    });

    test("a second segment repeats what was said and does nothing twice", async () => {
      const first = make([]);
      first.host.emit(started);
      await first.host.once(call("1.1.1", async () => "done"));
      const recorded = await first.events();
      const second = make(recorded);
      second.host.emit(started);
      const again = await second.host.once(call("1.1.1", () => assert.fail("it was done before")));
      assert.equal(again.output, "done");
      second.host.emit({ type: "turn.ended", turn: "1", agent: "a", text: "" });
      assert.deepEqual(
        (await second.events()).map(({ type }) => type),
        ["turn.ended"],
      );
    });

    test("a second segment that says something else has diverged", async () => {
      const first = make([]);
      first.host.emit(started);
      const second = make(await first.events());
      assert.throws(() => second.host.emit({ ...started, agent: "another" }), { code: "diverged" });
    });

    test("who asks gets the answer, or is told to wait where nothing else is at work", async () => {
      const segment = make([]);
      const working = segment.host.once(
        call("1.1.1", async () => {
          while (!segment.answer("q", "allow")) await Promise.resolve();
          return "x";
        }),
      );
      assert.deepEqual(await segment.host.ask(question), { value: "allow" });
      await working;
      assert.equal(await segment.host.ask({ ...question, question: "q2" }), "waiting");
    });

    test("a question that was answered between two segments is not asked again", async () => {
      const first = make([]);
      assert.equal(await first.host.ask(question), "waiting");
      const answered = {
        type: "question.answered",
        question: "q",
        value: "deny",
        run: "r",
        seq: 2,
        at: 0,
        lane: "",
      } as const;
      const second = make([...(await first.events()), answered]);
      assert.deepEqual(await second.host.ask(question), { value: "deny" });
    });

    test("lanes give their results in order, and a decisive one ends the others", async () => {
      const { host } = make([]);
      const plan = { timeoutMs: 60_000, late, isDecisive: (result: string) => result === "won" };
      const all = await host.lanes({ ...plan, keys: ["a", "b"] }, async ({ lane }) => lane);
      assert.deepEqual(all, { results: ["a", "b"], first: undefined });
      const first = await host.lanes({ ...plan, keys: ["slow", "fast"] }, async (member) => {
        if (member.lane === "fast") return "won";
        return member.scope.sleep(60_000).then(
          () => "slept",
          () => "stopped",
        );
      });
      assert.deepEqual(first, { results: ["stopped", "won"], first: 1 });
    });

    test("a lane that has ended says nothing more", async () => {
      const segment = make([]);
      const hosts: Host[] = [];
      await segment.host.lanes({ keys: ["a"], timeoutMs: 1_000, late, isDecisive: () => false }, async (member) => {
        hosts.push(member);
      });
      for (const member of hosts) member.emit(started);
      for (const member of hosts) member.say({ lane: "a", step: "1.1", agent: "a" }, "late");
      assert.deepEqual(await segment.events(), []);
    });
  });
}
