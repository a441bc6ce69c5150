import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { CallLog, type FinishedCall } from "./call-log.ts";
import { defineCrew } from "../definitions/crew.ts";
import { defineTool } from "../definitions/tool.ts";
import { Engine } from "../engine/engine.ts";
import type { EventBodyOf, RunEvent } from "../words/event.ts";
import type { Json } from "../words/json.ts";
import { MemoryLog } from "./memory-log.ts";
import type { Model } from "./model.ts";
import { defineProgram } from "./program.ts";
import { scriptModel } from "./script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { assertLinear } from "../testing/growth.ts";

const LONG = "x".repeat(100_000);

const load = defineTool({
  name: "Load",
  description: "Loads something long.",
  effect: "read",
  input: z.object({ what: z.string().default("all") }),
  digest: () => "short",
  run: ({ what }) => {
    if (what === "nothing") throw new Error("there is nothing");
    return { what, text: LONG };
  },
});

type Seen = Readonly<{ by: string; calls: readonly FinishedCall[]; outputs: readonly (Json | undefined)[] }>;

/** Notes which calls each reader sees, and what they gave. */
function toReader() {
  const seen: Seen[] = [];
  const asked = ["1.1.1", "1.1.2", "1.2.1", "9.9.9"];
  const note = async (
    by: string,
    from: Pick<Seen, "calls"> & { outputOf: (call: string) => Promise<Json | undefined> },
  ) => {
    seen.push({ by, calls: from.calls, outputs: await Promise.all(asked.map((call) => from.outputOf(call))) });
  };
  return { seen, note };
}

const whole = (what: string) => ({ what, text: LONG });

test("a tool, a program and a wrapper of a model read earlier outputs whole, and nothing of a failed or unknown call", async () => {
  const { seen, note } = toReader();
  const use = defineTool({
    name: "Use",
    description: "Uses what was loaded.",
    effect: "read",
    input: z.object({}),
    run: async (_, context) => {
      await note("tool", context);
      return "used";
    },
  });
  const crew = defineCrew({
    name: "reading",
    agents: [
      { id: "a", tools: ["Load", "Use"], handoffTargets: ["p"] },
      { id: "p", model: { name: "code/p" }, isTerminal: true },
    ],
    tools: [load, use],
    programs: {
      p: defineProgram(async (prompt) => {
        await note("program", prompt);
        return { say: "done" };
      }),
    },
    wrapModel: (model): Model => ({
      ...model,
      async *stream(prompt, scope) {
        if (prompt.agent === "a") await note("model", prompt);
        yield* model.stream(prompt, scope);
      },
    }),
  });
  const bad = { tool: "Load", args: { what: "nothing" } };
  await play(crew, { a: [{ call: [{ tool: "Load" }, bad] }, { call: [{ tool: "Use" }] }, { say: "next" }] });
  const first = { call: "1.1.1", tool: "Load", agent: "a", args: {}, ok: true };
  const failed = { call: "1.1.2", tool: "Load", agent: "a", args: { what: "nothing" }, ok: false };
  const used = { call: "1.2.1", tool: "Use", agent: "a", args: {}, ok: true };
  const sorted = (calls: readonly FinishedCall[]) => calls.toSorted((one, other) => (one.call < other.call ? -1 : 1));
  assert.deepEqual(
    seen.map(({ by, calls }) => [by, sorted(calls)]),
    [
      ["model", []],
      ["model", [first, failed]],
      ["tool", [first, failed]],
      ["model", [first, failed, used]],
      ["program", [first, failed, used]],
    ],
  );
  assert.deepEqual(
    seen.map(({ outputs }) => outputs),
    [
      [undefined, undefined, undefined, undefined],
      [whole("all"), undefined, undefined, undefined],
      [whole("all"), undefined, undefined, undefined],
      [whole("all"), undefined, "used", undefined],
      [whole("all"), undefined, "used", undefined],
    ],
  );
});

test("calls of one reply see each other only if one waits for the other", async () => {
  for (const [concurrency, expected] of [
    ["parallel", [[], []]],
    ["sequential", [[], ["1.1.1"]]],
  ] as const) {
    const seen: (readonly string[])[] = [];
    const look = defineTool({
      name: "Look",
      description: "Looks.",
      effect: "read",
      concurrency,
      input: z.object({}),
      run: async (_, { calls, call, outputOf }) => {
        seen.push(calls.map((one) => one.call));
        const earlier = await outputOf("1.1.1");
        return call === "1.1.1" ? "first" : (earlier ?? "nothing");
      },
    });
    const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Look"], isTerminal: true }], tools: [look] });
    const { events } = await play(crew, { a: [{ call: [{ tool: "Look" }, { tool: "Look" }] }, { say: "ok" }] });
    assert.deepEqual(seen, expected);
    assert.equal(of(events, "call.ended")[1]?.output, concurrency === "parallel" ? "nothing" : "first");
  }
});

