/**
 * Scenes: small scripted runs, one for each thing a dialect must be able to tell.
 */
import { setImmediate } from "node:timers/promises";
import {
  BatonError,
  type Chunk,
  type Crew,
  Engine,
  type Json,
  type Model,
  type Run,
  type RunEvent,
  type ScriptEntry,
} from "@baton/core";
import { collect, type Replies } from "@baton/core/testing";
import type { Dialect, DialectContext, Frame } from "../dialect.ts";
import { begin, CREATED_AT, type Scene, scene, toScene, toSteadyClock, USAGE } from "./play.ts";
import { CHILD_SCENES } from "./child-scenes.ts";
import { SUB_CREW_SCENES } from "./sub-crew-scenes.ts";
import { RELAY, REMOTE, SOLO, TEAM, TOOLED, WAITING } from "./scene-crews.ts";

/** Every scene by its name. */
export const SCENES: ReadonlyMap<string, () => Promise<Scene>> = new Map([
  ["a plain answer", () => scene(SOLO, { helper: [{ say: "Hello there, [friend]!\nBye." }] })],
  [
    "tools",
    () =>
      scene(TOOLED, {
        helper: [
          {
            say: "Let me see.",
            call: [
              { tool: "add", args: { a: 1, b: 2 } },
              { tool: "add", args: { a: "x" } },
            ],
          },
          { say: "It is 3." },
        ],
      }),
  ],
  [
    "signals and a handoff",
    () =>
      scene(RELAY, { router: [{ say: "Over to the writer. [ROUTE_WRITER]" }], writer: [{ say: "Done [end], all." }] }),
  ],
  [
    "a group",
    () =>
      scene(TEAM, {
        lead: [{ say: "[ASK_ALL] What do you say?" }],
        left: [{ say: "I say left. [DONE]" }],
        right: [{ say: "I say right." }],
        closer: [{ say: "Both it is." }],
      }),
  ],
  ["a group with a failing member", () => scene(TEAM, FAILING)],
  ["a pause and a resume", pauseAndResume],
  ["a pause in which a command comes that does not end it", configurePaused],
  ["an approval that is given", () => approve("allow", [ERASE])],
  ["an approval that is refused", () => approve("deny", [ERASE])],
  [
    "an approval that is refused with a reason",
    () => approve({ decision: "deny", reason: "we still need it" }, [ERASE]),
  ],
  ["an approval with other arguments", () => approve({ decision: "edit", args: { path: "old.txt" } }, [ERASE])],
  ["an approval of a call that then fails", () => approve("allow", [{ tool: "pay", args: {} }])],
  ["an approval that another call waits behind", () => approve("allow", [ERASE, { tool: "note", args: {} }])],
  ["an approval in a group", approveInGroup],
  ["a tool of the client", () => answer([PICK], [["1.1.1/tool", { colour: "blue" }]])],
  [
    "a tool of the client whose arguments stream, and one that does not fit",
    () => model(REMOTE, picking, [["1.1.1/tool", { colour: "blue" }]]),
  ],
  [
    "a tool of the client that is approved first",
    () =>
      answer(
        [{ tool: "openDoor", args: {} }],
        [
          ["1.1.1", "allow"],
          ["1.1.1/tool", "it is open"],
        ],
      ),
  ],
  ["a tool of the client that is refused", () => answer([{ tool: "openDoor", args: {} }], [["1.1.1", "deny"]])],
  [
    "a tool of the client beside an approval",
    () =>
      answer(
        [PICK, ERASE],
        [
          ["1.1.1/tool", { colour: "blue" }],
          ["1.1.2", "allow"],
        ],
      ),
  ],
  ["a tool of the client that is cancelled", cancelClientCall],
  ["a pause by command", pauseByCommand],
  ["a failure", () => scene(SOLO, { helper: [{ fail: "the provider is down" }] })],
  ["a failure in the middle of a reply", () => model(SOLO, breaking)],
  ["a limit", () => scene(RELAY, { router: [{ say: "[ROUTE_WRITER]" }], writer: [{ say: "Back [BACK]" }] })],
  ["a cancel", cancel],
  ["a cancel of a paused run", cancelPaused],
  ["a crash in the middle of a reply", crash],
  ["a step that starts again", () => model(TEAM, restarting)],
  ["reasoning, arguments and progress", () => model(TOOLED, thinking)],
  ...SUB_CREW_SCENES,
  ...CHILD_SCENES,
]);

