/**
 * Scene crews: the crews and tools that the scenes are played with.
 */
import { defineCrew, defineTool, ToolError } from "@baton/core";
import { z } from "zod";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  effect: "read",
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => Promise.resolve({ sum: a + b }),
});

const erase = defineTool({
  name: "erase",
  description: "Erases a file.",
  effect: "irreversible",
  input: z.object({ path: z.string() }),
  run: ({ path }) => Promise.resolve(`erased ${path}`),
});

const pay = defineTool({
  name: "pay",
  description: "Pays, where the bank lets it.",
  effect: "irreversible",
  input: z.object({}),
  run: () => Promise.reject(new ToolError("permission", "the bank refuses")),
});

const note = defineTool({
  name: "note",
  description: "Writes down what was done before.",
  effect: "read",
  concurrency: "sequential",
  input: z.object({}),
  run: () => Promise.resolve("noted"),
});

const wait = defineTool({
  name: "wait",
  description: "Waits until it is told to stop.",
  effect: "read",
  input: z.object({}),
  async run(_, { scope, progress }) {
    progress("waiting");
    await scope.sleep(4_000);
  },
});

/** One agent without tools. */
export const SOLO = defineCrew({ name: "solo", agents: [{ id: "helper", name: "Helper", isTerminal: true }] });
/** One agent with tools of every kind. */
export const TOOLED = defineCrew({
  name: "tooled",
  agents: [{ id: "helper", name: "Helper", tools: ["add", "erase", "pay", "note", "wait"], isTerminal: true }],
  tools: [add, erase, pay, note, wait],
});
/** Two agents that hand over by signals. */
export const RELAY = defineCrew({
  name: "relay",
  agents: [{ id: "router" }, { id: "writer" }],
  signals: {
    router: [{ signal: "[ROUTE_WRITER]", target: "writer" }],
    writer: [
      { signal: "[END]", target: "" },
      { signal: "[BACK]", target: "router" },
    ],
  },
});
/** A group between two agents. */
export const TEAM = defineCrew({
  name: "team",
  agents: [
    { id: "lead", tools: ["erase"] },
    { id: "left", tools: ["erase"] },
    { id: "right", tools: ["erase"] },
    { id: "closer", tools: ["erase"], isTerminal: true },
  ],
  tools: [erase],
  signals: { lead: [{ signal: "[ASK_ALL]", target: "both" }], left: [{ signal: "[DONE]", target: "" }] },
  groups: { both: { agents: ["left", "right"], nextAgent: "closer" } },
});
/** An agent that waits for the user. */
export const WAITING = defineCrew({
  name: "waiting",
  agents: [{ id: "clarifier" }],
  behaviors: { clarifier: { waitForSignal: true } },
  signals: { clarifier: [{ signal: "[OK]", target: "" }] },
});

/** Without `run`: the client carries them out. */
const pickColour = defineTool({
  name: "pickColour",
  description: "Lets the user pick a colour.",
  effect: "read",
  input: z.object({ of: z.array(z.string()) }),
  output: z.object({ colour: z.string() }),
});

const openDoor = defineTool({
  name: "openDoor",
  description: "Opens the door.",
  effect: "irreversible",
  input: z.object({}),
});

/** One agent whose tools are the client's, beside one of its own. */
export const REMOTE = defineCrew({
  name: "remote",
  agents: [{ id: "helper", name: "Helper", tools: ["pickColour", "openDoor", "erase"], isTerminal: true }],
  tools: [pickColour, openDoor, erase],
});
