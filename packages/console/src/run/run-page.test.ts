/** The computations of the run page: windows of rows, differences of prompts, routes and texts, and where keys lead. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RunEvent, StepPrompt } from "@baton/client";
import * as fc from "fast-check";
import { GrowingText } from "../store/growing-text.ts";
import { advancePlay, isOver, nextSpeed, seqOf, startPlay } from "../timeline/play.ts";
import { toScale } from "../timeline/scale.ts";
import { compareRoutes, lastCommon } from "./compare/compare.ts";
import { scrollTopFor, visibleRows } from "./inspector/row-window.ts";
import { shortPosition, stepBefore, turnOf } from "./selection.ts";
import { StoryIndex } from "../store/story-index.ts";
import { countHidden, type TurnItem } from "../turn/turn-items.ts";
import { compareXrays, targetOf, buildXray } from "./inspector/xray.ts";

describe("long stories", () => {
  const most = { items: 12, characters: 12_000 };
  const turn = (seq: number, text: string): TurnItem => {
    const from = { seq, at: seq };
    const written = new GrowingText();
    written.add(seq, text);
    const attempts = [{ from, text: written, reasoning: new GrowingText() }];
    const base = { turn: String(seq), agent: "a", lane: "", from };
    const step = { ...base, step: `${seq}.1`, model: "m", isOutput: false, attempts, calls: [] };
    return { kind: "turn", seq, signals: [], children: new Map(), turn: { ...base, audience: "user", steps: [step] } };
  };

  test("the newest items are shown: at most twelve, fewer if they are long, and never less than two", () => {
    const many = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => turn(index + 1, "x".repeat(length)));
    assert.equal(countHidden(many(5, 10), most), 0);
    assert.equal(countHidden(many(40, 10), most), 28);
    assert.equal(countHidden(many(40, 3_000), most), 36);
    assert.equal(countHidden(many(40, 50_000), most), 38);
  });
});

describe("windows of rows", () => {
  const SCROLLED = fc.record({
    count: fc.integer({ min: 0, max: 60_000 }),
    rowHeight: fc.constantFrom(26, 28, 44),
    top: fc.integer({ min: 0, max: 2_000_000 }),
    height: fc.integer({ min: 1, max: 2_000 }),
  });

  test("every row in sight is drawn, few others are, and none that is not there", () => {
    fc.assert(
      fc.property(SCROLLED, (scrolled) => {
        const { from, to } = visibleRows(scrolled);
        const { count, rowHeight, top, height } = scrolled;
        assert.ok(from >= 0 && from <= to && to <= count);
        assert.ok(to - from <= Math.ceil(height / rowHeight) + 18);
        const first = Math.floor(top / rowHeight);
        const last = Math.min(count - 1, Math.ceil((top + height) / rowHeight) - 1);
        for (const row of [first, last]) {
          if (row >= first && row <= last && row < count) assert.ok(row >= from && row < to, String(row));
        }
      }),
    );
  });

  test("a row that is asked for is in sight, and one that is in sight already moves nothing", () => {
    fc.assert(
      fc.property(SCROLLED, fc.nat(60_000), (scrolled, wanted) => {
        const { count, rowHeight } = scrolled;
        const height = Math.max(scrolled.height, rowHeight);
        const row = Math.min(wanted, Math.max(0, count - 1));
        const top = scrollTopFor({ ...scrolled, height }, wanted);
        assert.ok(row * rowHeight >= top - 1 && (row + 1) * rowHeight <= top + height + 1);
        assert.equal(scrollTopFor({ ...scrolled, height, top }, wanted), top);
      }),
    );
  });
});

describe("playing", () => {
  const scale = toScale([1, 3, 9], [0, 100, 400]);

  test("it goes on by the time that has passed, times its speed, and ends with the last event", () => {
    const playing = advancePlay(startPlay(scale, "4", 1), 25);
    assert.equal(seqOf(playing), 3);
    assert.equal(isOver(playing), false);
    assert.equal(seqOf(advancePlay(playing, 10_000)), 9);
    assert.equal(isOver(advancePlay(playing, 10_000)), true);
  });

  test("at the end it begins anew", () => {
    assert.equal(seqOf(startPlay(scale, "reading", 9)), 1);
  });

  test("it never goes back", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200)), (times) => {
        let playing = startPlay(scale, "1", 1);
        for (const ms of times) {
          const next = advancePlay(playing, ms);
          assert.ok(seqOf(next) >= seqOf(playing));
          playing = next;
        }
      }),
    );
  });

  test("speeds end at both ends", () => {
    assert.equal(nextSpeed("reading", -1), "reading");
    assert.equal(nextSpeed("reading", 1), "1");
    assert.equal(nextSpeed("16", 1), "16");
  });
});

describe("comparing", () => {
  test("two logs part after the last event that says the same, whichever run it is of and whenever it was", () => {
    const logOf = (run: string, ...agents: readonly string[]): readonly RunEvent[] =>
      agents.map((agent, index) => {
        const place = { run, seq: index * 2 + 1, at: run.length + index, lane: "" };
        return { ...place, type: "turn.started", turn: String(index + 1), agent };
      });
    assert.equal(lastCommon(logOf("first", "a", "b", "c"), logOf("other one", "a", "b", "d")), 3);
    assert.equal(lastCommon(logOf("first", "a", "b"), logOf("other one", "a", "b", "d")), 3);
    assert.equal(lastCommon(logOf("first", "a"), logOf("other one", "b")), 0);
  });

  test("routes are the same until they part", () => {
    assert.deepEqual(compareRoutes(["a", "b", "c"], ["a", "b", "d", "e"]), {
      same: ["a", "b"],
      here: ["c"],
      there: ["d", "e"],
    });
  });
});

describe("the X-ray", () => {
  const prompt: StepPrompt = {
    system: "You answer.",
    messages: [
      { role: "user", content: "go" },
      { role: "assistant", agent: "me", content: "one", calls: [{ id: "1.1.1", tool: "T", args: {} }] },
      { role: "tool", call: "1.1.1", tool: "T", content: "result" },
      { role: "user", content: "[other] hello" },
      { role: "assistant", agent: "me", content: "two" },
    ],
    tools: [{ name: "T", description: "Does." }],
    blocks: [
      { kind: "system", source: "system_prompt", tokens: 5 },
      { kind: "system", source: "state:name", tokens: 1 },
      { kind: "system", source: "system_prompt", tokens: 2 },
      { kind: "message", source: "input", tokens: 3 },
      { kind: "message", source: "turn 1", of: "1.1", tokens: 4 },
      { kind: "message", source: "call 1.1.1", of: "1.1.1", tokens: 6 },
      { kind: "message", source: "turn 2", tokens: 7 },
      { kind: "message", source: "turn 3", of: "3.1", tokens: 8 },
      { kind: "tool", source: "tool:T", tokens: 9 },
    ],
    left_out: [{ kind: "message", source: "turn 0", reason: "window" }],
  };
  const xray = buildXray(prompt, { id: "me" });

  test("blocks add up to the prompt, and own replies are one block", () => {
    assert.equal(xray.tokens, 45);
    assert.deepEqual(
      xray.blocks.map(({ kind, name, tokens }) => [kind, name, tokens]),
      [
        ["system", "system_prompt", 7],
        ["state", "name", 1],
        ["user", "input", 3],
        ["own", "me", 12],
        ["result", "T", 6],
        ["agent", "other", 7],
        ["tools", "T", 9],
      ],
    );
  });

  test("a block leads to the position it came from", () => {
    const targets = xray.blocks.flatMap(({ pieces }) => pieces).map(targetOf);
    assert.deepEqual(targets, [undefined, undefined, undefined, undefined, "1.1", "3.1", "1.1.1", "2", undefined]);
  });

  test("what was added and what is gone is counted by piece", () => {
    const before = buildXray(
      { ...prompt, messages: prompt.messages.slice(0, 4), blocks: prompt.blocks.filter(({ of }) => of !== "3.1") },
      { id: "me" },
    );
    assert.deepEqual([compareXrays(before, xray).added.size, compareXrays(before, xray).removed], [1, 0]);
    assert.deepEqual([compareXrays(xray, before).added.size, compareXrays(xray, before).removed], [0, 1]);
    assert.equal(compareXrays(xray, xray).added.size, 0);
  });
});

test("an agent of a sub-crew is told apart from one of the crew that has the same name", () => {
  const story = new StoryIndex();
  const base = { run: "r", agent: "writer" };
  const within = { ...base, lane: "2/team", crew: "team" };
  story.add({ ...base, type: "turn.started", turn: "1", lane: "", seq: 1, at: 1 });
  story.add({ ...base, type: "step.started", step: "1.1", lane: "", seq: 2, at: 2, model: "m" });
  story.add({ ...within, type: "turn.started", turn: "2/team/1", seq: 3, at: 3 });
  story.add({ ...within, type: "step.started", step: "2/team/1.1", seq: 4, at: 4, model: "m" });
  story.add({ ...base, type: "turn.started", turn: "3", lane: "", seq: 5, at: 5 });
  story.add({ ...base, type: "step.started", step: "3.1", lane: "", seq: 6, at: 6, model: "m" });
  const [first, inner, last] = story.turns;
  assert.ok(first?.steps[0] !== undefined && inner?.steps[0] !== undefined && last?.steps[0] !== undefined);
  assert.equal(stepBefore(story, last.steps[0])?.step, "1.1");
  assert.equal(stepBefore(story, inner.steps[0]), undefined);
  assert.equal(turnOf(story, "writer", 4)?.turn, "1");
  assert.equal(turnOf(story, "team", 4)?.turn, "2/team/1");
});

test("a position says what it is of", () => {
  assert.equal(shortPosition("4/quiz/student/1.2"), "4.2");
  assert.equal(shortPosition("4/quiz/student/1.2.3"), "4.2.3");
  assert.equal(shortPosition("4/quiz/student/1"), "4");
});
