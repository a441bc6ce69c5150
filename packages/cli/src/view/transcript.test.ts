import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CrewDefinition,
  defineCrew,
  defineTool,
  Engine,
  type RunEvent,
  type ScriptEntry,
  scriptModel,
  ToolError,
} from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import * as fc from "fast-check";
import { z } from "zod";
import { toAgentViews } from "./agent-view.ts";
import { plainText, type Line } from "../terminal/styled-line.ts";
import { Transcript } from "./transcript.ts";
import { displayWidth } from "../terminal/width.ts";

interface Play {
  readonly crew: CrewDefinition;
  readonly script: { readonly [agent: string]: readonly ScriptEntry[] };
  readonly input?: string;
  /** Cancelled after so long. */
  readonly cancelAfterMs?: number;
  /** The answer to approvals. */
  readonly answer?: "allow" | "deny";
}

const wait = defineTool({
  name: "Wait",
  description: "Waits.",
  effect: "read",
  input: z.object({ ms: z.number() }),
  run: async ({ ms }, { scope }) => {
    await scope.sleep(ms);
    return { waited: true };
  },
});
const wire = defineTool({
  name: "Wire",
  description: "",
  effect: "irreversible",
  input: z.object({}),
  run: () => "sent",
});
const broken = defineTool({
  name: "Broken",
  description: "",
  effect: "read",
  input: z.object({}),
  run: () => {
    throw new ToolError("permanent", "the disk is on fire");
  },
});

const solo = {
  agents: [{ id: "a", name: "Ada", isTerminal: true, tools: ["Wait", "Wire", "Broken"] }],
  name: "solo",
  tools: [wait, wire, broken],
};

/** All events of a run, with no real time passing. */
async function play({
  crew: definition,
  script,
  input = "Hi",
  cancelAfterMs,
  answer,
}: Play): Promise<readonly RunEvent[]> {
  const clock = new SimulatedClock(1);
  const crew = defineCrew(definition);
  const events: RunEvent[] = [];
  const engine = new Engine({ model: () => scriptModel(script), clock, observe: (event) => events.push(event) });
  const run = engine.start(crew, { input });
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    cancelling = run.command({ type: "cancel" });
  };
  if (cancelAfterMs !== undefined) clock.after(cancelAfterMs, cancel);
  const { questions } = await clock.run(run.result);
  await cancelling;
  for (const { question } of questions) {
    if (answer === undefined) break;
    const { run: next } = await run.command({ type: "answer", question, value: answer });
    await clock.run(next.result);
  }
  return events;
}

function show(definition: CrewDefinition, events: readonly RunEvent[], width = Infinity): readonly Line[] {
  const transcript = new Transcript(toAgentViews(defineCrew(definition)));
  return events.flatMap((event) => transcript.add(event, width));
}

async function showPlay(options: Play, width = Infinity): Promise<string> {
  const lines = show(options.crew, await play(options), width);
  return lines
    .map(plainText)
    .join("\n")
    .trim()
    .replace(/\d+ tokens in, \d+ out/, "N tokens");
}

const desk: CrewDefinition = {
  name: "desk",
  agents: [
    { id: "front", name: "Mỹ" },
    { id: "asker", name: "Ngân" },
    { id: "doer", name: "doer", tools: ["Wait"] },
  ],
  tools: [wait],
  signals: {
    front: [
      { signal: "[ROUTE_DOER]", target: "doer" },
      { signal: "[ROUTE_ASKER]", target: "asker" },
    ],
    asker: [{ signal: "[KẾT THÚC]", target: "doer" }],
    doer: [{ signal: "[DONE]", target: "" }],
  },
  behaviors: { asker: { waitForSignal: true } },
};

test("the end says how many tokens came from the provider's cache, and how many were written into it", async () => {
  const events = await play({ crew: solo, script: { a: [{ say: "Hi." }] } });
  const told = events.map((event) =>
    event.type === "step.ended"
      ? { ...event, usage: { inputTokens: 2_500, outputTokens: 7, cachedTokens: 2_000, cacheWriteTokens: 300 } }
      : event,
  );
  const text = show(solo, told).map(plainText).join("\n");
  assert.match(text, /2,500 tokens in \(2,000 cached, 300 written to the cache\), 7 out/);
});

test("a run reads as turns with their text, tools, signals and where those led", async () => {
  const text = await showPlay({
    crew: desk,
    script: {
      front: [{ say: "Clear enough [see 1].\n\n[ROUTE_DOER]" }],
      doer: [
        { say: "Let me look.", call: [{ tool: "Wait", args: { ms: 1_250 } }] },
        { say: "All is well. [DONE]", delayMs: 10 },
      ],
    },
  });
  assert.equal(
    text,
    `● Mỹ  front
│ Clear enough [see 1].
╰─ [ROUTE_DOER] → doer

● doer
│ Let me look.
│ ✓ Wait(ms: 1250)  1.3 s
│   {"waited":true}
│ All is well.
╰─ [DONE] → end

✓ done in 1.3 s · 2 turns · 3 model calls · 1 tool call · N tokens`,
  );
});

test("a pause says so, and the time until the answer is not counted", async () => {
  const text = await showPlay({
    crew: desk,
    script: { front: [{ say: "? [ROUTE_ASKER]" }], asker: [{ say: "Since when?" }] },
  });
  assert.match(text, /● Ngân {2}asker\n│ Since when\?\n╰─ waits for you$/);
});

