/**
 * Source route: `GET /api/finance/sources`, every source of market data with its switch, its places in the chains, and
 * how it has fared; `PUT` changes the data mode or the contact for the SEC.
 */
import { BatonError } from "@baton/core";
import { defineRoute, type RouteMount } from "@baton/server/mount";
import { z } from "zod";
import type { MarketChange, MarketHolder } from "../market/chain/market-holder.ts";
import { MarketError } from "../market/port/market-error.ts";

const TIME = z.string().describe("RFC 3339");

const SOURCE = z.object({
  name: z.string(),
  title: z.string(),
  group: z.enum(["open", "unofficial", "keyed", "stored"]),
  on: z.boolean(),
  why: z.string(),
  enable: z.string().optional().describe("what turns it on"),
  markets: z.array(z.string()).optional(),
  hosts: z.array(z.string()),
  base_url_settings: z.array(z.string()),
  capabilities: z
    .array(z.object({ capability: z.string(), place: z.int(), of: z.int() }))
    .describe("place 1 is asked first; 0 while it is off"),
  last_success_at: TIME.optional(),
  last_error: z.object({ at: TIME, kind: z.string(), message: z.string() }).optional(),
  requests_today: z.int(),
  breaker: z.enum(["closed", "open", "half_open"]),
  retry_at: TIME.optional(),
  data_as_of: TIME.optional().describe("the time that its newest data is of"),
});

const DATA = z.object({
  mode: z.string(),
  as_of: z.string(),
  age: z.string(),
  headline: z.string(),
  has: z.array(z.string()),
  lacks: z.array(z.string()),
});

const REPORT = z.object({
  mode: z.enum(["auto", "offline", "live"]),
  data: DATA.describe("which data is in use, how old it is, and what it does not have"),
  today: z.string(),
  sources: z.array(SOURCE),
  chains: z.record(z.string(), z.array(z.string())),
});

const CHANGE = z.strictObject({
  data: z.enum(["auto", "offline", "live"]).optional(),
  sec_contact: z.string().trim().min(3).max(200).optional().describe("your e-mail address, which the SEC asks for"),
});

/** The routes for a market that is opened by the first request. */
export function sourceRoutes(market: Pick<MarketHolder, "open" | "change">): readonly RouteMount[] {
  return [
    defineRoute({
      method: "get",
      path: "/api/finance/sources",
      summary: "Sources of market data: on or off and why, chains, last success and error, requests today",
      scope: "read",
      answers: { 200: { description: "All sources", schema: REPORT } },
      handle: async () => Response.json((await market.open()).sources()),
    }),
    defineRoute({
      method: "put",
      path: "/api/finance/sources",
      summary: "Changes the data mode, or the contact for the SEC, of this server",
      scope: "admin",
      body: CHANGE,
      answers: { 200: { description: "All sources, with the change", schema: REPORT } },
      handle: async ({ body }) => Response.json((await changed(market, body)).sources()),
    }),
  ];
}

async function changed(market: Pick<MarketHolder, "change">, change: MarketChange) {
  try {
    return await market.change(change);
  } catch (error) {
    throw error instanceof MarketError ? new BatonError("invalid", error.message, { cause: error }) : error;
  }
}
