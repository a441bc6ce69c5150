/** Approvals with other arguments or a reason: crashes at every event, replay, forks, children, logs of older versions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew, defineTool, type RunEvent, type ScriptEntry, scriptModel } from "@baton/core";
import { of } from "@baton/core/testing";
import { z } from "zod";
import { type Answers, playAnswered } from "../testing/answered-run.ts";
import { toFork, toForkCrew } from "./fork.ts";
import { replay } from "./replay.ts";

const INPUT = z.object({ to: z.string(), sum: z.number() });

function toCrew(paid: unknown[] = []): Crew {
  const pay = defineTool({
    name: "Pay",
    description: "Pays somebody.",
    effect: "irreversible",
    input: INPUT,
    permission: (args) =>
      INPUT.parse(args).sum === 3 ? { decision: "transform", args: { to: "Bob", sum: 4 } } : { decision: "ask" },
    run: (input) => {
      paid.push(input.sum);
      return `paid ${input.sum} to ${input.to}`;
    },
  });
  return defineCrew({
    name: "shop",
    entry: "a",
    agents: [
      { id: "a", tools: ["Pay", { agent: "helper" }], isTerminal: true },
      { id: "helper", tools: ["Pay"] },
    ],
    tools: [pay],
    permissions: { helper: "ask" },
  });
}

const REPLIES: { readonly [agent: string]: readonly ScriptEntry[] } = {
  a: [
    {
      call: [
        { tool: "Pay", args: { to: "Ann", sum: 1 } },
        { tool: "Pay", args: { to: "Ann", sum: 2 } },
        { tool: "helper", args: { input: "pay" } },
      ],
    },
    { say: "ok" },
  ],
  helper: [{ call: [{ tool: "Pay", args: { to: "Carl", sum: 9 } }] }, { say: "helped" }],
};
const model = () => scriptModel(REPLIES);
const ANSWERS: Answers = {
  "1.1.1": { decision: "edit", args: { to: "Ann", sum: 3 } },
  "1.1.2": { decision: "deny", reason: "not twice" },
  "1.1.3": { decision: "edit", args: { input: "pay less" } },
  "1.1.3/helper/1.1.1": { decision: "edit", args: { to: "Carl", sum: 8 } },
};

const toolTexts = ({ history }: Awaited<ReturnType<typeof playAnswered>>) =>
  history.flatMap((message) => (message.role === "tool" ? [message.content] : []));

const RESULTS = [
  "[a person changed the arguments before the call: to, sum]\npaid 4 to Bob",
  "Error (permission): a person refused Pay: not twice",
  "[a person changed the arguments before the call: input]\nhelped",
];

test("a run whose approvals were edited and denied says the same again, to the byte", async () => {
  const run = await playAnswered(toCrew(), { model, answers: ANSWERS });
  assert.deepEqual([run.outcome, toolTexts(run)], ["done", RESULTS]);
  assert.equal(await replay(toCrew(), run.events), undefined);
  const started = of(run.events, "call.started").map(({ call, args, edited }) => [call, args, edited]);
  assert.deepEqual(Object.fromEntries(started.map(([call, ...rest]) => [call, rest])), {
    "1.1.1": [{ to: "Bob", sum: 4 }, true],
    "1.1.2": [{ to: "Ann", sum: 2 }, undefined],
    "1.1.3": [{ input: "pay less" }, true],
    "1.1.3/helper/1.1.1": [{ to: "Carl", sum: 8 }, true],
  });
  const at = of(run.events, "call.started")[0] ?? assert.fail("no call was started");
  const changed = run.events.with(at.seq - 1, { ...at, args: { to: "Ann", sum: 1 } });
  assert.equal((await replay(toCrew(), changed))?.seq, at.seq);
});

test("a process that ends after any event loses no answer, and nothing is done twice without a question", async () => {
  const whole = await playAnswered(toCrew(), { model, answers: ANSWERS });
  for (const { seq } of whole.events.slice(0, -1)) {
    const left = whole.events.slice(0, seq);
    const paid: unknown[] = [];
    const run = await playAnswered(toCrew(paid), { model, answers: ANSWERS, events: left });
    assert.deepEqual([run.outcome, toolTexts(run)], ["done", RESULTS], `after event ${seq}`);
    assert.deepEqual(run.events.slice(0, seq), left);
    assert.equal(await replay(toCrew(), run.events), undefined, `after event ${seq}`);
    const doubts = of(run.events, "question.opened").filter(({ kind }) => kind === "doubt").length;
    const before = of(left, "call.ended").filter(({ output, tool }) => output !== undefined && tool === "Pay").length;
    assert.equal(paid.length, 2 - before, `after event ${seq}, with ${doubts} doubts`);
  }
});

test("a fork asks anew about a call that was not made, before and after the answer", async () => {
  const { events } = await playAnswered(toCrew(), { model, answers: ANSWERS });
  const crew = toForkCrew(toCrew());
  for (const { seq } of events) {
    const log = toFork(events, seq, "fork");
    const open = of(log, "call.started").filter(({ via }) => via === undefined);
    const ended = new Set(of(log, "call.ended").map(({ call }) => call));
    assert.deepEqual(
      open.filter(({ call }) => !ended.has(call)),
      [],
      `forked at ${seq}`,
    );
    const answers = { ...ANSWERS, "1.1.1": "allow" };
    const run = await playAnswered(crew, { model, answers, events: log });
    const isMade = ended.has("1.1.1");
    assert.deepEqual([run.outcome, toolTexts(run)[0]], ["done", isMade ? RESULTS[0] : "paid 1 to Ann"], `at ${seq}`);
    assert.equal(await replay(crew, run.events), undefined, `forked at ${seq}`);
  }
});

/** The log as an older version wrote it: a call starts before the question, which takes two words. */
function toOld(events: readonly RunEvent[]): readonly RunEvent[] {
  const started = new Map(of(events, "call.started").map((event) => [event.call, event]));
  const ordered = events.flatMap((event): readonly RunEvent[] => {
    if (event.type === "call.started") return started.delete(event.call) ? [event] : [];
    if (event.type !== "question.opened" || event.call === undefined) return [event];
    const { effect, ...question } = event;
    const own = started.get(event.call) ?? {
      type: "call.started" as const,
      run: event.run,
      seq: 0,
      at: event.at,
      lane: event.lane,
      call: event.call,
      agent: event.agent,
      tool: event.tool ?? "",
      args: event.args ?? null,
      effect: effect ?? "irreversible",
    };
    started.delete(event.call);
    return [own, { ...question, schema: { enum: ["allow", "deny"] } }];
  });
  return ordered.map((event, index) => ({ ...event, seq: index + 1 }));
}