const ERASE = { tool: "erase", args: { path: "notes.txt" } };

const PICK = { tool: "pickColour", args: { of: ["red", "blue"] } };

const FAILING: Replies = {
  lead: [{ say: "[ASK_ALL]" }],
  left: [{ fail: "no answer from left" }],
  right: [{ say: "I say right." }],
  closer: [{ say: "Right it is." }],
};

/** The context of a scene for a dialect. */
export function toContext({ crew }: Scene, more: Partial<DialectContext> = {}): DialectContext {
  return { run: "run", session: "session", crew, createdAt: CREATED_AT, model: crew.name, ...more };
}

/** The frames of each segment of a run, closing frames included. */
export function toSegments(dialect: Dialect, context: DialectContext, events: readonly RunEvent[]): readonly Frame[][] {
  const segments: Frame[][] = [[]];
  let state = dialect.start(context);
  for (const event of events) {
    const [next, more] = dialect.next(state, event);
    state = next;
    segments.at(-1)?.push(...more);
    if (event.type !== "run.paused" && event.type !== "run.ended") continue;
    segments.at(-1)?.push(...(dialect.closing ?? []));
    if (event.type === "run.paused") segments.push([]);
  }
  return segments;
}

/** An answer that streams these frames. */
export function toAnswer(frames: readonly Frame[]): Response {
  return new Response(toSse(frames), { headers: { "content-type": "text/event-stream" } });
}

/** The frames of one segment, counted from 1, of a scene by its name. */
export async function playSegment(dialect: Dialect, title: string, segment = 1): Promise<readonly Frame[]> {
  const played = await SCENES.get(title)?.();
  if (played === undefined) throw new Error(`there is no scene "${title}"`);
  return toSegments(dialect, toContext(played), played.events)[segment - 1] ?? [];
}

/** Frames as they go over the wire. */
export function toSse(frames: readonly Frame[]): string {
  return frames.map(toBlock).join("");
}

function toBlock({ id, event, data }: Frame): string {
  const lines = data.split("\n").map((line) => `data: ${line}`);
  const named = event === undefined ? lines : [`event: ${event}`, ...lines];
  return `${(id === undefined ? named : [`id: ${id}`, ...named]).join("\n")}\n\n`;
}

async function pauseAndResume(): Promise<Scene> {
  const replies = { clarifier: [{ say: "Which one?" }, { say: "Thanks. [OK]" }] };
  const { run } = await begin(WAITING, replies);
  const resumed = await run.command({ type: "resume", input: "that one" });
  return toScene(WAITING, (await collect(resumed.run)).events);
}

async function configurePaused(): Promise<Scene> {
  const { run } = await begin(WAITING, { clarifier: [{ say: "Which one?" }, { say: "Thanks. [OK]" }] });
  await run.command({ type: "configure", temperature: 0 });
  const resumed = await run.command({ type: "resume", input: "that one" });
  return toScene(WAITING, (await collect(resumed.run)).events);
}

async function approve(value: Json, call: NonNullable<ScriptEntry["call"]>): Promise<Scene> {
  const { run } = await begin(TOOLED, { helper: [{ say: "I erase it.", call }, { say: "As you wish." }] });
  const answered = await run.command({ type: "answer", question: "1.1.1", value });
  return toScene(TOOLED, (await collect(answered.run)).events);
}

type Answers = readonly (readonly [question: string, value: Json])[];