test("members of a group are shown one after the other, in the group's order, with what they signalled", async () => {
  const crew: CrewDefinition = {
    name: "pair",
    agents: [{ id: "lead" }, { id: "slow" }, { id: "quick" }, { id: "end", isTerminal: true }],
    signals: { lead: [{ signal: "[GO]", target: "both" }], quick: [{ signal: "[FOUND]", target: "end" }] },
    groups: { both: { agents: ["slow", "quick"], nextAgent: "end" } },
  };
  const text = await showPlay({
    crew,
    script: {
      lead: [{ say: "Go. [GO]" }],
      slow: [{ say: "one two three", delayMs: 100 }],
      quick: [{ fail: "busy", retryable: true }, { say: "here [FOUND]" }],
      end: [{ say: "Bye." }],
    },
  });
  assert.equal(
    text.replace(/\d+ ms/, "N ms"),
    `● lead
│ Go.
╰─ [GO] → both

◆ both  slow, quick in parallel
│ ● slow
│ │ one two three
│ ╰─
│ ● quick
│ │ ↻ busy; try 2 in N ms
│ │ here
│ ╰─ [FOUND]
╰─ → end

● end
│ Bye.
╰─

✓ done in 397 ms · 4 turns · 4 model calls · N tokens`,
  );
});

test("a tool that fails is shown with its reason, and a run that fails with what to do", async () => {
  const text = await showPlay({
    crew: solo,
    script: { a: [{ call: [{ tool: "Broken" }, { tool: "Nope" }] }, { fail: "401 no such key" }] },
  });
  assert.match(text, /│ ✗ Broken\(\) {2}.*\n│ {3}the disk is on fire\n/);
  assert.match(text, /│ ✗ Nope\(\) {2}0 ms\n│ {3}there is no tool "Nope"/);
  assert.match(text, /✗ failed in .*\n {2}401 no such key\n {2}Try again, or choose another model with --model NAME/);
});

test("a cancelled run ends with what became of everything that was running, by name", async () => {
  const text = await showPlay({
    crew: solo,
    script: { a: [{ call: [{ tool: "Wait", args: { ms: 4_000 } }] }] },
    cancelAfterMs: 700,
  });
  assert.match(
    text,
    /│ ✗ Wait\(ms: 4000\) {2}700 ms\n╰─\n\n■ cancelled in 700 ms .*\n {2}Ada stopped\n {2}Wait \(1\.1\.1\) stopped$/,
  );
});

test("text that a retry made void is marked as such", async () => {
  const events = await play({ crew: solo, script: { a: [{ say: "never mind" }] } });
  const [started, step, delta] = ["turn.started", "step.started", "text.delta"].map((type) =>
    events.find((event) => event.type === type),
  );
  assert.ok(started && step && delta);
  const { run, seq, at, lane } = delta;
  const retried: RunEvent = {
    type: "step.retried",
    run,
    seq,
    at,
    lane,
    step: "1.1",
    agent: "a",
    attempt: 2,
    delayMs: 0,
    error: { code: "model", message: "cut off" },
  };
  const lines = show(solo, [started, step, delta, retried]).map(plainText);
  assert.deepEqual(lines.slice(2), ["│ never", "│ ↻ ignore the text above: cut off; try 2"]);
});

test("an approved call continues in the same turn, and the time a person took is not the tool's", async () => {
  const text = await showPlay({
    crew: solo,
    script: { a: [{ call: [{ tool: "Wire" }] }, { say: "Sent." }] },
    answer: "allow",
  });
  assert.match(
    text,
    /● Ada {2}a\n│ \? Wire\(\) {2}needs your approval\n│ {3}allowed\n│ ✓ Wire\(\) {2}0 ms\n│ {3}sent\n│ Sent\.\n╰─/,
  );
});

test("what is under way is shown as it goes: text, tools, then the model", async () => {
  const events = await play({
    crew: solo,
    script: { a: [{ say: "I look", call: [{ tool: "Wait", args: { ms: 900 } }] }, { say: "Bye" }] },
  });
  const transcript = new Transcript(toAgentViews(defineCrew(solo)));
  const seen: string[] = [];
  for (const event of events) {
    transcript.add(event, 40);
    const frame = { now: event.at + 1_500, width: 40 };
    seen.push(`${event.type}: ${transcript.live(frame).map(plainText).join(" / ")}`);
  }
  assert.deepEqual(seen.slice(2, 7), [
    "step.started: │ ⠇ script  1.5 s",
    "text.delta: │ I",
    "text.delta: │ I look",
    "step.ended: ",
    "call.started: │ ⠇ Wait(ms: 900)  1.5 s",
  ]);
  assert.equal(seen.at(-1), "run.ended: ");
});

test("no line is wider than the window, however narrow, and none can control the terminal", async () => {
  const hostile = fc.string({
    unit: fc.constantFrom("a", "日", " ", "\u001b[2J", "\u0301", "\n", "\r", "\u202e", "word", "[DONE]"),
  });
  await fc.assert(
    fc.asyncProperty(hostile, fc.integer({ min: 16, max: 50 }), async (say, width) => {
      const script = {
        front: [{ say: `${say}[ROUTE_DOER]` }],
        doer: [{ call: [{ tool: say, args: { ms: say } }] }, { say: `${say} x` }],
      };
      for (const line of show(desk, await play({ crew: desk, script }), width)) {
        const text = plainText(line);
        assert.ok(displayWidth(text) <= width, `${displayWidth(text)} cells in ${width}: ${text}`);
        assert.doesNotMatch(text, /\p{Control}/u);
      }
    }),
    { numRuns: 60 },
  );
});