const OLD: readonly ScriptEntry[] = [{ call: [{ tool: "Pay", args: { to: "Ann", sum: 1 } }] }, { say: "ok" }];

test("a log in which a call starts before its question opens, continues and is replayed", async () => {
  const old = () => scriptModel({ a: OLD });
  const paused = toOld((await playAnswered(toCrew(), { model: old, answers: {} })).events);
  assert.deepEqual(
    paused.map(({ type }) => type).filter((type) => /^(call|question)/u.test(type)),
    ["call.started", "question.opened"],
  );
  assert.equal(await replay(toCrew(), paused), undefined);
  const run = await playAnswered(toCrew(), { model: old, answers: { "1.1.1": "allow" }, events: paused });
  assert.deepEqual([run.outcome, toolTexts(run)], ["done", ["paid 1 to Ann"]]);
  assert.equal(of(run.events, "call.started").length, 1);
  assert.equal(await replay(toCrew(), run.events), undefined);
  const edit = { "1.1.1": { decision: "edit", args: { to: "Ann", sum: 2 } } };
  const refused = playAnswered(toCrew(), { model: old, answers: edit, events: paused });
  await assert.rejects(refused, { code: "invalid", message: /must be one of "allow", "deny"/u });
  const fork = toFork(run.events, 5, "fork");
  const forked = await playAnswered(toForkCrew(toCrew()), { model: old, answers: edit, events: fork });
  assert.deepEqual(toolTexts(forked), ["[a person changed the arguments before the call: sum]\npaid 2 to Ann"]);
});
