/**
 * Child scenes: agents and crews that are called as tools, maps, and tools that a request brought, in their lanes.
 */
import { type Crew, defineCrew, defineTool, type Json, type Run } from "@baton/core";
import { collect, type Replies, scriptInterpreter } from "@baton/core/testing";
import { z } from "zod";
import { begin, type Scene, scene, toScene } from "./play.ts";

const add = defineTool({
  name: "add",
  description: "Adds.",
  effect: "read",
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => a + b,
});
const erase = defineTool({
  name: "erase",
  description: "Erases.",
  effect: "irreversible",
  input: z.object({ path: z.string() }),
  run: () => "erased",
});

const ALPHA = defineCrew({
  name: "alpha-crew",
  agents: [{ id: "finder" }, { id: "writer", isTerminal: true }],
  signals: { finder: [{ signal: "[WRITE]", target: "writer" }] },
});

/** An agent that calls another agent and a crew as tools. */
const BOSS = defineCrew({
  name: "boss",
  entry: "boss",
  tools: [add, erase],
  subCrews: { alpha: ALPHA },
  agents: [
    { id: "boss", name: "Boss", isTerminal: true, tools: [{ agent: "helper", as: "help" }, { crew: "alpha" }] },
    { id: "helper", name: "Helper", tools: ["add", "erase"], clientTools: true },
  ],
});

const call = (tool: string, args: Json) => ({ call: [{ tool, args }] });

const ASKED = {
  boss: [
    {
      say: "Let me ask.",
      call: [
        { tool: "help", args: { input: "add them" } },
        { tool: "alpha", args: { input: "write it" } },
      ],
    },
    { say: "Three, as they say." },
  ],
  helper: [{ say: "I add.", ...call("add", { a: 1, b: 2 }) }, { say: "It is 3." }],
  finder: [{ say: "Found. [WRITE]" }],
  writer: [{ say: "Written." }],
} satisfies Replies;

const helped = (tool: string, args: Json): Replies => ({
  boss: [call("help", { input: "do it" }), { say: "It is done." }],
  helper: [call(tool, args), { say: "Done." }],
});

/** An agent that calls its tools by code: one call succeeds, one needs a person, one does not fit. */
const CODER = defineCrew({
  name: "coder",
  tools: [add, erase],
  agents: [{ id: "coder", name: "Coder", isTerminal: true, toolCalls: "code", tools: ["add", "erase"] }],
  interpreter: scriptInterpreter({
    "const sum = 3;": async (tools) => {
      const [sum] = await Promise.all([tools("add", { a: 1, b: 2 }), tools("erase", { path: "a.txt" })]);
      const odd = await tools("add", {}).catch(() => "does not fit");
      return { sum: sum ?? null, odd };
    },
  }),
});

const CODED: Replies = {
  coder: [{ say: "I count.", ...call("run_code", { code: "const sum = 3;", purpose: "Count" }) }, { say: "It is 3." }],
};

/** A map over three items, one of which fails. */
const MAPS = defineCrew({
  name: "maps",
  tools: [add],
  agents: [
    { id: "lister", name: "Lister", output: { type: "object" } },
    { id: "check", name: "Check", tools: ["add"] },
    { id: "summary", name: "Summary", isTerminal: true },
  ],
  signals: { lister: [{ when: {}, target: "checks" }] },
  groups: { checks: { map: "check", over: "output.list", maxParallel: 1, nextAgent: "summary" } },
});

const CHECKED = {
  lister: [{ say: '{"list":["one","two","bad"]}' }],
  check: [
    { when: "bad", fail: "it is bad" },
    { when: "two", say: "Two is fine." },
    { when: "one", ...call("add", { a: 1, b: 0 }) },
    { say: "One is fine." },
  ],
  summary: [{ say: "Two of three." }],
} satisfies Replies;

const PLACE = { name: "locate", description: "Finds.", inputSchema: { type: "object" } };

/** Each scene by its name. */
export const CHILD_SCENES: readonly (readonly [string, () => Promise<Scene>])[] = [
  ["an agent and a crew as tools", () => scene(BOSS, ASKED)],
  ["an agent as a tool that fails", () => scene(BOSS, { ...ASKED, helper: [{ fail: "it is down" }] })],
  [
    "an approval in an agent as a tool",
    () => answer(BOSS, helped("erase", { path: "a.txt" }), ["1.1.1/helper/1.1.1", "allow"]),
  ],
  [
    "a tool of the request in an agent as a tool",
    () => answer(BOSS, helped("locate", {}), ["1.1.1/helper/1.1.1/tool", "here"]),
  ],
  ["a map", () => scene(MAPS, CHECKED)],
  ["code with an approval that is given", () => answer(CODER, CODED, ["1.1.1.2", "allow"])],
  ["code with an approval that is refused", () => answer(CODER, CODED, ["1.1.1.2", "deny"])],
];

/** A run that asks once. */
async function answer(crew: Crew, replies: Replies, [question, value]: readonly [string, Json]): Promise<Scene> {
  const { run } = await begin(crew, replies, crew === BOSS ? { tools: [PLACE] } : {});
  return finish(crew, (await run.command({ type: "answer", question, value })).run);
}

async function finish(crew: Crew, run: Run): Promise<Scene> {
  return toScene(crew, (await collect(run)).events);
}
