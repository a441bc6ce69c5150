/**
 * Watch harness: the watch tools of one user on a market whose values a test sets, at a time that a test sets.
 */
import { MemoryCache } from "@baton/assistant";
import type { CallContext, Json, Message, Tool } from "@baton/core";
import { type Clock, type Documents, Scope, SystemClock } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { callTool, toolContext, toolOf } from "@baton/core/testing";
import { LOCAL } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import type { Capabilities, MarketData } from "../../../market/port/market-data.ts";
import type { Provenance } from "../../../market/port/provenance.ts";
import { sourced, stubMarket } from "../../testing/stub-market.ts";
import { checkAlert } from "../check-alert.ts";
import { listAlertsTool } from "../list-alerts.ts";
import { removeAlertTool } from "../remove-alert.ts";
import { setAlertTool } from "../set-alert.ts";
import { setScheduleTool } from "../set-schedule.ts";
import { setWatchlistTool } from "../set-watchlist.ts";

/** A Friday morning in New York on which markets are open. */
const OPEN_AT = Date.UTC(2024, 10, 22, 15, 0);

/** The time of this machine, moved to where a test wants it. */
export class SetClock implements Clock {
  readonly #system = new SystemClock();
  #now: number;

  constructor(now: number = OPEN_AT) {
    this.#now = now;
  }

  now = (): number => this.#now;
  monotonic = (): number => this.#now;
  after = (delayMs: number, run: () => void) => this.#system.after(delayMs, run);
  soon = (run: () => void): void => this.#system.soon(run);
  breathe = (): Promise<void> | undefined => this.#system.breathe();
  random = (): number => 0.5;

  /** Lets time pass. */
  pass(ms: number): void {
    this.#now += ms;
  }
}

/** Quotes of the market; a test changes them. */
export interface Quoted {
  price: number;
  changePercent?: number;
  provenance?: Partial<Provenance>;
  /** Thrown instead of an answer. */
  failure?: Error;
}

/** A market of stocks and coins with one price. */
export function quotedMarket(quoted: Quoted, clock: Clock, more: Partial<Capabilities> = {}): MarketData {
  const answer = async <T>(data: T) => {
    if (quoted.failure !== undefined) throw quoted.failure;
    return sourced(data, { kind: "live", as_of: new Date(clock.now()).toISOString(), ...quoted.provenance });
  };
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  const quote = () =>
    answer({ price: quoted.price, ...(quoted.changePercent !== undefined && { changePercent: quoted.changePercent }) });
  const coinPrice = () => answer({ price: quoted.price, quoteCurrency: "USDT" });
  return stubMarket({ quote, coinPrice, ...more }, { today });
}

/** A harness, and what a user does at it. */
export interface WatchHarness {
  readonly clock: SetClock;
  readonly quoted: Quoted;
  readonly tools: readonly Tool[];
  readonly documents: Documents;
  /** Calls a tool and returns its answer as JSON; another call each time. */
  readonly call: (name: string, args: Json) => Promise<Json>;
  readonly context: (call?: string) => CallContext;
}

/** Options of a harness. */
export interface WatchHarnessOptions {
  readonly more?: Partial<Capabilities>;
  readonly language?: "en" | "vi";
  readonly documents?: Documents;
  readonly session?: string;
  readonly now?: number;
}

/** Opens a harness. */
export function openWatchHarness(options: WatchHarnessOptions = {}): WatchHarness {
  const clock = new SetClock(options.now);
  const quoted: Quoted = { price: 140 };
  const { documents = openMemory().documents(LOCAL), session = "talk", language = "en" } = options;
  const tools = toolsOn(quotedMarket(quoted, clock, options.more), clock);
  const made = toolContext(NO_MESSAGES, { documents });
  const scope = Scope.root({ clock });
  let calls = 0;
  const context = (call = `1.1.${++calls}`): CallContext => {
    const own = { ...made(call), key: `${session}/${call}`, session, scope };
    own.state.set("language", language);
    return own;
  };
  const call = async (name: string, args: Json): Promise<Json> =>
    parseJson(JSON.stringify(await callTool(toolOf(tools, name), args, context()))) ?? {};
  return { clock, quoted, tools, documents, call, context };
}

const NO_MESSAGES: readonly Message[] = [];

/** Every watch tool, the check included. */
export function toolsOn(market: MarketData, clock: Clock): readonly Tool[] {
  const deps = { cache: new MemoryCache({ clock }) };
  const offered = [setWatchlistTool, setAlertTool, listAlertsTool, removeAlertTool, setScheduleTool];
  return [...offered.map(({ open }) => open(market, deps)), checkAlert(market, deps)];
}

const RESULT = z.looseObject({ data: z.record(z.string(), z.json()) });

/** The data of a result. */
export const dataOf = (output: Json): Readonly<Record<string, Json>> => RESULT.parse(output).data;

/** A text of a result's data; empty if it is none. */
export function textAt(data: Readonly<Record<string, Json>>, name: string): string {
  const value = data[name];
  return typeof value === "string" ? value : "";
}
