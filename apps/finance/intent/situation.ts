/**
 * Situation: what a question is asked in: the directory, the conversation before it, what the request said, and the day.
 */
import { z } from "zod";
import type { IndexedDirectory } from "../market/directory/directory.ts";

/** A message of the conversation. */
export interface EarlierMessage {
  readonly role: string;
  readonly content: string;
}

const Text = z.string().optional().catch(undefined);

const FIRED = z.object({
  symbol: z.string(),
  kind: z.string(),
  text: z.string(),
  language: z.enum(["en", "vi"]).optional().catch(undefined),
});
const SCHEDULED = z.object({ name: z.string().optional().catch(undefined), missed: z.number().int().min(0).catch(0) });

/** An alert that fired and started this run. */
export type FiredAlert = z.output<typeof FIRED>;

/** What the request said; what does not fit is left out. */
const REQUEST_OPTIONS = z.object({
  mode: Text,
  enable_tools: z.boolean().optional().catch(undefined),
  enable_web_search: z.boolean().optional().catch(undefined),
  ui_context: z
    .object({ active_tab: Text, recent_symbols: z.array(z.string()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  /** What started the run, if no person did. */
  alert: FIRED.optional().catch(undefined),
  schedule: SCHEDULED.optional().catch(undefined),
  response_language: z.enum(["en", "vi"]).optional().catch(undefined),
});

/** What a request says about how it is to be answered. */
export type RequestOptions = z.output<typeof REQUEST_OPTIONS>;

/** What a question is asked in. */
export interface Situation {
  readonly directory: IndexedDirectory;
  /** Earlier messages, the newest last. */
  readonly history?: readonly EarlierMessage[];
  /** The run's options, as they came. */
  readonly options?: unknown;
  /** The data's day, YYYY-MM-DD. */
  readonly today: string;
  /** The day that records call today (filings, rates, series), if it is not the day of prices. */
  readonly recordsToday?: string;
  /** Names of the tools there are; by default every tool that the rules know. */
  readonly tools?: ReadonlySet<string>;
  /** Symbols that the session was about, the newest first, if the conversation does not say. */
  readonly recent?: readonly string[];
}

/** The options that rules look at. */
export function optionsOf({ options }: Pick<Situation, "options">): RequestOptions {
  return REQUEST_OPTIONS.safeParse(options ?? {}).data ?? {};
}
