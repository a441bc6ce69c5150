import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { CrewDefinition } from "../definitions/definition.ts";
import { Engine } from "../engine/engine.ts";
import { fold } from "../words/fold.ts";
import { keepNewest } from "../views/history.ts";
import type { Message } from "../words/message.ts";
import { toResult } from "../handle/run-result.ts";
import { type Script, type ScriptEntry, scriptModel } from "../ports/script.ts";
import { collect, of, play, type Played } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const look = defineTool({ name: "Look", description: "Looks.", effect: "read", input: z.any(), run: () => "seen" });

/** A planner that writes for the crew, then a writer, then perhaps a checker that writes for the crew. */
const crewOf = (more: Partial<CrewDefinition> = {}) =>
  defineCrew({
    name: "t",
    tools: [look],
    agents: [
      { id: "writer" },
      { id: "planner", audience: "crew", tools: ["Look"] },
      { id: "checker", audience: "crew", isTerminal: true },
    ],
    entry: "planner",
    defaults: { planner: "writer", writer: "checker" },
    ...more,
  });

const REPLIES: { readonly [agent: string]: readonly ScriptEntry[] } = {
  planner: [{ say: "Looking.", call: [{ tool: "Look" }] }, { say: "The plan." }],
  writer: [{ say: "The answer. [OK]" }],
  checker: [{ say: "Fine." }],
};

const toSaid = (history: readonly Message[]) => history.map(({ content }) => content);

function assertSameAsFold({ events, engine: _1, run: _2, ...result }: Played): void {
  assert.deepEqual(toResult(fold(events)), result);
}

test("the content of a run is the last reply for the user, though agents of the crew wrote after it", async () => {
  const crew = crewOf({ signals: { writer: [{ signal: "[OK]", target: "checker" }] } });
  const played = await play(crew, REPLIES);
  assert.deepEqual(
    [played.outcome, played.content, played.raw, played.agent],
    ["done", "The answer.", "Fine.", "checker"],
  );
  const [ended] = of(played.events, "run.ended");
  assert.deepEqual([ended?.text, ended?.content], ["Fine.", "The answer."]);
  assert.deepEqual(
    of(played.events, "turn.started").map(({ agent, audience }) => [agent, audience]),
    [
      ["planner", "crew"],
      ["writer", undefined],
      ["checker", "crew"],
    ],
  );
  assertSameAsFold(played);
});

test("a run in which nobody wrote for the user has no content", async () => {
  const crew = crewOf({
    agents: [{ id: "planner", audience: "crew", isTerminal: true, tools: ["Look"] }],
    defaults: {},
  });
  const played = await play(crew, REPLIES);
  assert.deepEqual([played.outcome, played.content, played.raw], ["done", "", "The plan."]);
  assertSameAsFold(played);
});

test("what is for the crew is seen by later agents of the run, and not by the run that follows", async () => {
  const seen: string[][] = [];
  const script = scriptModel(REPLIES);
  const engine = new Engine({
    model: () => ({
      name: "seen",
      stream: (prompt, scope) => {
        if (prompt.agent === "writer") seen.push(toSaid(prompt.messages));
        return script.stream(prompt, scope);
      },
    }),
  });
  const first = await collect(engine.start(crewOf(), { input: "hello" }));
  assert.deepEqual(seen, [["hello", "[planner] The plan."]]);
  assert.deepEqual(toSaid(first.history), ["hello", "The answer. [OK]"]);
  const second = await engine.start(crewOf(), { input: "again", history: first.history }).result;
  assert.deepEqual(seen[1], ["hello", "The answer. [OK]", "again", "[planner] The plan."]);
  assert.deepEqual(toSaid(second.history), ["hello", "The answer. [OK]", "again", "The answer. [OK]"]);
});

test("an agent of the crew that waits leaves what was last said for the user, also as its log is read", async () => {
  const crew = crewOf({ behaviors: { checker: { waitForSignal: true } } });
  const played = await play(crew, { ...REPLIES, checker: [{ say: "Is that right?" }] });
  assert.deepEqual([played.outcome, played.content, played.raw], ["paused", "The answer. [OK]", "Is that right?"]);
  assertSameAsFold(played);
});

test("of the conversation before a run an agent with `history` sees the newest messages, and all of the run", async () => {
  const past: readonly Message[] = [
    { role: "user", content: "u1" },
    { role: "assistant", content: "a1", calls: [{ id: "1.1.1", tool: "Look", args: {} }] },
    { role: "tool", call: "1.1.1", tool: "Look", content: "r1" },
    { role: "assistant", content: "a2" },
    { role: "user", content: "u2" },
  ];
  const shown = async (history: number | undefined): Promise<readonly string[]> => {
    const seen: string[][] = [];
    const script: Script = new Map([["a", [{ call: [{ tool: "Look" }] }, { say: "done" }]]]);
    const engine = new Engine({
      model: () => ({
        name: "seen",
        stream: (prompt, scope) => {
          seen.push(toSaid(prompt.messages));
          return scriptModel(script).stream(prompt, scope);
        },
      }),
    });
    const agents = [{ id: "a", tools: ["Look"], isTerminal: true, ...(history === undefined ? {} : { history }) }];
    await engine.start(defineCrew({ name: "t", tools: [look], agents }), { input: "now", history: past }).result;
    assert.deepEqual(seen[1], [...(seen[0] ?? []), "", "seen"]);
    return seen[0] ?? [];
  };
  assert.deepEqual(await shown(0), ["now"]);
  assert.deepEqual(await shown(1), ["u2", "now"]);
  assert.deepEqual(await shown(2), ["a2", "u2", "now"]);
  assert.deepEqual(await shown(3), ["a1", "r1", "a2", "u2", "now"]);
  assert.deepEqual(await shown(4), ["u1", "a1", "r1", "a2", "u2", "now"]);
  assert.deepEqual(await shown(undefined), await shown(99));
});

test("the newest messages are so many that are not results, and no result is without its reply", () => {
  const role = fc.constantFrom("user", "assistant", "tool");
  fc.assert(
    fc.property(fc.array(role), fc.array(role), fc.nat(6), (before, run, newest) => {
      const roles = ["user", ...before, ...run];
      const history = roles.map((one, at): Message => {
        const content = `${at}`;
        if (one === "tool") return { role: "tool", call: "1.1.1", tool: "Look", content };
        return { role: one === "user" ? "user" : "assistant", content };
      });
      const count = 1 + before.length;
      const kept = keepNewest(history, count, newest);
      const dropped = history.length - kept.length;
      assert.deepEqual(kept, history.slice(dropped));
      assert.ok(dropped <= count);
      const counted = history.slice(dropped, count).filter((message) => message.role !== "tool").length;
      const all = history.slice(0, count).filter((message) => message.role !== "tool").length;
      assert.equal(counted, Math.min(newest, all));
      if (newest > 0) assert.notEqual(kept[0]?.role, "tool");
    }),
  );
});
