/**
 * Simulation: random crews with misbehaving models, programs, tools and users, in virtual time and from a seed.
 *
 * One call plays one run through all its pauses to its end, with faults and commands at random moments, and gives
 * back what it left. The same seed plays the same run.
 */
import type { AgentDefinition, CrewTool, ToolOffer } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import type { Crew, GroupDefinition, SignalRoute } from "../definitions/definition.ts";
import { Engine, type StartOptions } from "../engine/engine.ts";
import { BatonError, ToolError } from "../words/error.ts";
import type { Command, RunEvent } from "../words/event.ts";
import type { Chunk, Model, Prompt } from "../ports/model.ts";
import { type Decision, defineProgram } from "../ports/program.ts";
import type { Run } from "../handle/run-handle.ts";
import type { RunResult } from "../handle/run-result.ts";
import type { Json } from "../words/json.ts";
import type { PlainInput } from "../words/schema/schema.ts";
import type { Scope } from "../lifetimes/scope.ts";
import { type CallContext, type Concurrency, defineTool, limited, type Tool } from "../definitions/tool.ts";
import { SimulatedClock } from "./simulated-clock.ts";

/** Events, result and leaks of a simulated run. */
export interface Simulated {
  readonly crew: Crew;
  readonly events: readonly RunEvent[];
  /** The run's final result. */
  readonly result: RunResult;
  /** Scopes, tasks, listeners and timers that were never let go. */
  readonly leaked: number;
  /** Milliseconds of virtual time from each user's message to the pause or end. */
  readonly livesMs: readonly number[];
}

type Pick = <T>(choices: readonly [T, ...T[]]) => T;

/** Plays one run from a seed. */
export async function simulate(seed: number): Promise<Simulated> {
  const clock = new SimulatedClock(seed);
  const pick: Pick = (choices) => choices[Math.floor(clock.random() * choices.length)] ?? choices[0];
  const crew = toCrew({ pick, clock, depth: 0 });
  const engine = new Engine({ clock, model: () => toModel(pick, crew), newId: () => "run" });
  const livesMs: number[] = [];
  const ended = await clock.run(playOut(engine, crew, { pick, clock, livesMs }));
  const events = await clock.run(Array.fromAsync(ended.events()));
  const result = await ended.result;
  await clock.run(engine[Symbol.asyncDispose]());
  // Deaf tools set timers of their own; time for the last of them to pass.
  await clock.advance(20_000);
  return { crew, events, result, leaked: engine.open + clock.pending, livesMs };
}

interface Play {
  readonly pick: Pick;
  readonly clock: SimulatedClock;
  readonly livesMs: number[];
}

/** Follows a run through its pauses, as a user who answers at random and sometimes gives up. */
async function playOut(engine: Engine, crew: Crew, { pick, clock, livesMs }: Play): Promise<Run> {
  const asked = pick<Partial<StartOptions>>([
    {},
    { options: { open: true, items: pick(LISTS) } },
    { options: { open: false, items: pick(LISTS) } },
    { options: { items: pick(LISTS) } },
    { model: "random/asked", history: PAST },
  ]);
  const run = engine.start(crew, { input: "go", ...asked });
  for (let pauses = 0; ; pauses++) {
    const began = clock.monotonic();
    const meddling = meddle(run, { pick, clock, livesMs });
    const segment = run.result;
    const { outcome, questions } = await segment;
    livesMs.push(clock.monotonic() - began);
    await meddling;
    // What meddled with it may have resumed it.
    if (outcome === "paused" && run.result !== segment) continue;
    if (outcome !== "paused") return run;
    const question = questions.length === 0 ? undefined : pick([questions[0], ...questions]);
    const command =
      pauses > 5
        ? ({ type: "cancel" } as const)
        : question === undefined
          ? ({ type: "resume", input: "go on" } as const)
          : question.kind === "pause" || question.kind === "message"
            ? ({
                type: "resume",
                ...(question.kind === "pause" ? {} : { input: "go on" }),
              } as const)
            : ({
                type: "answer",
                question: question.question,
                value: pick(["allow", "deny"]),
              } as const);
    if (pick([false, false, false, true])) await run.command({ type: "configure", temperature: pick([0, 1]) });
    const part = question?.call === undefined || pauses > 5 ? undefined : pick([undefined, undefined, question.call]);
    await run.command(part === undefined ? command : { type: "cancel", call: part });
  }
}

