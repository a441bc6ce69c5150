/** The prompt of a step is rebuilt from the log, byte for byte, and each piece names its source. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Chunk,
  type Crew,
  defineCrew,
  defineProgram,
  defineTool,
  Engine,
  type Message,
  type Model,
  type Prompt,
  type RunEvent,
} from "@baton/core";
import { of, SimulatedClock } from "@baton/core/testing";
import { z } from "zod";
import { type PromptBlock, promptOf, type StepPrompt } from "./prompt-of.ts";

type Pick = <T>(choices: readonly [T, ...T[]]) => T;

/** A run, and what its models were given, by step; a step that was interrupted may have given nothing. */
interface Played {
  readonly crew: Crew;
  readonly events: readonly RunEvent[];
  readonly given: ReadonlyMap<string, string>;
}

const HISTORY: readonly Message[] = [
  { role: "user", content: "earlier 1" },
  { role: "assistant", agent: "a", content: "", calls: [{ id: "1.1.1", tool: "T", args: {} }] },
  { role: "tool", call: "1.1.1", tool: "T", content: "earlier 2" },
  { role: "assistant", agent: "b", content: "earlier 3" },
  { role: "user", content: "earlier 4" },
];

/** A prompt as text. */
const toText = ({ system, messages, tools }: Pick3): string => JSON.stringify([system, messages, tools]);
type Pick3 = Readonly<{ system: string; messages: readonly Message[]; tools: Prompt["tools"] }>;

/** Plays a random run; every reply and result has words of its own. */
async function playRandom(seed: number): Promise<Played> {
  const clock = new SimulatedClock(seed);
  const pick: Pick = (choices) => choices[Math.floor(clock.random() * choices.length)] ?? choices[0];
  const given = new Map<string, string>();
  const steps = new Map<string, string>();
  const observe = (event: RunEvent) => event.type === "step.started" && steps.set(event.agent, event.step);
  let count = 0;
  const record = (prompt: Prompt): void => {
    given.set(steps.get(prompt.agent) ?? assert.fail(prompt.agent), toText(prompt));
  };
  const said = (what: string): string => `${what} ${++count} ${"word ".repeat(pick([1, 1, 60]))}`;
  const crew = toCrew(pick, said, record);
  const model: Model = {
    name: "random",
    async *stream(prompt) {
      record(prompt);
      if (pick([false, false, false, true])) await engine.command("r", { type: "say", text: said("say") });
      yield toReply(prompt, pick, said);
    },
  };
  const engine = new Engine({ clock, observe, model: () => model, newId: () => "r" });
  const start = { input: said("input"), history: pick([[], HISTORY]), options: pick([{}, { pay: true }]) };
  let run = engine.start(crew, start);
  for (let pauses = 0; (await clock.run(run.result)).outcome === "paused"; pauses++) {
    const command = pauses > 3 ? ({ type: "cancel" } as const) : ({ type: "resume", input: said("resume") } as const);
    ({ run } = await clock.run(run.command(command)));
  }
  const events = await clock.run(Array.fromAsync(run.events()));
  await clock.run(engine[Symbol.asyncDispose]());
  return { crew, events, given };
}

function toReply(prompt: Prompt, pick: Pick, said: (what: string) => string): readonly Chunk[] {
  const usage = { inputTokens: 1, outputTokens: 1 };
  const end = { type: "end", finish: "stop", usage } as const;
  const calls = prompt.tools.length === 0 ? [] : pick([[], [], ["T"], ["T", "P"], ["tool_search", "none"]]);
  if (calls.length > 0) {
    const called = calls.map((tool) => ({ type: "call", tool, args: JSON.stringify({ query: "pay" }) }) as const);
    return [{ type: "text", text: pick(["", said("asks")]) }, ...called, { ...end, finish: "calls" }];
  }
  const signal = pick(["[X]", "[Y]", "[Z]", "[STAY]", ""]);
  const value = pick<string>([`{"kind": "k", "text": ${JSON.stringify(said("json"))}}`, said("no json")]);
  const text = prompt.outputSchema === undefined ? `${said("reply")} ${signal}` : value;
  return [{ type: "text", text }, end];
}

