/**
 * Refund: whether money may go back for an order, and how much.
 *
 * The rules are those of the help articles KB-01, KB-02 and KB-05.
 */
import { SHOP, type Order } from "./shop.ts";

/** Days after delivery in which an order can be refunded. */
const REFUND_DAYS = 30;

/** The amount that may be refunded, or the reason why there is none. */
type Refundable = { readonly ok: true; readonly maxUsd: number } | { readonly ok: false; readonly why: string };

/** Decides on the refund of an order of which some was refunded before. */
export function refundable(order: Order, refundedUsd: number): Refundable {
  if (order.status === "cancelled") return { ok: false, why: `${order.id} was cancelled and never charged` };
  if (order.delivered === null) {
    return { ok: false, why: `${order.id} is ${order.status}; it can be refunded once it has arrived` };
  }
  const days = daysBetween(order.delivered, SHOP.today);
  if (days > REFUND_DAYS) {
    return { ok: false, why: `${order.id} was delivered ${days} days ago; refunds end after ${REFUND_DAYS} days` };
  }
  const leftUsd = toCents(order.price_usd - refundedUsd);
  if (leftUsd <= 0) return { ok: false, why: `${order.id} was refunded in full already` };
  return { ok: true, maxUsd: leftUsd };
}

/** Dollars rounded to whole cents. */
export const toCents = (usd: number): number => Math.round(usd * 100) / 100;

const DAY_MS = 24 * 60 * 60 * 1_000;

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
