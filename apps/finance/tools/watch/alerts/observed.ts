/**
 * Observed: what a source says now about what an alert looks at, before any rule.
 */
import { z } from "zod";

/** Of when a value is, and how real. */
const STANDING = {
  /** RFC 3339 with its offset. */
  as_of: z.string(),
  kind: z.enum(["live", "delayed", "snapshot", "history"]),
  source: z.string(),
  /** An older answer stands in for a source that is down. */
  is_stale: z.boolean(),
};

/** A price, an RSI, the newest filings, or the next report. */
export const OBSERVED = z.discriminatedUnion("what", [
  z.object({
    what: z.literal("price"),
    price: z.number(),
    currency: z.string(),
    /** Since the close of the day before; of a coin, in 24 hours. */
    change_percent: z.number().optional(),
    ...STANDING,
  }),
  z.object({ what: z.literal("rsi"), rsi: z.number(), ...STANDING }),
  z.object({
    what: z.literal("filings"),
    filings: z.array(z.object({ form: z.string(), filed: z.string(), accession: z.string() })),
    ...STANDING,
  }),
  z.object({
    what: z.literal("earnings"),
    /** The nearest day to come that is known. */
    next: z.string().optional(),
    today: z.string(),
    ...STANDING,
  }),
]);

export type Observed = z.output<typeof OBSERVED>;
export type ObservedFiling = Extract<Observed, { what: "filings" }>["filings"][number];
