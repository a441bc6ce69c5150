/**
 * Sub-crew scenes: runs with agents that write for the crew alone, and with crews inside crews.
 */
import { type Crew, defineCrew, defineProgram, defineTool, type Json } from "@baton/core";
import { collect, type Replies } from "@baton/core/testing";
import { z } from "zod";
import { begin, type Scene, scene, toScene } from "./play.ts";

const CHOICE = {
  type: "object",
  properties: { kind: { type: "string", enum: ["essay", "poem"] } },
  required: ["kind"],
} as const;

/** A program, an agent that gives JSON and one that thinks aloud, before the one that the user reads. */
const DESK = defineCrew({
  name: "desk",
  agents: [
    { id: "intent", audience: "crew", output: CHOICE },
    { id: "scout", model: { name: "code/scout" }, audience: "crew" },
    { id: "thinker", audience: "crew" },
    { id: "writer", name: "Writer", isTerminal: true },
  ],
  programs: { scout: defineProgram(() => ({ say: "Nothing found.", notes: [{ kind: "search", data: { hits: 0 } }] })) },
  signals: {
    intent: [
      { when: { kind: "essay" }, target: "scout" },
      { when: { kind: "poem" }, target: "writer" },
    ],
    thinker: [{ signal: "[WRITE]", target: "writer" }],
  },
  defaults: { scout: "thinker" },
});

const DESK_REPLIES: Replies = {
  intent: [{ say: '{"kind": "essay"}' }],
  thinker: [{ say: "The user wants it short. [WRITE]" }],
  writer: [{ say: "Here is the essay." }],
};

const erase = defineTool({
  name: "erase",
  description: "Erases a file.",
  effect: "irreversible",
  input: z.object({ path: z.string() }),
  run: ({ path }) => `erased ${path}`,
});

const pickColour = defineTool({
  name: "pickColour",
  description: "Lets the user pick a colour.",
  effect: "read",
  input: z.object({}),
});

/** A crew that asks the user, has a group and tools of its own; an agent of it has the id of an outer one. */
const ALPHA = defineCrew({
  name: "alpha-crew",
  agents: [
    { id: "asker", name: "Alpha's asker" },
    { id: "left" },
    { id: "right", audience: "crew" },
    { id: "writer", name: "Alpha's writer", isTerminal: true, tools: ["erase", "pickColour"] },
  ],
  tools: [erase, pickColour],
  behaviors: { asker: { waitForSignal: true } },
  signals: { asker: [{ signal: "[OK]", target: "both" }] },
  groups: { both: { agents: ["left", "right"], nextAgent: "writer" } },
});

const OUTER = defineCrew({
  name: "outer",
  agents: [
    { id: "writer", name: "Writer" },
    { id: "closer", isTerminal: true },
  ],
  subCrews: { alpha: ALPHA },
  signals: { writer: [{ signal: "[ALPHA]", target: "alpha", returnTo: "closer" }] },
});

/** The same, two crews deep. */
const OUTERMOST = defineCrew({
  name: "outermost",
  agents: [{ id: "lead", isTerminal: true }],
  subCrews: { middle: OUTER },
  signals: {
    lead: [
      { signal: "[MIDDLE]", target: "middle" },
      { signal: "[END]", target: "" },
    ],
  },
});

const ALPHA_REPLIES = {
  asker: [{ say: "Shall I? [OK" }, { say: "Fine. [OK]" }],
  left: [{ say: "Left it is." }],
  right: [{ say: "I only tell the crew." }],
  closer: [{ say: "Bye." }],
  lead: [{ say: "Over. [MIDDLE]" }, { say: "All done. [END]" }],
} satisfies Replies;

/** Both writers follow the same script: alpha's hears its group, the other one does not. */
const TALK: Replies = {
  ...ALPHA_REPLIES,
  writer: [{ when: "Left it is", say: "Alpha [ALPHA] wrote." }, { say: "Over to alpha. [ALPHA]" }],
};

const ERASE = { tool: "erase", args: { path: "notes.txt" } };

/** Each scene by its name. */
export const SUB_CREW_SCENES: readonly (readonly [string, () => Promise<Scene>])[] = [
  ["agents that write for the crew", () => scene(DESK, DESK_REPLIES)],
  ["a sub-crew that waits for a message", () => say(OUTER, TALK)],
  ["a sub-crew in a sub-crew", () => say(OUTERMOST, TALK)],
  ["an approval in a sub-crew", () => ask(ERASE, [["2/alpha/4.1.1", "allow"]])],
  ["a tool of the client in a sub-crew", () => ask({ tool: "pickColour", args: {} }, [["2/alpha/4.1.1/tool", "blue"]])],
];

/** A run that waits for a message once. */
async function say(crew: Crew, replies: Replies): Promise<Scene> {
  const { run } = await begin(crew, replies);
  const resumed = await run.command({ type: "resume", input: "yes, please" });
  return toScene(crew, (await collect(resumed.run)).events);
}

type Answers = readonly (readonly [question: string, value: Json])[];

/** The same, and a call in the sub-crew asks. */
async function ask(call: { readonly tool: string; readonly args: Json }, answers: Answers): Promise<Scene> {
  const writer = [
    { when: "Left it is", say: "One moment.", call: [call] },
    { when: "notes.txt", say: "Alpha erased." },
    { when: "blue", say: "Alpha painted." },
    { say: "Over to alpha. [ALPHA]" },
  ];
  const { run } = await begin(OUTER, { ...ALPHA_REPLIES, writer });
  let { run: next } = await run.command({ type: "resume", input: "yes, please" });
  for (const [question, value] of answers) {
    await next.result;
    ({ run: next } = await next.command({ type: "answer", question, value }));
  }
  return toScene(OUTER, (await collect(next)).events);
}
