/** Chaos: what each fault does to a small conversation, and that defects are seen. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { z } from "zod";
import { defineCrew, defineTool, type RunEvent, scriptModel } from "@baton/core";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import type { Replies } from "@baton/core/testing";
import { parseCase } from "../eval-case.ts";
import { playCase } from "../trial.ts";
import { type FaultKind, runChaos } from "./chaos.ts";
import { readLogs } from "./chaos-life.ts";
import { toPlan } from "./chaos-plan.ts";
import { toVerdict } from "./chaos-verdict.ts";
import type { Use } from "./faulty-parts.ts";

const written: string[] = [];
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({ amount: z.number() }),
  run: ({ amount }) => {
    written.push(`paid ${amount}`);
    return "paid";
  },
});
const crew = defineCrew({
  name: "shop",
  tools: [pay],
  agents: [{ id: "a", tools: ["Pay"], isTerminal: true }],
});
const REPLIES = { a: [{ call: [{ tool: "Pay", args: { amount: 5 } }] }, { say: "Paid." }] };

async function playFirst(replies: Replies = REPLIES, name = "script") {
  await using store = await Store.open({ database: openMemory() });
  const one = parseCase({
    id: "x",
    input: "pay 5",
    answers: { Pay: "allow" },
    tools: { Pay: [{ output: "paid" }] },
    checks: { outcome: "done" },
  });
  await playCase(one, 1, { crew, store, model: () => () => ({ ...scriptModel(replies), name }) });
  return await readLogs(store);
}

const startProcess = () => Promise.reject(new Error("no process is wanted"));

async function cause(only: readonly FaultKind[], crewOf = crew, stuckMs = 60_000) {
  return runChaos({ crew: crewOf, plan: toPlan(await playFirst()), only, stuckMs, startProcess });
}

suite("faults", () => {
  test("a provider that fails once changes nothing; one that always fails is told", async () => {
    const plan = toPlan(await playFirst({ a: [{ say: "Hello." }] }));
    const { results, faults, same, degraded } = await runChaos({ crew, plan, only: ["provider"], startProcess });
    assert.deepEqual([faults, same, degraded], [12, 6, 6]);
    assert.ok(results.every(({ fault, result }) => result === (fault.endsWith("once") ? "same" : "degraded")));
    assert.ok(results.every(({ result, why }) => result === "same" || why !== ""));
    assert.deepEqual(written, []);
  });

  test("a tool that fails is told, and a repeated command has one effect", async () => {
    const { results } = await cause(["tool", "command"]);
    const defects = results.filter(({ result }) => !["same", "asked", "degraded"].includes(result));
    assert.deepEqual(defects, []);
    assert.deepEqual(
      results.map(({ fault, event, result }) => `${fault} ${event}: ${result}`),
      [
        "tool: slow Pay: degraded",
        "tool: crash Pay: degraded",
        "tool: huge Pay: same",
        "command: twice, at once start: same",
        "command: twice, later start: same",
        "command: twice, at once answer: same",
        "command: twice, later answer: same",
        "command: cancel twice a: degraded",
        "command: cancel twice a: degraded",
      ],
    );
  });
});

test("replies of the program that stands for a model are recorded like a model's", async () => {
  const plan = toPlan(await playFirst(REPLIES, "code/offline"));
  const { results } = await runChaos({ crew, plan, only: ["command"], startProcess });
  assert.equal(results.filter(({ event, result }) => event === "answer" && result === "same").length, 2);
});

test("a recording that does not play as it was is refused, and no fault passes because of it", async () => {
  const plan = { ...toPlan(await playFirst()), script: {} };
  await assert.rejects(runChaos({ crew, plan, only: ["provider"], startProcess }), {
    code: "invalid",
    message: /was done and is failed .*no reply for agent "a"/,
  });
});

test("a conversation that neither ends nor pauses is stuck", async () => {
  const slow = { ...pay, timeoutMs: 3_600_000 };
  const patient = defineCrew({
    name: "shop",
    tools: [slow],
    agents: [{ id: "a", tools: ["Pay"], isTerminal: true }],
    settings: { timeoutMs: 36_000_000, toolSequenceTimeoutMs: 36_000_000 },
  });
  const { results } = await cause(["tool"], patient, 3_000);
  assert.equal(results.find(({ fault }) => fault === "tool: slow")?.result, "stuck");
});

suite("verdicts", () => {
  const log = async (): Promise<readonly RunEvent[]> => (await playFirst())[0] ?? [];
  const use: Use = { is: "tool", run: "chaos-1", name: "Pay", key: "chaos-1/1.1.1", effect: "irreversible" };

  test("an irreversible call in two lives is repeated", async () => {
    const own = await log();
    assert.equal(toVerdict([own], { logs: [own], lives: [[use], [use]] }).result, "repeated");
    assert.equal(toVerdict([own], { logs: [own], lives: [[use], []] }).result, "same");
  });

  test("a finished call that is made again, a reply asked for again and an event that is gone are lost", async () => {
    const own = await log();
    const [run] = own.map((event) => event.run);
    const call = own.find((event) => event.type === "call.ended");
    assert.ok(call);
    const key = `${run}/${call.call}`;
    const again: Use = { is: "tool", run: run ?? "", name: "Pay", key, effect: "read" };
    const atKill = [own];
    assert.match(toVerdict([own], { logs: [own], lives: [[], [again]], atKill }).why, /executed again/);
    const asked: Use = { is: "model", run: run ?? "", name: "a" };
    assert.match(toVerdict([own], { logs: [own], lives: [[], [asked]], atKill }).why, /asked 1 times for 0/);
    const gone = own.filter((event) => event !== call);
    assert.match(toVerdict([own], { logs: [gone], lives: [[], []], atKill }).why, /is gone/);
  });

  test("another answer without a reason is lost, with a reason degraded", async () => {
    const own = await log();
    const other = own.map((event) =>
      event.type === "run.ended" || event.type === "turn.ended" ? { ...event, text: "No.", content: "No." } : event,
    );
    assert.equal(toVerdict([own], { logs: [other], lives: [[]] }).result, "lost");
    const failed = other.map((event) =>
      event.type === "run.ended" ? { ...event, error: { code: "model" as const, message: "down" } } : event,
    );
    assert.deepEqual(toVerdict([own], { logs: [failed], lives: [[]] }), { result: "degraded", why: "down" });
  });
});
