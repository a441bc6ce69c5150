/** Actions of the customer service, and those that its rules refuse. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { callTool, refusedPaths, toolContext, toolOf } from "@baton/core/testing";
import tools from "./tools.ts";

const call = (name: string, args: Json, context = toolContext()()) => callTool(toolOf(tools, name), args, context);

const refund = (more: Record<string, Json> = {}) => ({
  customer: "C-1001",
  order_id: "O-5001",
  reason: "It is broken",
  ...more,
});

test("only the refund cannot be undone, so only the refund asks", () => {
  const asking = tools.filter(({ effect }) => effect === "irreversible").map(({ name }) => name);
  assert.deepEqual(asking, ["IssueRefund"]);
});

test("the article that fits best comes first", async () => {
  assert.partialDeepStrictEqual(await call("SearchKnowledgeBase", { query: "It arrived broken!" }), [{ id: "KB-01" }]);
  assert.partialDeepStrictEqual(await call("SearchKnowledgeBase", { query: "my account is locked" }), [
    { id: "KB-04" },
  ]);
});

test("a customer is found by id or address, in any case", async () => {
  assert.partialDeepStrictEqual(await call("CheckAccountStatus", { customer: "c-1002" }), { locked: true });
  assert.partialDeepStrictEqual(await call("CheckAccountStatus", { customer: "Anh.Vu@example.com" }), { id: "C-1003" });
  await assert.rejects(call("CheckAccountStatus", { customer: "C-9999" }), { kind: "validation" });
});

test("orders come newest first, with what may be refunded", async () => {
  assert.partialDeepStrictEqual(await call("ViewOrderHistory", { customer: "C-1003" }), [
    { id: "O-5005", refundable_usd: 0 },
    { id: "O-5004", refundable_usd: 0 },
  ]);
  assert.partialDeepStrictEqual(await call("ViewOrderHistory", { customer: "C-1001" }), [
    { id: "O-5002", refundable_usd: 24.5 },
    { id: "O-5001", refundable_usd: 39 },
  ]);
});

test("a refund is the whole price unless an amount is named", async () => {
  assert.partialDeepStrictEqual(await call("IssueRefund", refund()), { order: "O-5001", amount_usd: 39 });
});

test("no more than the price is refunded, however many calls it takes", async () => {
  const context = toolContext();
  await call("IssueRefund", refund({ amount_usd: 30 }), context("1.1.1"));
  await assert.rejects(call("IssueRefund", refund({ amount_usd: 10 }), context("1.2.1")), { message: /at most 9 USD/ });
  await call("IssueRefund", refund({ amount_usd: 9 }), context("1.3.1"));
  await assert.rejects(call("IssueRefund", refund(), context("1.4.1")), { message: /refunded in full/ });
});

test("orders that are old, on their way, cancelled or somebody else's are not refunded", async () => {
  const old = refund({ customer: "C-1003", order_id: "O-5004" });
  const underway = refund({ customer: "C-1002", order_id: "O-5003" });
  const cancelled = refund({ customer: "C-1005", order_id: "O-5007" });
  await assert.rejects(call("IssueRefund", old), { kind: "permanent", message: /76 days/ });
  await assert.rejects(call("IssueRefund", underway), { kind: "permanent", message: /shipped/ });
  await assert.rejects(call("IssueRefund", cancelled), { kind: "permanent", message: /cancelled/ });
  await assert.rejects(call("IssueRefund", refund({ order_id: "O-5006" })), { kind: "permission" });
});

test("a refund of nothing, of a negative amount or without a reason is refused", async () => {
  const tool = toolOf(tools, "IssueRefund");
  assert.deepEqual(await refusedPaths(tool, refund({ amount_usd: 0 })), ["amount_usd"]);
  assert.deepEqual(await refusedPaths(tool, refund({ amount_usd: -5 })), ["amount_usd"]);
  assert.deepEqual(await refusedPaths(tool, refund({ reason: "" })), ["reason"]);
});

test("a password link does not give the whole address away, and a closed account gets none", async () => {
  assert.partialDeepStrictEqual(await call("ResetPassword", { customer: "C-1002" }), { sent_to: "th…@example.com" });
  await assert.rejects(call("ResetPassword", { customer: "C-1004" }), { kind: "permanent" });
});

test("a ticket is kept once, however often its call is tried", async () => {
  const context = toolContext()("3.1.1");
  const ticket = { subject: "Gift cards", details: "The customer asks for gift cards.", customer: "C-1005" };
  const first = await call("CreateTicket", ticket, context);
  assert.deepEqual(await call("CreateTicket", ticket, context), first);
  assert.partialDeepStrictEqual(context.state.get(`ticket/${context.key}`), { id: "T-3.1.1", customer: "C-1005" });
});
