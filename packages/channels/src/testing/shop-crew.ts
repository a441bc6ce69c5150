/**
 * Shop crew: a crew of tests that asks before it refunds an order.
 */
import { defineCrew, defineTool } from "@baton/core";
import { z } from "zod";

const refund = defineTool({
  name: "refund",
  description: "Refunds an order.",
  effect: "irreversible",
  input: z.object({ order: z.string() }),
  run: ({ order }) => `refunded ${order}`,
});

/** The crew, and what its agent says. */
export const SHOP = {
  crew: defineCrew({ name: "shop", agents: [{ id: "clerk", isTerminal: true, tools: ["refund"] }], tools: [refund] }),
  script: {
    clerk: [
      { when: "hello", say: "Hello there." },
      { say: "", call: [{ tool: "refund", args: { order: "A1" } }] },
      { when: "refunded", say: "It is done." },
      { say: "As you wish." },
    ],
  },
};