/** Two members load at once; what they loaded is read after the group, and once more after another turn. */
const parallel = (seen: (readonly [string, readonly string[], readonly (Json | undefined)[]])[]) =>
  defineCrew({
    name: "parallel",
    agents: [
      { id: "one", tools: ["Load"] },
      { id: "two", tools: ["Load"] },
      { id: "reader", model: { name: "code/reader" }, tools: ["Load"], isTerminal: true },
    ],
    tools: [load],
    entry: "both",
    groups: { both: { agents: ["one", "two"], nextAgent: "reader" } },
    programs: {
      reader: defineProgram(async ({ calls, outputOf, results }) => {
        const ids = calls.map(({ call }) => call);
        const outputs = await Promise.all(ids.map(outputOf));
        seen.push(["reader", ids, outputs.map((output) => JSON.stringify(output).slice(0, 14))]);
        return results.length === 0 ? { call: [{ tool: "Load", args: { what: "last" } }] } : { say: ids.join(" ") };
      }),
    },
  });

const REPLIES = {
  one: [{ call: [{ tool: "Load", args: { what: "one" } }] }, { say: "1" }],
  two: [{ call: [{ tool: "Load", args: { what: "two" } }] }, { say: "2" }],
};

/** A second engine that has only these events of the run. */
function continueRun(events: readonly RunEvent[], seen: Parameters<typeof parallel>[0]) {
  const id = events[0]?.run ?? "";
  const engine = new Engine({
    model: () => scriptModel(REPLIES),
    log: (clock, observer) => {
      const log = new MemoryLog(clock, observer);
      for (const event of events) log.open(id).append(event, event.lane);
      return log;
    },
  });
  return engine.adopt(parallel(seen), { id, events });
}

test("calls of all lanes are seen, and a second engine that recovers the run at any event sees the same", async () => {
  const seen: Parameters<typeof parallel>[0] = [];
  const { events, content } = await play(parallel(seen), REPLIES);
  assert.deepEqual(
    seen.map(([, ids]) => ids.length),
    [2, 3],
  );
  assert.deepEqual(new Set(seen[1]?.[2]), new Set(['{"what":"one",', '{"what":"two",', '{"what":"last"']));
  const ends = of(events, "call.ended");
  for (let length = 1; length < events.length; length++) {
    const again: typeof seen = [];
    const prefix = events.slice(0, length);
    const known = ends.filter(({ seq }) => seq <= length).map(({ call }) => call);
    const recovered = await collect(continueRun(prefix, again));
    const own = of(recovered.events, "call.ended").map(({ call }) => call);
    assert.deepEqual(own.slice(0, known.length), known, `recovered after event ${length}`);
    assert.equal(recovered.content.split(" ").length, content.split(" ").length);
    // Each step that the second engine takes sees what the log has before it.
    for (const [, ids] of again) assert.deepEqual(ids, own.slice(0, ids.length), `recovered after event ${length}`);
  }
});

const toEnded = (call: string): EventBodyOf<"call.ended"> => ({
  type: "call.ended",
  call,
  agent: "a",
  tool: "T",
  attempts: 1,
  output: null,
});

/** Ends calls `1`, `2`, … at these places of a log. */
function toLog(seqs: readonly number[], log = new CallLog()): CallLog {
  for (const [index, seq] of seqs.entries()) log.add(toEnded(String(index + 1)), seq);
  return log;
}

const idsOf = ({ list }: ReturnType<CallLog["before"]>) => list.map(({ call }) => call);

test("a reader sees the calls that ended before its place in the log, and the order of their ends", () => {
  const seqs = [3, 4, 9, 12];
  const log = toLog(seqs);
  for (let seq = 0; seq < 15; seq++) {
    const expected = ["1", "2", "3", "4"].slice(0, seqs.filter((end) => end < seq).length);
    assert.deepEqual(idsOf(log.before(seq)), expected, `before ${seq}`);
    for (const call of ["1", "2", "3", "4", "5"]) {
      assert.equal(log.before(seq).find(call)?.call, expected.includes(call) ? call : undefined);
    }
  }
  assert.deepEqual(idsOf(log.before()), ["1", "2", "3", "4"]);
  assert.deepEqual(
    ["1", "4", "5"].map((call) => log.endOf(call)),
    [3, 12, undefined],
  );
});

test("calls that end later change nothing for a reader, and no reader can change the list", () => {
  const log = new CallLog();
  const none = log.before();
  toLog([1, 2, 3, 4], log);
  const two = log.before(3);
  const withLast = two.including(["4", "1", "9"]);
  assert.deepEqual([idsOf(none), idsOf(two), idsOf(withLast)], [[], ["1", "2"], ["1", "2", "4"]]);
  assert.deepEqual(
    ["3", "4"].map((call) => [two.find(call)?.call, withLast.find(call)?.call]),
    [
      [undefined, undefined],
      [undefined, "4"],
    ],
  );
  assert.deepEqual(idsOf(none.including(["3", "2"])), ["2", "3"]);
  assert.deepEqual(idsOf(log.before()), ["1", "2", "3", "4"]);
  for (const { list } of [none, two, withLast]) assert.ok(Object.isFrozen(list) && list.every(Object.isFrozen));
});

test("a call costs no more after thousands of others", () => {
  assertLinear(2_000, (size) => () => {
    const log = new CallLog();
    for (let seq = 1; seq <= size; seq++) {
      log.add(toEnded(String(seq)), seq);
      log.before(seq).find("1");
      log.before().including(["1"]);
    }
  });
});
