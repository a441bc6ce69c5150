/**
 * Tools of the clerk: 200 orders, of which 50 are late and 3 of these cost more than 20 dollars.
 *
 * A refund of less than 20 dollars is allowed; a person is asked about any other.
 */
import { defineTool, ToolError } from "@baton/core";
import { z } from "zod";

const COUNT = 200;
const FREE_USD = 20;
const ID = z.object({ id: z.string() });
const ORDER = z.object({ id: z.string(), usd: z.number(), late: z.boolean() });

const toId = (n: number): string => `A-${String(n).padStart(3, "0")}`;

function findOrder(id: string): z.infer<typeof ORDER> {
  const n = Number(id.slice(2));
  if (id !== toId(n) || n < 1 || n > COUNT) throw new ToolError("validation", `there is no order ${id}`);
  const late = n % 4 === 0;
  const isDear = n % 60 === 0 || (!late && n % 3 === 0);
  return { id, usd: isDear ? 30 + (n % 7) : 5 + (n % 13), late };
}

const listOrders = defineTool({
  name: "listOrders",
  description: "The ids of all open orders.",
  effect: "read",
  input: z.object({}),
  output: z.array(z.string()),
  run: () => Array.from({ length: COUNT }, (_, at) => toId(at + 1)),
});

const getOrder = defineTool({
  name: "getOrder",
  description: "One order.",
  effect: "read",
  input: ID,
  output: ORDER,
  run: ({ id }) => findOrder(id),
});

const refund = defineTool({
  name: "refund",
  description: "Pays an order back.",
  effect: "irreversible",
  input: ID,
  output: z.object({ id: z.string(), usd: z.number() }),
  permission: (args) => {
    const { id } = ID.parse(args);
    const { usd } = findOrder(id);
    if (usd < FREE_USD) return { decision: "allow" };
    return { decision: "ask", reason: `${id} costs $${usd}: refund it?` };
  },
  run: ({ id }) => ({ id, usd: findOrder(id).usd }),
});

export default [listOrders, getOrder, refund];