function toCrew(pick: Pick, said: (what: string) => string, record: (prompt: Prompt) => void): Crew {
  const tools = ["T", "P"].map((name) =>
    defineTool({
      name,
      description: `${name} pays or looks`,
      effect: "read",
      input: z.looseObject({}),
      run: (_, { state }) => {
        state.set("last", said("state"));
        return said("result");
      },
    }),
  );
  const settings = {
    maxContextTokens: pick([128_000, 400, 150]),
    sharedToolResults: pick([false, true]),
    maxSteps: 3,
    maxHandoffs: 8,
  };
  const count = defineProgram((prompt) => {
    record(prompt);
    return { say: pick(["", said("program")]), set: { seen: said("set") }, call: pick([[], [{ tool: "T" }]]) };
  });
  const output = { type: "object", properties: { kind: { type: "string" } }, required: ["kind"] } as const;
  const systemPrompt = pick([undefined, "I am {{name}}. {{state.last}} / {{state.s*}} end."]);
  const searched = pick([{}, { toolSearch: true, pinnedTools: ["P"] }]);
  const offered = ["T", { name: "P", if: "options.pay" }];
  const own = { tools: offered, ...(systemPrompt === undefined ? {} : { systemPrompt }) };
  const inner = defineCrew({
    name: "inner",
    agents: [
      { id: "i1", ...own },
      { id: "i2", tools: ["T"], isTerminal: true },
      { id: "i3", tools: ["T"] },
    ],
    tools,
    signals: {
      i1: [
        { signal: "[X]", target: "duo" },
        { signal: "[Y]", target: "i2" },
      ],
    },
    behaviors: { i1: { waitForSignal: pick([true, false]) } },
    groups: { duo: { agents: ["i2", "i3"], nextAgent: "i1" } },
    settings,
  });
  return defineCrew({
    name: "outer",
    agents: [
      { id: "a", ...own, ...searched, history: pick([1, 2, 9]) },
      { id: "b", ...own, output },
      { id: "c", tools: ["T"], model: { name: "code/count" } },
      { id: "d", ...own, isTerminal: pick([true, false]), audience: pick(["crew", "user"]) },
    ],
    tools,
    programs: { count },
    subCrews: { sub: inner },
    signals: Object.fromEntries(
      ["a", "d"].map((id) => [
        id,
        [
          { signal: "[X]", target: "team" },
          { signal: "[Y]", target: "sub", returnTo: pick(["a", "b", "c"]) },
          { signal: "[Z]", target: pick(["b", "c"]) },
        ],
      ]),
    ),
    behaviors: { a: { waitForSignal: pick([true, false]) } },
    groups: { team: { agents: ["b", "d"], mode: pick(["settled", "first"]), nextAgent: pick(["a", "c"] as const) } },
    settings,
  });
}

/** A text that only this source has, for each source. */
function checkSource(block: PromptBlock, message: Message, events: readonly RunEvent[]): void {
  const { source, of: position = "" } = block;
  const words = toWords(source, position, events);
  if (words === undefined) return;
  const text = JSON.stringify(message);
  assert.ok(
    words.every((word) => text.includes(JSON.stringify(word).slice(1, -1))),
    `${source} ${position}: ${text}`,
  );
}

function toWords(source: string, position: string, events: readonly RunEvent[]): readonly string[] | undefined {
  if (source === "session") return undefined;
  if (source === "left_out") return ["left out]"];
  if (source === "correction") return ["Your reply is not what was asked for"];
  if (source.startsWith("call ")) return [source.slice(5)];
  if (source === "input" && position !== "") {
    const event = events.find(({ seq }) => `event ${seq}` === position) ?? assert.fail(position);
    if (event.type === "run.resumed") return [event.input ?? assert.fail()];
    if (event.type === "command.received" && event.command.type === "say") return [event.command.text];
    const value = event.type === "question.answered" ? event.value : undefined;
    return [typeof value === "string" ? value : assert.fail(event.type)];
  }
  if (source === "input") return [];
  assert.ok(source.startsWith("turn "), source);
  const step = of(events, "step.ended").find((ended) => ended.step === position);
  if (step !== undefined) return [step.text.trimEnd()];
  const turn = source.slice(5);
  const answered = of(events, "turn.ended").find((ended) => ended.turn === turn);
  if (answered !== undefined) return [answered.text.trimEnd()];
  const group = of(events, "group.ended").find((ended) => ended.turn === turn) ?? assert.fail(source);
  const { winner } = group;
  return group.results.flatMap(({ agent, text }) => ((winner ?? agent) === agent ? (text ?? []) : []));
}

