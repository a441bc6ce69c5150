/**
 * Desk: a crew with a bit of everything, as files: signals, a pause, tools, an approval, a task.
 *
 * The first word of the input decides what happens.
 */

const crew = `version: "1.0"
name: desk
description: A desk for tests.
entry_point: front
agents:
  - { id: front, name: Mỹ, role: decides, system_prompt: "[ASK] [WORK] [LOOP]" }
  - { id: asker, name: Ngân, role: asks, system_prompt: "[ENOUGH]" }
  - { id: worker, name: worker, role: works, is_terminal: true, tools: [Greet, Wire, Hang] }
settings: { tool_execution_timeout_seconds: 60, tool_result_timeout_seconds: 90 }
tasks:
  - { name: work, description: Do it at once., agent: worker }
routing:
  signals:
    front:
      - { signal: "[ASK]", target: asker }
      - { signal: "[WORK]", target: worker }
      - { signal: "[LOOP]", target: front }
    asker:
      - { signal: "[ENOUGH]", target: worker }
  agent_behaviors:
    front: { auto_route: false }
    asker: { wait_for_signal: true, auto_route: false }
`;

const script = `front:
  - { when: vague, say: "What do they mean? [ASK]" }
  - { when: wire, say: "Money it is. [WORK]" }
  - { when: hang, say: "This may take a while. [WORK]" }
  - { when: fail, fail: "503 overloaded" }
  - { when: loop, say: "Round we go. [LOOP]" }
  - { when: round, say: "Round we go. [LOOP]" }
  - { when: round, say: "Round we go. [LOOP]" }
  - { when: round, say: "Round we go. [LOOP]" }
  - { when: round, say: "Round we go. [LOOP]" }
  - { say: "Clear. [WORK]" }
asker:
  - { when: "mean", say: "Since when?\\nAnd where?" }
  - { say: "Thank you. [ENOUGH]" }
worker:
  - { when: money, call: [{ tool: Wire, args: { to: "Ann\\u200b", amount: 5 } }] }
  - { when: while, call: [{ tool: Hang, args: {} }] }
  - { when: clear, call: [{ tool: Greet, args: { name: "\\u001b[31mBob" } }] }
  - { say: "All done." }
`;

const tools = `import { defineTool } from "@baton/core";
import { z } from "zod";

export default [
  defineTool({
    name: "Greet",
    description: "Greets somebody.",
    effect: "read",
    input: z.object({ name: z.string().describe("Who") , loud: z.boolean().default(false) }),
    run: ({ name }) => ({ greeting: "Hello, " + name }),
  }),
  defineTool({
    name: "Wire",
    description: "Sends money.",
    effect: "irreversible",
    input: z.object({ to: z.string(), amount: z.number().optional() }),
    run: () => "sent",
  }),
  defineTool({
    name: "Hang",
    description: "Never ends, whatever one does.",
    effect: "read",
    input: z.object({}),
    run: () => new Promise(() => setInterval(() => {}, 1000)),
  }),
];
`;

/** The files of the crew, by their paths. */
export const CREW_FILES = {
  "desk/crew.yaml": crew,
  "desk/script.yaml": script,
  "desk/tools.ts": tools,
} as const;