/** Each answer is the beginning of another segment. */
async function answer(call: NonNullable<ScriptEntry["call"]>, answers: Answers): Promise<Scene> {
  const { run } = await begin(REMOTE, { helper: [{ say: "One moment.", call }, { say: "Thanks." }] });
  return toScene(REMOTE, (await collect(await answerAll(run, answers))).events);
}

async function answerAll(begun: Run, answers: Answers): Promise<Run> {
  let run = begun;
  for (const [question, value] of answers) {
    await run.result;
    ({ run } = await run.command({ type: "answer", question, value }));
  }
  return run;
}

async function cancelClientCall(): Promise<Scene> {
  const { run } = await begin(REMOTE, { helper: [{ say: "One moment.", call: [PICK] }, { say: "Then not." }] });
  const cancelled = await run.command({ type: "cancel", call: "1.1.1" });
  return toScene(REMOTE, (await collect(cancelled.run)).events);
}

async function approveInGroup(): Promise<Scene> {
  const { run } = await begin(TEAM, {
    lead: [{ say: "[ASK_ALL]" }],
    left: [{ say: "I say left." }],
    right: [{ call: [{ tool: "erase", args: { path: "notes.txt" } }] }, { say: "Erased." }],
    closer: [{ say: "All done." }],
  });
  const answered = await run.command({ type: "answer", question: "2/both/right/1.1.1", value: "allow" });
  return toScene(TEAM, (await collect(answered.run)).events);
}

async function pauseByCommand(): Promise<Scene> {
  const pausing: Model = {
    name: "test/model",
    async *stream({ messages }) {
      const isFirst = messages.length === 1;
      await setImmediate();
      if (isFirst) await run.command({ type: "pause" });
      if (isFirst) yield [{ type: "call", tool: "add", args: '{"a":1,"b":2}' }, end("calls")];
      else yield [{ type: "text", text: "I went on." }, end("stop")];
    },
  };
  const run = new Engine({ clock: toSteadyClock(), model: () => pausing }).start(TOOLED, {
    input: "hello",
    id: "run",
    session: "session",
  });
  await run.result;
  const resumed = await run.command({ type: "resume", input: "go on" });
  return toScene(TOOLED, (await collect(resumed.run)).events);
}

async function cancel(): Promise<Scene> {
  const engine = new Engine({
    clock: toSteadyClock(),
    model: () => toModel(() => [{ type: "call", tool: "wait", args: "{}" }, end("calls")]),
  });
  const run = engine.start(TOOLED, { input: "hello", id: "run", session: "session" });
  for await (const event of run.events()) if (event.type === "call.progressed") break;
  await run.command({ type: "cancel" });
  return toScene(TOOLED, (await collect(run)).events);
}

async function cancelPaused(): Promise<Scene> {
  const { run } = await begin(TOOLED, { helper: [{ say: "I erase it.", call: [ERASE] }] });
  const cancelled = await run.command({ type: "cancel" });
  return toScene(TOOLED, (await collect(cancelled.run)).events);
}

/** Another process takes the run up: the step it finds open starts again. */
async function crash(): Promise<Scene> {
  const { events } = await begin(SOLO, { helper: [{ say: "Hello there." }] });
  const cut = events.findIndex(({ type }) => type === "text.delta") + 1;
  const stamp = { run: "run", seq: 0, at: 0, lane: "" };
  const error = { code: "closed", message: "the process ended during the step" } as const;
  const taken: readonly RunEvent[] = [
    { ...stamp, type: "run.resumed", agent: "helper" },
    { ...stamp, type: "step.retried", step: "1.1", agent: "helper", attempt: 1, delayMs: 0, error },
  ];
  const all = [...events.slice(0, cut), ...taken, ...events.slice(cut - 1)];
  return toScene(
    SOLO,
    all.map((event, index) => ({ ...event, seq: index + 1 })),
  );
}

type Reply = (agent: string, messages: number) => readonly (Chunk | BatonError)[];

function toModel(reply: Reply): Model {
  return {
    name: "test/model",
    async *stream({ agent, messages }) {
      for (const chunk of reply(agent, messages.length)) {
        if (chunk instanceof BatonError) throw chunk;
        yield [chunk];
      }
    },
  };
}

