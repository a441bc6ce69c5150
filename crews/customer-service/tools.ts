/**
 * The service desk's tools: look things up, and three that act: refund, password link, ticket.
 *
 * The shop is a bundled file; what an action did is kept in the run's state. `IssueRefund` is `irreversible`, so a
 * person is asked before each call.
 */
import { defineTool, ToolError, type CallContext } from "@baton/core";
import { z } from "zod";
import { refundable, toCents } from "./refund.ts";
import { findCustomer, findOrder, searchArticles, SHOP } from "./shop.ts";

const CustomerId = z.string().trim().min(3).max(100).describe("The customer's id (C-1001) or e-mail address");
const OrderId = z.string().trim().min(3).max(20).describe("The order's id, such as O-5001");

const refundKey = (orderId: string): string => `refunded/${orderId}`;

/** The amount that was refunded for an order earlier in this run. */
function refundedUsd({ state }: CallContext, orderId: string): number {
  const stored = state.get(refundKey(orderId));
  return typeof stored === "number" ? stored : 0;
}

const searchKnowledgeBase = defineTool({
  name: "SearchKnowledgeBase",
  description: "Help articles of the shop that fit a question: its rules on returns, delivery, accounts.",
  effect: "read",
  input: z.object({
    query: z.string().trim().min(3).max(300).describe("The question, or words from it"),
    limit: z.int().min(1).max(5).default(2).describe("How many articles to return at most"),
  }),
  run: ({ query, limit }) => {
    const articles = searchArticles(query, limit).map(({ id, title, text }) => ({ id, title, text }));
    return articles.length > 0 ? articles : "No article fits. Try other words, or create a ticket.";
  },
});

const checkAccountStatus = defineTool({
  name: "CheckAccountStatus",
  description: "Whether a customer's account is active or locked, its plan, and since when it exists.",
  effect: "read",
  input: z.object({ customer: CustomerId }),
  run: ({ customer }) => findCustomer(customer),
});

const viewOrderHistory = defineTool({
  name: "ViewOrderHistory",
  description: "A customer's orders, newest first, with what may still be refunded.",
  effect: "read",
  input: z.object({ customer: CustomerId }),
  run: ({ customer }, context) => {
    const { id } = findCustomer(customer);
    const orders = SHOP.orders
      .filter((order) => order.customer === id)
      .toSorted((a, b) => b.ordered.localeCompare(a.ordered));
    return orders.map((order) => {
      const allowed = refundable(order, refundedUsd(context, order.id));
      return { ...order, refundable_usd: allowed.ok ? allowed.maxUsd : 0 };
    });
  },
});

const issueRefund = defineTool({
  name: "IssueRefund",
  description: "Pays money back for an order of the customer. Cannot be undone; a person is asked first.",
  effect: "irreversible",
  input: z.object({
    customer: CustomerId,
    order_id: OrderId,
    amount_usd: z.number().positive().max(10_000).optional().describe("Default: all that may be refunded"),
    reason: z.string().trim().min(5).max(300).describe("Why, in one sentence, for the books"),
  }),
  run: ({ customer, order_id, amount_usd, reason }, context) => {
    const order = findOrder(order_id);
    if (order.customer !== findCustomer(customer).id) {
      throw new ToolError("permission", `${order.id} is not an order of this customer`);
    }
    const before = refundedUsd(context, order.id);
    const allowed = refundable(order, before);
    if (!allowed.ok) throw new ToolError("permanent", allowed.why);
    const amount = toCents(amount_usd ?? allowed.maxUsd);
    if (amount > allowed.maxUsd)
      throw new ToolError("validation", `at most ${allowed.maxUsd} USD may be refunded for ${order.id}`);
    context.state.set(refundKey(order.id), toCents(before + amount));
    return {
      refund: `R-${context.call}`,
      order: order.id,
      amount_usd: amount,
      reason,
      arrives: "within 5 working days",
    };
  },
});

const resetPassword = defineTool({
  name: "ResetPassword",
  description: "Sends the customer a link to set a new password; it also unlocks the account.",
  effect: "idempotent",
  input: z.object({ customer: CustomerId }),
  run: ({ customer }) => {
    const { status, email } = findCustomer(customer);
    if (status === "closed")
      throw new ToolError("permanent", "the account is closed; create a ticket to have it opened again");
    return { sent_to: mask(email), valid_minutes: 30, unlocks: true };
  },
});

const createTicket = defineTool({
  name: "CreateTicket",
  description: "Hands a case to a person at the shop. Use it for what the other tools cannot do.",
  effect: "idempotent",
  input: z.object({
    subject: z.string().trim().min(5).max(120),
    details: z.string().trim().min(10).max(1_000).describe("All a colleague needs to go on without asking again"),
    priority: z.enum(["low", "normal", "high"]).default("normal"),
    customer: CustomerId.optional(),
  }),
  run: ({ subject, details, priority, customer }, { call, key, state }) => {
    const owner = customer === undefined ? null : findCustomer(customer).id;
    const ticket = { id: `T-${call}`, subject, priority, customer: owner };
    // By the call's key: another attempt of the same call writes the same ticket, not a second one.
    state.set(`ticket/${key}`, { ...ticket, details });
    return { ...ticket, answer_within: priority === "high" ? "4 hours" : "1 working day" };
  },
});

/** Enough of an address to recognise it, not enough to learn it. */
function mask(email: string): string {
  const at = email.indexOf("@");
  return `${email.slice(0, 2)}…${email.slice(at)}`;
}

export default [searchKnowledgeBase, checkAccountStatus, viewOrderHistory, issueRefund, resetPassword, createTicket];
