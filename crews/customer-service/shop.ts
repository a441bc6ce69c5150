/**
 * Shop: the bundled, fictional shop's customers, orders and help articles.
 *
 * Read from `data/shop.json` once and checked. The shop has its own `today`, so that what is refundable does not
 * change with the calendar.
 */
import { readFileSync } from "node:fs";
import { ToolError } from "@baton/core";
import { z } from "zod";

const Customer = z.object({
  id: z.string(),
  name: z.string(),
  email: z.email(),
  status: z.enum(["active", "closed"]),
  plan: z.enum(["standard", "plus"]),
  since: z.iso.date(),
  locked: z.boolean(),
});

const Order = z.object({
  id: z.string(),
  customer: z.string(),
  item: z.string(),
  price_usd: z.number().positive(),
  status: z.enum(["processing", "shipped", "delivered", "cancelled"]),
  ordered: z.iso.date(),
  delivered: z.iso.date().nullable(),
});

const Article = z.object({ id: z.string(), title: z.string(), text: z.string(), tags: z.array(z.string()) });

const Shop = z.object({
  note: z.string(),
  today: z.iso.date(),
  customers: z.array(Customer),
  orders: z.array(Order),
  articles: z.array(Article),
});

type Customer = z.infer<typeof Customer>;
export type Order = z.infer<typeof Order>;
type Article = z.infer<typeof Article>;

/** The whole shop. */
export const SHOP = Shop.parse(JSON.parse(readFileSync(new URL("data/shop.json", import.meta.url), "utf8")));

/** The customer of an id or an e-mail address. */
export function findCustomer(idOrEmail: string): Customer {
  const wanted = idOrEmail.toLowerCase();
  const customer = SHOP.customers.find(({ id, email }) => id.toLowerCase() === wanted || email === wanted);
  if (customer === undefined) {
    throw new ToolError(
      "validation",
      `no customer "${idOrEmail}": ask for the customer id (C-1001) or the e-mail address`,
    );
  }
  return customer;
}

/** The order of an id. */
export function findOrder(orderId: string): Order {
  const order = SHOP.orders.find(({ id }) => id.toLowerCase() === orderId.toLowerCase());
  if (order === undefined) {
    throw new ToolError("validation", `no order "${orderId}": look at ViewOrderHistory for the customer's orders`);
  }
  return order;
}

/** The articles that fit a question best, best first. */
export function searchArticles(query: string, limit: number): readonly Article[] {
  const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const score = ({ title, text, tags }: Article) => {
    const [heading, body, label] = [title.toLowerCase(), text.toLowerCase(), tags.join(" ")];
    const weigh = (word: string) =>
      (label.includes(word) ? 3 : 0) + (heading.includes(word) ? 2 : 0) + (body.includes(word) ? 1 : 0);
    return [...words].reduce((sum, word) => sum + weigh(word), 0);
  };
  return SHOP.articles
    .map((article) => ({ article, points: score(article) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, limit)
    .map(({ article }) => article);
}