/** Sometimes sends a command while the run is at work; one that comes too late is refused, and that is fine. */
async function meddle(run: Run, { pick, clock }: Play): Promise<void> {
  const delayMs = pick([0, 1, 50, 400, 3_000]);
  const type = pick([undefined, undefined, "cancel", "say", "pause", "configure", "part", "part"] as const);
  if (type === undefined) return;
  await new Promise<void>((resolve) => {
    clock.after(delayMs, resolve);
  });
  await run.command(await toMeddling(run, pick, type)).catch((error: unknown) => {
    if (!(error instanceof BatonError)) throw error;
  });
}

type Meddling = "cancel" | "say" | "pause" | "configure" | "part";

/** A command; a part is the lane or call that began last, which may be over by now. */
async function toMeddling(run: Run, pick: Pick, type: Meddling): Promise<Command> {
  if (type === "say") return { type, text: "hurry" };
  if (type === "configure") return { type, agent: pick(["a", "nobody"]), maxTokens: 7 };
  if (type !== "part") return { type };
  const events: RunEvent[] = [];
  for await (const event of run.events()) {
    events.push(event);
    if (event.type === "call.started" || event.type === "group.started") break;
    if (event.type === "turn.started" && event.crew !== undefined) break;
  }
  const last = events.at(-1);
  if (last?.type === "turn.started") return { type: "cancel", lane: `${last.turn}/${last.agent}` };
  if (last?.type === "group.started") return { type: "cancel", lane: `${last.turn}/${last.group}/${last.agents[0]}` };
  return { type: "cancel", call: last?.type === "call.started" ? last.call : "none" };
}

/** Lists that maps go over, and something that is none. */
const LISTS: readonly [Json, ...Json[]] = [
  [1, "two", "three"],
  ["x", { y: 1 }, "z", 4, 5],
  ["x", { y: 1 }, "z", 4, 5],
  [],
  "none",
];

const PAST = [
  { role: "user", content: "before" },
  { role: "assistant", content: "I see." },
] as const;

const KINDS = {
  type: "object",
  properties: { kind: { enum: ["x", "y"] } },
  required: ["kind"],
} as const;

const PROMPT = "{{name}} knows {{state.last}}, {{state.fact/*}} and {{state.options.open}}.";

interface Making {
  readonly pick: Pick;
  readonly clock: SimulatedClock;
  /** Number of crews it is inside of. */
  readonly depth: number;
}

function toCrew(making: Making): Crew {
  const { pick, clock, depth } = making;
  const ids = ["a", "b", "c", "d"].slice(0, pick([1, 2, 3, 4]));
  const tools = ["T1", "T2", "T3"].map((name) => toTool(name, pick, clock));
  const subCrews: Readonly<Record<string, Crew>> =
    depth < 2 && pick([false, true, depth === 1]) ? { sub: toCrew({ ...making, depth: depth + 1 }) } : {};
  // Most routes lead further in, or few runs would be two crews deep.
  const inner = Array.from({ length: 9 }, () => Object.keys(subCrews)).flat();
  const target = () => pick(["", "team", "each", "each", "each", ...inner, ...ids]);
  const rescue = () => (pick([false, false, true]) ? { onFailure: pick(["a", ...ids]) } : {});
  const crews = Object.keys(subCrews).map((crew) => ({ crew, as: "S" }));
  const helpers = [
    { ...toAgent("k", making), tools: ["T1", "T2", { agent: "l", as: "L" }] },
    { ...toAgent("l", making), tools: ["T1", "T2"] },
  ];
  const agents = [...ids.map((id) => withChildren(toAgent(id, making), pick, crews)), ...helpers];
  return defineCrew({
    name: depth === 0 ? "random" : `random-${depth}`,
    agents,
    entry: depth === 0 ? "a" : pick(["a", "a", "a", "team"]),
    tools,
    subCrews,
    programs: { p: randomProgram(pick([1, 2, 3, 4, 5])) },
    signals: Object.fromEntries(agents.map((agent) => [agent.id, toRoutes(agent, pick, target)])),
    behaviors: Object.fromEntries(
      ids.map((id) => [
        id,
        {
          waitForSignal: pick([false, depth > 0, true]),
          autoRoute: pick([true, false]),
          ...rescue(),
        },
      ]),
    ),
    groups: {
      team: {
        agents: ids,
        mode: pick(["settled", "all", "first"] as const),
        timeoutMs: pick([50, 1_000, 60_000]),
      },
      each: toMap(pick, ["k", ...Object.keys(subCrews)]),
    },
    settings: {
      maxHandoffs: pick([2, 5, 9]),
      maxSteps: pick([1, 2, 4]),
      maxRepeatedCalls: pick([0, 1, 3]),
      maxParallelCalls: pick([1, 8]),
      maxParallelAgents: pick([1, 2, 8]),
      maxDepth: 9,
      sharedToolResults: pick([true, false]),
      maxOutputChars: pick([10, 16_000]),
      maxContextTokens: pick([40, 128_000]),
      timeoutMs: pick([300, 20_000, 300_000]),
      toolTimeoutMs: pick([100, 5_000]),
    },
  });
}