test("what every step's model was given is rebuilt from the log, and each message names its source", async () => {
  const met = new Map<string, number>();
  const meet = (what: string) => met.set(what, (met.get(what) ?? 0) + 1);
  for (let seed = 1; seed <= 30; seed++) {
    const { crew, events, given } = await playRandom(seed);
    for (const { step, seq, ...started } of of(events, "step.started")) {
      const prompt = await promptOf(crew, events, step);
      const wasCalled = given.has(step);
      if (wasCalled) assert.equal(toText(prompt), given.get(step), `seed ${seed}, step ${step}`);
      else assert.ok(of(events, "step.ended").some((ended) => ended.step === step && ended.error !== undefined));
      assert.deepEqual([prompt.tokens, prompt.window], [started.tokens, started.window]);
      const blocks = prompt.blocks.filter(({ kind }) => kind === "message");
      assert.equal(blocks.length, prompt.messages.length);
      for (const [at, block] of blocks.entries()) {
        checkSource(block, prompt.messages[at] ?? assert.fail(), events);
        meet(block.source.split(" ")[0] ?? "");
      }
      // What was under way at that moment is all that there was.
      const trimmed = of(events, "history.trimmed").find((event) => event.step === step);
      const then = events.filter((event) => event.seq <= (trimmed?.seq ?? seq));
      if (trimmed !== undefined || seq % 3 === 0) {
        assert.equal(toText(await promptOf(crew, then, step)), toText(prompt));
      }
      for (const { kind, reason } of prompt.leftOut) meet(`${kind} ${reason}`);
      for (const { source } of prompt.blocks) meet(source.startsWith("state:") ? "state" : "other");
    }
  }
  const wanted = ["turn", "call", "input", "session", "correction", "left_out", "state", "message window"];
  for (const what of [...wanted, "message history", "tool if", "tool tool_search", "tool off"]) {
    assert.ok((met.get(what) ?? 0) > 0, `no step had ${what}`);
  }
});

describe("the prompt of a step", () => {
  test("says what of the system text comes from the state, what is offered and what is not", async () => {
    const played = await playRandom(3);
    const { step } = of(played.events, "step.started")[0] ?? assert.fail();
    const prompt: StepPrompt = await promptOf(played.crew, played.events, step);
    assert.ok(prompt.blocks.every(({ tokens }) => tokens > 0));
    assert.equal(prompt.blocks[0]?.source, "system_prompt");
  });

  test("is rebuilt from a log in which the engine worded its warnings in another way", async () => {
    let warned = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const { crew, events } = await playRandom(seed);
      const step = of(events, "step.started").at(-1)?.step ?? assert.fail();
      const worded = events.map((event) => (event.type === "warning.raised" ? { ...event, text: "old words" } : event));
      warned += of(events, "warning.raised").length;
      assert.equal(toText(await promptOf(crew, worded, step)), toText(await promptOf(crew, events, step)));
    }
    assert.ok(warned > 0);
  });

  test("of a step that does not exist is not found, and of another crew it cannot be rebuilt", async () => {
    const { crew, events } = await playRandom(1);
    await assert.rejects(promptOf(crew, events, "99.1"), { code: "not_found" });
    const other = defineCrew({ name: "outer", agents: [{ id: "z" }] });
    const { step } = of(events, "step.started").at(-1) ?? assert.fail();
    await assert.rejects(promptOf(other, events, step), { code: "diverged" });
  });
});
