/** Code of a model in replays and forks: it runs again and is compared, unless something from outside ended it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, Engine, type Json, type Run, type RunEvent, scriptModel } from "@baton/core";
import { MemoryLog } from "@baton/core/ports";
import { type CodeScript, of, scriptInterpreter, SimulatedClock } from "@baton/core/testing";
import { z } from "zod";
import { toFork, toForkCrew } from "./fork.ts";
import { replay } from "./replay.ts";

const ID = z.object({ id: z.number() });

function toCrew(code: CodeScript, engine?: string) {
  const done: number[] = [];
  const shared = { description: "", input: ID } as const;
  const tools = [
    defineTool({ ...shared, name: "get", effect: "read", run: ({ id }) => id }),
    defineTool({
      ...shared,
      name: "slow",
      effect: "read",
      run: ({ id }, { scope }) => scope.sleep(1_000).then(() => id),
    }),
    defineTool({ ...shared, name: "pay", effect: "irreversible", run: ({ id }) => done.push(id) }),
  ];
  const crew = defineCrew({
    name: "shop",
    tools,
    agents: [{ id: "a", tools: tools.map(({ name }) => name), toolCalls: "code", isTerminal: true }],
    settings: { codeTimeoutMs: 5_000 },
    interpreter: scriptInterpreter({ code }, engine),
  });
  return { crew, done };
}

const REPLIES = { a: [{ call: [{ tool: "run_code", args: { code: "code" } }] }, { say: "Done." }] };

type Act = (run: Run, clock: SimulatedClock) => Promise<Run>;

/** Plays a run, acts on it, and allows what it asks. */
async function play(crew: ReturnType<typeof toCrew>["crew"], act?: Act): Promise<readonly RunEvent[]> {
  const clock = new SimulatedClock(1);
  const engine = new Engine({ clock, model: () => scriptModel(REPLIES) });
  let run = engine.start(crew, { input: "go", id: "r" });
  if (act !== undefined) run = await act(run, clock);
  for (;;) {
    const { outcome, questions } = await clock.run(run.result);
    const [open] = questions;
    if (outcome !== "paused" || open === undefined) return Array.fromAsync(run.events());
    ({ run } = await clock.run(run.command({ type: "answer", question: open.question, value: "allow" })));
  }
}

const ALL: CodeScript = async (tools) => {
  const all = ["get", "slow", "pay"].map((tool, id): Promise<Json> => tools(tool, { id }).catch(() => "failed"));
  return Promise.all(all);
};

const cancel =
  (call: string, wait: "live" | "paused"): Act =>
  async (run, clock) => {
    if (wait === "live") await clock.advance(10);
    else await clock.run(run.result);
    return (await clock.run(run.command({ type: "cancel", call }))).run;
  };

const ACTS: readonly (readonly [what: string, act: Act | undefined])[] = [
  ["is not disturbed", undefined],
  ["is cancelled while it works", cancel("1.1.1", "live")],
  ["is cancelled while it waits", cancel("1.1.1", "paused")],
  ["has a running call cancelled", cancel("1.1.1.2", "live")],
  ["has a waiting call cancelled", cancel("1.1.1.3", "live")],
  ["has a call cancelled during a pause", cancel("1.1.1.3", "paused")],
];

for (const [what, act] of ACTS) {
  test(`code that ${what} is replayed to the same events`, async () => {
    const { crew } = toCrew(ALL);
    const events = await play(crew, act);
    assert.equal(events.at(-1)?.type, "run.ended");
    assert.equal(await replay(crew, events), undefined);
  });
}

test("code that takes too long is ended with the setting's name, and its end is copied", async () => {
  const { crew } = toCrew(async (tools) => {
    for (let id = 0; ; id++) await tools("slow", { id }).catch(() => undefined);
  });
  const events = await play(crew);
  const ends = of(events, "call.ended").slice(-2);
  for (const { error } of ends)
    assert.match(`${error?.kind}: ${error?.message}`, /^timeout: .*\(code_timeout_seconds\)/u);
  assert.equal(ends.at(-1)?.tool, "run_code");
  assert.equal(await replay(crew, events), undefined);
});

test("code that now makes another call is a difference; another interpreter alone is none", async () => {
  const get = (id: number, engine?: string) => toCrew((tools) => tools("get", { id }), engine).crew;
  const events = await play(get(1));
  assert.match((await replay(get(2), events))?.text ?? "", /its args would be \{"id":2\} now/u);
  assert.equal(await replay(get(1, "newer"), events), undefined);
});

test("a fork from the middle of code keeps the calls that had ended and makes the others", async () => {
  const { crew } = toCrew(ALL);
  const events = await play(crew);
  for (const { seq } of events.filter(({ type }) => type === "call.ended" || type === "question.answered")) {
    const { crew: again, done } = toCrew(ALL);
    const left = toFork(events, seq, "fork");
    const kept = new Set(of(left, "call.ended").map(({ call }) => call));
    const clock = new SimulatedClock(2);
    const engine = new Engine({
      clock,
      model: () => scriptModel(REPLIES),
      log: (time, observer) => {
        const log = new MemoryLog(time, observer);
        for (const event of left) log.open("fork").append(event, event.lane);
        return log;
      },
    });
    const forked = toForkCrew(again);
    let run = engine.adopt(forked, { id: "fork", events: left });
    for (let result = await clock.run(run.result); result.outcome === "paused"; result = await clock.run(run.result)) {
      const [open] = result.questions;
      assert.ok(open);
      ({ run } = await clock.run(run.command({ type: "answer", question: open.question, value: "allow" })));
    }
    const all = await Array.fromAsync(run.events());
    assert.deepEqual(of(all, "call.ended").at(-1)?.output, { result: [0, 1, 1], calls: 3 }, `forked at ${seq}`);
    assert.deepEqual(done, kept.has("1.1.1.3") ? [] : [2], `forked at ${seq}`);
    assert.equal(await replay(forked, all), undefined, `forked at ${seq}`);
  }
});
