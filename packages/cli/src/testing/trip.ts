/**
 * Trip: a crew with tools of the client, as files: one whose result must fit a schema, one that needs an approval.
 *
 * The first word of the input decides what is called.
 */

const crew = `version: "1.0"
name: trip
agents: [{ id: a, name: Ada, role: plans, is_terminal: true, tools: [Where, Sign] }]
`;

const script = `a:
  - { when: find, call: [{ tool: Where, args: { accuracy: high } }] }
  - { when: contract, call: [{ tool: Sign, args: { text: "a = b" } }] }
  - { when: twice, call: [{ tool: Where, args: { accuracy: low } }, { tool: Where, args: { accuracy: high } }] }
  - { when: mixed, call: [{ tool: Where, args: { accuracy: high } }, { tool: Sign, args: { text: x } }] }
  - { say: "All done." }
`;

const tools = `import { defineTool } from "@baton/core";
import { z } from "zod";

export default [
  defineTool({
    name: "Where",
    description: "Says where the user is.",
    effect: "read",
    input: z.object({ accuracy: z.enum(["low", "high"]) }),
    output: z.object({ city: z.string() }),
  }),
  defineTool({
    name: "Sign",
    description: "Lets the user sign.",
    effect: "irreversible",
    input: z.object({ text: z.string() }),
  }),
];
`;

/** The files of the crew, by their paths. */
export const TRIP = {
  "trip/crew.yaml": crew,
  "trip/script.yaml": script,
  "trip/tools.ts": tools,
} as const;
