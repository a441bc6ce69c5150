/**
 * Shop: a crew whose tools hang the first time they are used, and note each use in a file beside the data folder.
 *
 * A killed run can continue. The first word of the input decides which tool is used.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const crew = `version: "1.0"
name: shop
agents: [{ id: a, name: Ada, role: works, is_terminal: true, tools: [Note, Look, Pay, Ask] }]
permissions: { Pay: allow }
`;

const script = `a:
  - { when: look, call: [{ tool: Note, args: {} }] }
  - { when: noted, call: [{ tool: Look, args: {} }] }
  - { when: pay, call: [{ tool: Pay, args: { amount: 5 } }] }
  - { when: two, call: [{ tool: Ask, args: { of: 1 } }, { tool: Ask, args: { of: 2 } }] }
  - { say: "All done." }
`;

const tools = `import { defineTool } from "@baton/core";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const uses = () => (existsSync("uses.txt") ? readFileSync("uses.txt", "utf8") : "");
const use = (word) => appendFileSync("uses.txt", word + "\\n");
const first = async (word) => {
  const isFirst = !uses().includes(word);
  use(word);
  if (isFirst) await new Promise(() => setInterval(() => {}, 1000));
  return word;
};

export default [
  defineTool({ name: "Note", description: "n", effect: "read", input: z.object({}), run: () => (use("note"), "noted") }),
  defineTool({ name: "Look", description: "l", effect: "read", input: z.object({}), run: () => first("looked") }),
  defineTool({
    name: "Pay",
    description: "p",
    effect: "irreversible",
    input: z.object({ amount: z.number() }),
    run: () => first("paid"),
  }),
  defineTool({
    name: "Ask",
    description: "a",
    effect: "irreversible",
    input: z.object({ of: z.number() }),
    run: ({ of }) => (use("asked " + of), "asked"),
  }),
];
`;

/** The files of the crew, by their paths. */
export const SHOP = {
  "shop/crew.yaml": crew,
  "shop/script.yaml": script,
  "shop/tools.ts": tools,
} as const;

/** The effects of the tools, in order. */
export async function usesIn(folder: string): Promise<readonly string[]> {
  return (await readFile(join(folder, "uses.txt"), "utf8")).trimEnd().split("\n");
}