function toAgent(id: string, { pick }: Making): AgentDefinition {
  return {
    id,
    tools: ["T1", "T2", pick<string | ToolOffer>(["T3", { name: "T3", if: "options.open" }])],
    isTerminal: pick([false, false, true]),
    ...pick([{}, {}, {}, { model: { name: "code/p" } }]),
    ...pick([{}, {}, {}, { output: KINDS }]),
    ...pick([{}, {}, { audience: "crew" as const }]),
    ...pick([{}, {}, { systemPrompt: PROMPT }]),
    ...pick([{}, {}, {}, { history: 1 }]),
    ...pick([{}, {}, {}, {}, { toolSearch: true, pinnedTools: ["T1"] }]),
  };
}

function toMap(pick: Pick, members: readonly [string, ...string[]]): GroupDefinition {
  return {
    map: pick(members),
    over: "state.options.items",
    maxParallel: pick([1, 2, 8]),
    maxItems: pick([4, 9, 9]),
    mode: pick(["settled", "all", "first"] as const),
    timeoutMs: pick([50, 60_000, 60_000]),
  };
}

/** An agent that sometimes calls another one, or a crew, as a tool. */
function withChildren(agent: AgentDefinition, pick: Pick, crews: readonly CrewTool[]): AgentDefinition {
  const helper = { agent: "k", as: "K", maxCalls: pick([1, 8]), ...pick([{}, {}, { timeoutMs: 300 }]) };
  return { ...agent, tools: [...(agent.tools ?? []), helper, ...pick([[], crews])] };
}

function toRoutes({ output }: AgentDefinition, pick: Pick, target: () => string): readonly SignalRoute[] {
  const bySignal = ["[X]", "[Y]"].map((signal) => ({ signal, target: target() }));
  if (output === undefined) return bySignal;
  return pick([
    [{ when: { kind: "x" }, target: target() }, ...bySignal],
    [...bySignal, { when: { kind: ["x", "y"] }, target: target() }],
  ]);
}

/** A program that decides at random, yet always the same for the same prompt: a replay asks it again. */
function randomProgram(salt: number): Model {
  return defineProgram(({ agent, system, messages, tools, values, results, state, outputSchema }) => {
    const names = tools.map(({ name }) => name);
    const given = JSON.stringify([salt, agent, system, messages, names, [...values], results, state ?? null]);
    const chance = new SimulatedClock(toHash(given));
    const pick: Pick = (choices) => choices[Math.floor(chance.random() * choices.length)] ?? choices[0];
    if (pick([false, false, false, false, false, false, false, true])) throw new TypeError("thrown by a program");
    const call = names.length === 0 ? [] : pick([[], [], ["T1"], ["T2", "T3"]]).map((tool) => ({ tool }));
    const output =
      outputSchema === undefined ? undefined : pick([{ kind: "x" }, { kind: "y" }, { kind: "z" }, undefined]);
    const decision: Decision = {
      say: pick(["", "It is so. ", "[X]", "Then [y]"]),
      call,
      state: given.length,
      ...(output === undefined ? {} : { output }),
      ...pick([
        {},
        {
          set: {
            [`fact/${pick(["b", "a"])}`]: given.length,
            options: { open: pick([true, false]) },
          },
        },
      ]),
      ...pick<Decision>([{}, { notes: [{ kind: "decided", data: "program" }] }, { warnings: ["about to decide"] }]),
      ...pick([{}, {}, {}, {}, {}, { end: true }]),
    };
    return decision;
  });
}

/** A number of 32 bits that stands for a text. */
function toHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

