import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../../definitions/crew.ts";
import type { CrewDefinition, Group } from "../../definitions/definition.ts";
import { Engine } from "../../engine/engine.ts";
import type { Model } from "../../ports/model.ts";
import { type ScriptEntry, scriptModel } from "../../ports/script.ts";
import { collect, of } from "../../testing/crew-runs.ts";
import { SimulatedClock } from "../../testing/simulated-clock.ts";
import { defineTool } from "../../definitions/tool.ts";

type Replies = { readonly [agent: string]: readonly ScriptEntry[] };

const wait = defineTool({
  name: "Wait",
  description: "Waits.",
  effect: "read",
  input: z.object({ ms: z.number() }),
  timeoutMs: 1_000_000,
  run: async ({ ms }, { scope }) => {
    await scope.sleep(ms);
    return ms;
  },
});

const crewOf = (group: Partial<Group>, more = {}) => {
  const definition: CrewDefinition = {
    name: "group",
    agents: [
      { id: "lead" },
      { id: "a", tools: ["Wait"] },
      { id: "b", tools: ["Wait"] },
      { id: "c", tools: ["Wait"] },
      { id: "end", isTerminal: true },
    ],
    tools: [wait],
    signals: { lead: [{ signal: "[ALL]", target: "team" }], a: [{ signal: "[STOP]", target: "" }] },
    groups: { team: { agents: ["a", "b", "c"], nextAgent: "end", ...group } },
    settings: { toolSequenceTimeoutMs: 1_000_000, ...more },
  };
  return defineCrew(definition);
};

async function run(group: Partial<Group>, replies: Replies, more = {}) {
  const clock = new SimulatedClock(7);
  await using engine = new Engine({
    clock,
    model: () => scriptModel({ lead: [{ say: "[ALL]" }], end: [{ say: "end" }], ...replies }),
  });
  const played = await clock.run(collect(engine.start(crewOf(group, more), { input: "go" })));
  return { ...played, ms: clock.monotonic() };
}

const after = (ms: number, say: string) => [{ call: [{ tool: "Wait", args: { ms } }] }, { say }];
const userMessages = async (events: Awaited<ReturnType<typeof run>>["events"]) => {
  const { fold } = await import("../../words/fold.ts");
  return fold(events)
    .history.filter(({ role }) => role === "user")
    .map(({ content }) => content);
};

test("members work together, and their answers join the history in the group's order", async () => {
  const { outcome, events, ms } = await run({}, { a: after(300, "A"), b: after(100, "B"), c: after(200, "C") });
  assert.equal(outcome, "done");
  assert.equal(ms, 300);
  assert.deepEqual(await userMessages(events), ["go", "[a] A\n\n[b] B\n\n[c] C"]);
  assert.deepEqual(
    of(events, "handoff.made").map(({ from, to, count }) => [from, to, count]),
    [
      ["lead", "team", 1],
      ["team", "end", 1],
    ],
  );
  const lanes = new Set(events.map(({ lane }) => lane));
  assert.deepEqual([...lanes].toSorted(), ["", "2/team/a", "2/team/b", "2/team/c"]);
});

test("a member that fails or is late is a warning, and disturbs nobody", async () => {
  const { outcome, events } = await run(
    { timeoutMs: 1_000 },
    { a: [{ fail: "broken" }], b: [{ say: "late", delayMs: 5_000 }], c: after(10, "C") },
  );
  assert.equal(outcome, "done");
  const [ended] = of(events, "group.ended");
  assert.deepEqual(
    ended?.results.map(({ agent, text, error }) => [agent, text ?? error?.code]),
    [
      ["a", "model"],
      ["b", "timeout"],
      ["c", "C"],
    ],
  );
  assert.match(of(events, "warning.raised")[0]?.text ?? "", /1 of 3 answered/);
  assert.deepEqual(await userMessages(events), ["go", "[c] C"]);
});

test("no success at all fails the run, and says why for each", async () => {
  const { outcome, error } = await run({}, { a: [{ fail: "x" }], b: [{ fail: "y" }], c: [{ fail: "z" }] });
  assert.equal(outcome, "failed");
  assert.equal(error?.code, "group");
  assert.match(error?.message ?? "", /a: x; b: y; c: z/);
});

test("with mode first the first success goes on, and the others are cancelled and awaited", async () => {
  const { outcome, events, ms } = await run(
    { mode: "first" },
    { a: after(9_000, "A"), b: after(50, "B"), c: [{ fail: "z" }] },
  );
  assert.equal(outcome, "done");
  assert.equal(ms, 50);
  assert.equal(of(events, "group.ended")[0]?.winner, "b");
  assert.deepEqual(await userMessages(events), ["go", "[b] B"]);
  const ended = events.findIndex(({ type }) => type === "group.ended");
  assert.ok(events.slice(ended).every(({ lane }) => lane === ""));
  assert.equal(of(events, "turn.started").length, of(events, "turn.ended").length);
});