async function model(crew: Crew, reply: Reply, answers: Answers = []): Promise<Scene> {
  const engine = new Engine({ clock: toSteadyClock(), model: () => toModel(reply) });
  const run = engine.start(crew, { input: "hello", id: "run", session: "session" });
  return toScene(crew, (await collect(await answerAll(run, answers))).events);
}

const end = (finish: "stop" | "calls"): Chunk => ({ type: "end", finish, usage: USAGE });

function restarting(agent: string): readonly Chunk[] {
  const signal = agent === "lead" ? " [ASK_ALL]" : "";
  return [
    { type: "reasoning", text: "Hm" },
    { type: "text", text: `Wrong by ${agent} [ASK` },
    { type: "args", index: 1, tool: "erase", text: "{" },
    { type: "restart", reason: "the backup takes over" },
    { type: "text", text: `Right by ${agent}${signal}` },
    end("stop"),
  ];
}

function breaking(): readonly (Chunk | BatonError)[] {
  return [
    { type: "text", text: "I was" },
    { type: "reasoning", text: "Hm" },
    new BatonError("model", "the provider hung up"),
  ];
}

function thinking(_: string, messages: number): readonly Chunk[] {
  if (messages > 1) return [{ type: "text", text: "It is 3." }, end("stop")];
  return [
    { type: "reasoning", text: "I should" },
    { type: "reasoning", text: " add." },
    { type: "text", text: "Adding." },
    { type: "args", index: 1, tool: "add", text: '{"a":1,' },
    { type: "args", index: 1, tool: "add", text: '"b":2}' },
    { type: "args", index: 2, tool: "add", text: '{"a"' },
    { type: "call", tool: "add", args: '{"a":1,"b":2}' },
    end("calls"),
  ];
}

function picking(_: string, messages: number): readonly Chunk[] {
  if (messages > 1) return [{ type: "text", text: "Blue it is." }, end("stop")];
  return [
    { type: "args", index: 1, tool: "pickColour", text: '{"of":["red",' },
    { type: "args", index: 1, tool: "pickColour", text: '"blue"]}' },
    { type: "args", index: 2, tool: "pickColour", text: '{"of"' },
    { type: "call", tool: "pickColour", args: '{"of":["red","blue"]}' },
    { type: "call", tool: "pickColour", args: '{"of":1}' },
    end("calls"),
  ];
}

/** One reply in this many pieces, brackets among them. */
export function toLongRun(size: number): Scene {
  const pieces = ["a", " b", " [", "END", "x]", "\n"];
  const stamp = { run: "run", at: CREATED_AT, lane: "" };
  const about = { step: "1.1", agent: "writer" };
  const deltas = Array.from({ length: size }, (_, index): RunEvent => {
    const text = pieces[index % pieces.length] ?? "";
    return { ...stamp, seq: index + 4, type: "text.delta", ...about, text };
  });
  const text = deltas.map((delta) => (delta.type === "text.delta" ? delta.text : "")).join("");
  const outputChars = { each: 2_000, total: 4_000 };
  const entry = { kind: "agent", id: "writer" } as const;
  const ended = { calls: [], finish: "stop", usage: USAGE } as const;
  const events: readonly RunEvent[] = [
    { ...stamp, seq: 1, type: "run.started", crew: "relay", input: "hello", history: [], entry, outputChars },
    { ...stamp, seq: 2, type: "turn.started", turn: "1", agent: "writer" },
    { ...stamp, seq: 3, type: "step.started", ...about, model: "test/model" },
    ...deltas,
    { ...stamp, seq: size + 4, type: "step.ended", ...about, text, ...ended },
    { ...stamp, seq: size + 5, type: "turn.ended", turn: "1", agent: "writer", text },
    { ...stamp, seq: size + 6, type: "run.ended", outcome: "done", by: "answer", agent: "writer", text },
  ];
  return { crew: RELAY, events };
}