const NO_INPUT: PlainInput = {
  jsonSchema: { type: "object", properties: {}, additionalProperties: false },
  validate: () => ({ ok: true, value: {} }),
};

function toTool(name: string, pick: Pick, clock: SimulatedClock): Tool {
  const effect = pick(["read", "idempotent", "irreversible"] as const);
  const isClient = pick([false, false, false, true]);
  return defineTool({
    name,
    description: `${name} does a deed`,
    effect,
    input: NO_INPUT,
    concurrency: pick<Concurrency>(["parallel", "sequential", limited(1)]),
    ...pick([{}, {}, { digest: () => "in short" }]),
    ...(isClient ? {} : { run: (_: unknown, context: CallContext) => misbehave(pick, clock, context) }),
  });
}

async function misbehave(pick: Pick, clock: SimulatedClock, context: CallContext): Promise<unknown> {
  const { scope, state, progress, note } = context;
  const deaf = (ms: number) =>
    new Promise<void>((resolve) => {
      clock.after(ms, resolve);
    });
  const deed = pick(["quick", "quick", "slow", "deaf", "never", "throw", "network", "string", "cycle"] as const);
  note("deed", "tool");
  if (deed === "slow") await scope.sleep(pick([10, 500, 8_000]));
  if (deed === "deaf") await deaf(pick([200, 9_000]));
  if (deed === "never") await new Promise(() => {});
  if (deed === "throw") throw new ToolError(pick(["permanent", "temporary", "crash"] as const), "thrown");
  if (deed === "network") throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
  if (deed === "string") await Promise.reject("a string");
  state.set("last", deed);
  if (pick([false, false, true])) state.set("options", { open: pick([true, false]), items: pick(LISTS) });
  progress(deed);
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  if (pick([false, false, true])) return { vector: Array.from({ length: 40 }, (_, at) => at) };
  return deed === "cycle" ? cycle : { deed };
}

const ENDINGS = ["[X]", "[y]", "[ Y ]", "nothing", ""] as const;

const JSONS = ['{"kind":"x"}', '```json\n{"kind":"y"}\n```', '{"kind":"x"} [X]', '{"kind":"z"}', "words"] as const;

function toModel(pick: Pick, crew: Crew): Model {
  return { name: "random", stream: (prompt, scope) => reply(pick, crew, { prompt, scope }) };
}

async function* reply(
  pick: Pick,
  crew: Crew,
  { prompt, scope }: { prompt: Prompt; scope: Scope },
): AsyncGenerator<readonly Chunk[]> {
  const delayMs = pick([0, 0, 5, 200, 2_000]);
  const isEmpty = pick([false, false, false, false, true]);
  const words = prompt.outputSchema === undefined ? ["Some ", "words ", pick(ENDINGS)] : [pick(JSONS)];
  for (const text of isEmpty ? [] : words) {
    if (delayMs > 0) await scope.sleep(delayMs);
    yield [{ type: "text", text }];
  }
  if (pick([false, false, false, true])) yield [{ type: "note", kind: "thought", data: "model" }];
  const failure = pick([undefined, undefined, undefined, undefined, "retryable", "final", "cut"] as const);
  if (failure === "cut") return;
  if (failure !== undefined) throw new BatonError("model", failure, { retryable: failure === "retryable" });
  const isSearching = prompt.tools.some(({ name }) => name === "tool_search") && pick([true, false]);
  const children = prompt.tools.some(({ name }) => name === "K") ? ["K", "S", "K", "T1"] : ["L", "T2"];
  const names = isEmpty
    ? []
    : pick<readonly string[]>([[], [], [], ["T1"], ["T1", "T2", "T3"], ["T3", "nonsense", "T3"], children, children]);
  if (isSearching) yield [{ type: "call", tool: "tool_search", args: '{"query":"a deed of T3"}' }];
  else if (prompt.tools.length > 0)
    yield names.map((tool) => {
      const args = ["K", "L", "S"].includes(tool) ? '{"input":"do it"}' : pick(["{}", "{", "[]"]);
      return { type: "call", tool, args } as const;
    });
  const usage = { inputTokens: prompt.messages.length, outputTokens: crew.agents.size };
  const end = pick([false, false, false, false, true]) ? ({ end: true } as const) : {};
  yield [{ type: "end", finish: pick(["stop", "length"]), usage, state: prompt.attempt, ...end }];
}
