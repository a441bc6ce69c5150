/**
 * Parts: a crew in whose runs a lane is cancelled, the client carries a call out, and an agent is stuck; and the user
 * who sees to that and configures the agents meanwhile.
 */
import assert from "node:assert/strict";
import {
  type CallContext,
  type Command,
  type Crew,
  defineCrew,
  defineTool,
  fold,
  type Prompt,
  type RunEvent,
  type Script,
} from "@baton/core";
import { of } from "@baton/core/testing";
import { z } from "zod";

/** The lane that is cancelled. */
export const LANE = "1/team/sleeper";

const again = { call: [{ tool: "Look" }] };

/** One member asks the client, one sleeps until it is cancelled, and then an agent goes round in circles. */
export const PARTS_REPLIES: Script = new Map([
  ["asker", [{ call: [{ tool: "Pick" }] }, { when: "blue", say: "Blue." }, { say: "?" }]],
  ["sleeper", [{ call: [{ tool: "Sleep" }] }, { say: "Rested." }]],
  // Long enough for what was said of it before to be written.
  ["looper", [again, again, again, again, { say: "I give up.", delayMs: 20 }]],
]);

/** Hooks that a test adds to the tools. */
export interface PartsTools {
  /** Told of each call as it begins. */
  readonly begins?: (context: CallContext) => void;
  /** Sleeps until it is cancelled; may take its time to obey. */
  readonly sleeps?: (context: CallContext) => Promise<void>;
}

/** The crew; one of its tools is the client's. */
export function defineParts({ begins, sleeps = sleepOn }: PartsTools = {}): Crew {
  const read = { effect: "read", input: z.object({}) } as const;
  const pick = defineTool({
    ...read,
    name: "Pick",
    description: "The client picks a colour.",
    output: z.object({ colour: z.string() }),
  });
  const sleep = defineTool({
    ...read,
    name: "Sleep",
    description: "Sleeps.",
    timeoutMs: 90_000,
    run: async (_, context) => {
      begins?.(context);
      await sleeps(context);
    },
  });
  const look = defineTool({
    ...read,
    name: "Look",
    description: "Looks, and sees the same each time.",
    run: (_, context) => {
      begins?.(context);
      return "nothing new";
    },
  });
  return defineCrew({
    name: "parts",
    entry: "team",
    agents: [
      { id: "asker", tools: ["Pick"] },
      { id: "sleeper", tools: ["Sleep"] },
      { id: "looper", tools: ["Look"], isTerminal: true },
    ],
    tools: [pick, sleep, look],
    groups: { team: { agents: ["asker", "sleeper"], nextAgent: "looper" } },
  });
}

const sleepOn = ({ scope }: CallContext): Promise<void> => scope.sleep(60_000);

const COMMANDS = {
  cancel: { type: "cancel", lane: LANE, reason: "let it sleep" },
  configure: { type: "configure", temperature: 0 },
} as const;

/** The user's first command: with `configure` the run is running, after `cancel` it waits for the client. */
export type Order = readonly (keyof typeof COMMANDS)[];

/** Both orders. */
export const ORDERS: readonly Order[] = [
  ["cancel", "configure"],
  ["configure", "cancel"],
];

/** Returns the user's next command by the log: each command once, then the client's answer. */
export function toNext(events: readonly RunEvent[], order: Order): Command | undefined {
  if (!of(events, "call.started").some(({ tool }) => tool === "Sleep")) return undefined;
  const sent = new Set<string>(of(events, "command.received").map(({ command }) => command.type));
  const missing = order.find((type) => !sent.has(type));
  if (missing !== undefined) return COMMANDS[missing];
  const [open] = fold(events).questions.values();
  return open && { type: "answer", question: open.question, value: { colour: "blue" } };
}

/** Facts in the middle of which a process may die: what is stored of each, and what is not yet. */
export const UNFINISHED: { readonly [fact: string]: readonly [done: Sign, next: Sign] } = {
  "a lane is cancelled and has not ended": [
    isCommand("cancel"),
    ({ type, lane }) => type === "turn.ended" && lane === LANE,
  ],
  "agents are configured and have not been called": [
    isCommand("configure"),
    ({ type }) => type === "question.answered",
  ],
  "the client is asked and has not answered": [
    ({ type }) => type === "question.opened",
    ({ type }) => type === "question.answered",
  ],
  "the client has answered and the call has not ended": [
    ({ type }) => type === "question.answered",
    (event) => event.type === "call.ended" && event.tool === "Pick",
  ],
  "an agent is stuck and has not answered": [
    (event) => event.type === "warning.raised" && event.text.includes("max_repeated_calls"),
    ({ type }) => type === "run.ended",
  ],
};

type Sign = (event: RunEvent) => boolean;

function isCommand(type: string): Sign {
  return (event) => event.type === "command.received" && event.command.type === type;
}

/** The facts that a run is in the middle of whose log ends here. */
export function findUnfinished(events: readonly RunEvent[]): readonly string[] {
  const met = Object.entries(UNFINISHED).filter(([, [done, next]]) => events.some(done) && !events.some(next));
  return met.map(([fact]) => fact);
}

/** Whether a model call comes after all that the user did, and so must be as it was configured. */
export function isAfterwards({ agent, messages }: Pick<Prompt, "agent"> & { readonly messages: number }): boolean {
  return agent === "looper" || (agent === "asker" && messages > 1);
}

/** The run ended as one that nothing happened to, with each thing once. */
export function checkParts(events: readonly RunEvent[], at: string): void {
  const [ended] = of(events, "run.ended");
  assert.deepEqual([ended?.outcome, ended?.text], ["done", "I give up."], at);
  const commands = of(events, "command.received").map(({ command }) => command.type);
  assert.deepEqual(commands.toSorted(), ["cancel", "configure"], at);
  assert.equal(of(events, "question.opened").length, 1, at);
  assert.equal(of(events, "question.answered").length, 1, at);
  const results = of(events, "group.ended").map((group) => group.results.map(({ text, error }) => text ?? error?.lane));
  assert.deepEqual(results, [["Blue.", LANE]], at);
  const stuck = of(events, "warning.raised").filter(({ text }) => text.includes("max_repeated_calls"));
  assert.equal(stuck.length, 1, at);
  const steps = of(events, "step.ended").map(({ agent, step }) => `${agent} ${step}`);
  assert.deepEqual(
    steps.toSorted(),
    [
      `asker 1/team/asker/1.1`,
      `asker 1/team/asker/1.2`,
      "looper 2.1",
      "looper 2.2",
      "looper 2.3",
      "looper 2.4",
      `sleeper ${LANE}/1.1`,
    ],
    at,
  );
}