test("signals of members are recorded and not followed", async () => {
  const { outcome, agent, events } = await run({}, { a: [{ say: "[STOP]" }], b: [{ say: "B" }], c: [{ say: "C" }] });
  assert.deepEqual([outcome, agent], ["done", "end"]);
  assert.deepEqual(
    of(events, "signal.matched").map(({ signal, followed }) => [signal, followed]),
    [
      ["[ALL]", true],
      ["[STOP]", false],
    ],
  );
});

test("a group and what follows it count as one handoff", async () => {
  const quick: Replies = { a: [{ say: "A" }], b: [{ say: "B" }], c: [{ say: "C" }] };
  assert.equal((await run({}, quick, { maxHandoffs: 2 })).outcome, "done");
  assert.equal((await run({}, quick, { maxHandoffs: 1 })).outcome, "limit");
});

test("without next_agent the baton falls to where the signalling agent would have gone", async () => {
  const crew = defineCrew({
    name: "g",
    agents: [{ id: "lead", handoffTargets: ["end"] }, { id: "a" }, { id: "end", isTerminal: true }],
    signals: { lead: [{ signal: "[ALL]", target: "team" }] },
    groups: { team: { agents: ["a"] } },
  });
  const clock = new SimulatedClock(1);
  const engine = new Engine({
    clock,
    model: () => scriptModel({ lead: [{ say: "[ALL]" }], a: [{ say: "A" }], end: [{ say: "E" }] }),
  });
  const { agent } = await clock.run(engine.start(crew, { input: "go" }).result);
  assert.equal(agent, "end");
});

test("a run may begin with a group", async () => {
  const crew = defineCrew({
    name: "g",
    entry: "team",
    agents: [{ id: "a" }, { id: "b" }],
    groups: { team: { agents: ["a", "b"] } },
  });
  const clock = new SimulatedClock(1);
  const engine = new Engine({ clock, model: () => scriptModel({ a: [{ say: "A" }], b: [{ say: "B" }] }) });
  const { outcome, content } = await clock.run(engine.start(crew, { input: "go" }).result);
  assert.deepEqual([outcome, content], ["done", "[a] A\n\n[b] B"]);
});

test("with mode all one failure fails the group and the run, and the others are cancelled and awaited", async () => {
  const { outcome, error, events, ms } = await run(
    { mode: "all" },
    { a: after(9_000, "A"), b: [{ fail: "no key" }], c: after(9_000, "C") },
  );
  assert.deepEqual([outcome, error?.code], ["failed", "group"]);
  assert.match(error?.message ?? "", /b: no key/);
  assert.ok(ms < 200, `${ms} ms`);
  assert.deepEqual(
    of(events, "group.ended")[0]?.results.map(({ agent, error: failure }) => [agent, failure?.code]),
    [
      ["a", "cancelled"],
      ["b", "model"],
      ["c", "cancelled"],
    ],
  );
});

test("with mode all everybody's answer is taken if nobody failed", async () => {
  const { outcome, events } = await run({ mode: "all" }, { a: after(5, "A"), b: [{ say: "B" }], c: [{ say: "C" }] });
  assert.equal(outcome, "done");
  assert.deepEqual(await userMessages(events), ["go", "[a] A\n\n[b] B\n\n[c] C"]);
});

test("a member that is late is told which setting that was", async () => {
  const { events } = await run({ timeoutMs: 100 }, { a: after(9_000, "A"), b: [{ say: "B" }], c: [{ say: "C" }] });
  assert.equal(
    of(events, "group.ended")[0]?.results[0]?.error?.message,
    "a took longer than 0.1 s (the group's timeout_seconds)",
  );
});

test("members' tool calls and results are shown to the next agent where the crew shares them, and are no part of the answer", async () => {
  for (const sharedToolResults of [false, true]) {
    const seen: string[] = [];
    const script = scriptModel({
      start: [{ say: "[BOTH]" }],
      a: [{ call: [{ tool: "Look" }] }, { say: "It is x." }],
      b: [{ say: "No idea." }],
      end: [{ say: "Done." }],
    });
    const model: Model = {
      ...script,
      stream(prompt, scope) {
        if (prompt.agent === "end") seen.push(...prompt.messages.map(({ content }) => content));
        return script.stream(prompt, scope);
      },
    };
    const look = defineTool({ name: "Look", description: "", effect: "read", input: z.object({}), run: () => "x" });
    const crew = defineCrew({
      name: "c",
      agents: [{ id: "start" }, { id: "a", tools: ["Look"] }, { id: "b" }, { id: "end", isTerminal: true }],
      tools: [look],
      signals: { start: [{ signal: "[BOTH]", target: "both" }] },
      groups: { both: { agents: ["a", "b"], nextAgent: "end" } },
      settings: { sharedToolResults },
    });
    await using engine = new Engine({ model: () => model });
    const started = engine.start(crew, { input: "go" });
    await started.result;
    const told = sharedToolResults ? "[a]\nLook({})\nLook → x\n" : "";
    assert.deepEqual(seen.at(-1), `${told}[a] It is x.\n\n[b] No idea.`);
    const ended = (await Array.fromAsync(started.events())).find(({ type }) => type === "group.ended");
    assert.equal(ended?.type === "group.ended" && "told" in (ended.results[0] ?? {}), sharedToolResults);
  }
});
