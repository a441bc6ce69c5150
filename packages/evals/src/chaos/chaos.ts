/**
 * Chaos: one conversation played again and again, each time with another fault, on a SQLite store of its own.
 *
 * No real model or tool is called. A process that dies is a real one, started and killed; this process recovers its runs.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, BatonError, type Crew, type RunEvent } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { type LifeOptions, playLife, readLogs, type Sent } from "./chaos-life.ts";
import { type ChaosPlan, type ConversationLogs, toOutcomes } from "./chaos-plan.ts";
import { type ChaosResult, type SeenConversation, toUserSaw, toVerdict } from "./chaos-verdict.ts";
import { openFastClock } from "./fast-clock.ts";
import { PROVIDER_FAULTS, TOOL_FAULTS, type Use } from "./faulty-parts.ts";

/** Kinds of faults. */
export const FAULT_KINDS = ["kill", "provider", "tool", "command", "deploy"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Job of a process that is to be killed; it ends by SIGKILL, or in good order if the event never comes. */
export interface KillJob {
  readonly plan: ChaosPlan;
  readonly folder: string;
  /** Number of the event, from 1, counted over all runs. */
  readonly at: number;
  /** Also before the event is on disk. */
  readonly moment: "before" | "after";
}

/** Options of chaos. */
export interface ChaosOptions {
  readonly crew: Crew;
  readonly plan: ChaosPlan;
  readonly only?: readonly FaultKind[];
  /** Starts a process that calls `playAndDie` with this job; resolves when it has ended. */
  readonly startProcess: (job: KillJob) => Promise<void>;
  readonly onResult?: (done: number, of: number) => void;
  readonly stuckMs?: number;
}

/** One fault and what it did. */
export interface FaultResult {
  readonly fault: string;
  readonly at: number;
  readonly event: string;
  readonly result: ChaosResult;
  readonly why: string;
  readonly user_saw: string;
}

/** The sum of all faults. */
export type ChaosReport = Readonly<Record<"faults" | ChaosResult, number>> & {
  readonly results: readonly FaultResult[];
};

const STUCK_MS = 60_000;
const MAX_SAW = 200;
/** Faults at once that need no process of their own. */
const WAITING = 8;

/** A fault, and how it is brought about. */
type Fault = Readonly<{
  kind: FaultKind;
  name: string;
  at: number;
  event: string;
  play: (folder: string, store: Places) => Promise<SeenConversation>;
}>;

const hasProcess = ({ kind }: Fault): boolean => kind === "kill" || kind === "deploy";

type Places = Readonly<{ stuckMs: number; options: ChaosOptions }>;

/** Plays all faults. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { only = FAULT_KINDS, stuckMs = STUCK_MS, onResult } = options;
  const base = await playBase(options, stuckMs);
  const faults = listFaults(base, options).filter(({ kind }) => only.includes(kind));
  const results: FaultResult[] = [];
  let done = 0;
  const work = async (isMine: (fault: Fault) => boolean, parallel: number): Promise<void> => {
    const own = [...faults.entries()].filter(([, fault]) => isMine(fault));
    const next = own.values();
    const one = async (): Promise<void> => {
      for (const [at, fault] of next) {
        results[at] = await playFault(fault, base.logs, { stuckMs, options });
        done += 1;
        onResult?.(done, faults.length);
      }
    };
    await Promise.all(Array.from({ length: parallel }, one));
  };
  await work(hasProcess, availableParallelism());
  // Faults of this process mostly wait.
  await work((fault) => !hasProcess(fault), WAITING);
  const count = (result: ChaosResult) => results.filter((one) => one.result === result).length;
  const [same, asked, degraded] = [count("same"), count("asked"), count("degraded")];
  const [lost, repeated, stuck] = [count("lost"), count("repeated"), count("stuck")];
  return { faults: results.length, same, asked, degraded, lost, repeated, stuck, results };
}

type Base = Readonly<{ logs: ConversationLogs; uses: readonly Use[]; sent: readonly Sent[] }>;

/** The conversation as it should be. */
async function playBase(options: ChaosOptions, stuckMs: number): Promise<Base> {
  return inFolder(async (folder) => {
    const sent: Sent[] = [];
    const { logs, lives } = await playHere(folder, { stuckMs, options }, { sends: (one) => sent.push(one) });
    const [was, now] = [options.plan.outcomes, toOutcomes(logs)].map((all) => all.join(", "));
    if (was === now) return { logs, uses: lives.flat(), sent };
    const why = `it was ${was} and is ${now} (${toUserSaw(logs).slice(0, MAX_SAW)})`;
    throw new BatonError("invalid", `the conversation cannot be played from its recording: ${why}`);
  });
}

class StuckError extends Error {}

/** A process that could not play the conversation at all: that is no result of a fault. */
export class ChaosProcessError extends Error {}

async function playFault(fault: Fault, base: ConversationLogs, places: Places): Promise<FaultResult> {
  const { name, at, event } = fault;
  const about = { fault: name, at, event };
  return inFolder(async (folder) => {
    try {
      const seen = await fault.play(folder, places);
      const { result, why } = toVerdict(base, seen);
      return { ...about, result, why, user_saw: toUserSaw(seen.logs).slice(0, MAX_SAW) };
    } catch (error) {
      if (error instanceof ChaosProcessError) throw error;
      if (error instanceof StuckError) return { ...about, result: "stuck", why: error.message, user_saw: "" };
      const why = error instanceof Error ? error.message : String(error);
      return { ...about, result: "lost", why: `it could not go on: ${why}`, user_saw: "" };
    }
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `baton-chaos-${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const KILLED = "killed";
const databaseOf = (folder: string) => join(folder, "baton.db");
const usesOf = (folder: string) => join(folder, "uses.jsonl");
const LEASE_MS = 600_000;

/** Options of a life of this process. */
type Change = Partial<Omit<LifeOptions, "plan" | "store" | "tell">> & { readonly time?: "fast" };

/** Plays the conversation in this process. */
async function playHere(
  folder: string,
  { stuckMs, options }: Places,
  { time, ...change }: Change,
): Promise<SeenConversation> {
  const uses: Use[] = [];
  const database = await openSqlite({ path: databaseOf(folder) });
  await database.claims.leave(KILLED);
  const atKill = await readLogs({ database });
  const clock = time === "fast" ? openFastClock() : new SystemClock();
  await using store = await Store.open({ database, clock, leaseMs: LEASE_MS });
  const { crew, plan } = options;
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new StuckError(`no end or pause in ${stuckMs / 1_000} s`)), stuckMs);
  try {
    await playLife({ crew, plan, store, tell: (use) => uses.push(use), until: timer.promise, ...change });
  } finally {
    clearTimeout(timeout);
  }
  return { logs: await readLogs(store), lives: [uses], ...(atKill.length > 0 && { atKill }) };
}

/** Plays the conversation in a process that is killed, and goes on in this one. */
async function playKilled(
  folder: string,
  places: Places,
  { at, moment, crew }: Readonly<{ at: number; moment: KillJob["moment"]; crew?: Crew }>,
): Promise<SeenConversation> {
  const { plan, startProcess } = places.options;
  await startProcess({ plan, folder, at, moment });
  const before = await readUses(folder);
  const seen = await playHere(folder, places, crew === undefined ? {} : { crew });
  return { ...seen, lives: [before, ...seen.lives] };
}

async function readUses(folder: string): Promise<readonly Use[]> {
  const text = await readFile(usesOf(folder), "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const use = parseJson(line);
    return isUse(use) ? [use] : [];
  });
}

const isUse = (value: unknown): value is Use => typeof value === "object" && value !== null && "is" in value;

/** Whether a value is the job of a process, as this package writes it. */
export function isKillJob(value: unknown): value is KillJob {
  return typeof value === "object" && value !== null && "plan" in value && "folder" in value && "at" in value;
}

/** All faults that a conversation can have, by what happened in it. */
function listFaults({ logs, uses, sent }: Base, { crew }: ChaosOptions): readonly Fault[] {
  const events = logs.flat();
  const models = uses.filter(({ is }) => is === "model");
  const tools = uses.filter(({ is }) => is === "tool");
  return [
    ...events.flatMap((event, at) => toKills(event, at + 1)),
    ...models.flatMap(({ name }, index) => toProviderFaults(index + 1, name)),
    ...tools.flatMap(({ name }, index) => toToolFaults(index + 1, name)),
    ...sent.flatMap(toCommandFaults),
    ...models.map(({ name }, index) => toCancel(index + 1, name)),
    ...events.flatMap((event, at) => (event.type === "run.paused" ? toDeploy(at + 1, crew) : [])),
  ];
}

function toKills(event: RunEvent, at: number): readonly Fault[] {
  const toKill = (moment: KillJob["moment"]): Fault => ({
    kind: "kill",
    name: moment === "after" ? "kill" : "kill before it is stored",
    at,
    event: event.type,
    play: (folder, places) => playKilled(folder, places, { at, moment }),
  });
  return event.type === "call.ended" ? [toKill("before"), toKill("after")] : [toKill("after")];
}

function toProviderFaults(at: number, event: string): readonly Fault[] {
  return PROVIDER_FAULTS.flatMap((fault) =>
    (["once", "always"] as const).map((often) => {
      const modelFault = (call: number) => (call === at || (often === "always" && call > at) ? fault : undefined);
      const name = `provider: ${fault}, ${often}`;
      return {
        kind: "provider",
        name,
        at,
        event,
        play: (...to) => playHere(...to, { modelFault, time: "fast" }),
      } satisfies Fault;
    }),
  );
}

function toToolFaults(at: number, event: string): readonly Fault[] {
  return TOOL_FAULTS.map((fault) => {
    const toolFault = (call: number) => (call === at ? fault : undefined);
    return {
      kind: "tool",
      name: `tool: ${fault}`,
      at,
      event,
      play: (...to) => playHere(...to, { toolFault, time: "fast" }),
    } satisfies Fault;
  });
}

function toCommandFaults({ number, type }: Sent): readonly Fault[] {
  const moments = type === "answer" || type === "start" ? (["at once", "later"] as const) : (["at once"] as const);
  return moments.map((when) => ({
    kind: "command",
    name: `command: twice, ${when}`,
    at: number,
    event: type,
    play: (...to) => playHere(...to, { twice: { number, when } }),
  }));
}

function toCancel(at: number, event: string): Fault {
  return {
    kind: "command",
    name: "command: cancel twice",
    at,
    event,
    play: (...to) => playHere(...to, { cancelAt: at }),
  };
}

function toDeploy(at: number, crew: Crew): Fault {
  const edited = editCrew(crew);
  const play: Fault["play"] = (folder, places) => playKilled(folder, places, { at, moment: "after", crew: edited });
  return { kind: "deploy", name: "deploy", at, event: "run.paused", play };
}

/** The crew with other prompts and no routing of its own. */
function editCrew(crew: Crew): Crew {
  const edit = (agent: Agent): Agent => Object.freeze({ ...agent, systemPrompt: `${agent.systemPrompt}\n\nEdited.` });
  const agents = new Map(Array.from(crew.agents, ([id, agent]) => [id, edit(agent)]));
  return Object.freeze({ ...crew, agents, signals: new Map(), defaults: new Map() });
}

/** Plays the conversation in this process until an event is written, and kills the process then. */
export async function playAndDie(crew: Crew, { plan, folder, at, moment }: KillJob): Promise<void> {
  const { appendFileSync } = await import("node:fs");
  const die = (): never => {
    process.kill(process.pid, "SIGKILL");
    throw new Error("killed");
  };
  const inner = await openSqlite({ path: databaseOf(folder) });
  let events = 0;
  const commit: typeof inner.commit = async (changes) => {
    const last =
      events + changes.reduce((sum, { batch }) => sum + (batch === undefined ? 0 : batch.last - batch.first + 1), 0);
    const isNow = events < at && at <= last;
    // A batch is written whole or not at all: inside it, an event is followed by a death before the write.
    if (isNow && (moment === "before" || at < last)) die();
    const written = await inner.commit(changes);
    if (isNow) die();
    events = last;
    return written;
  };
  const { withMethods } = await import("@baton/store/ports");
  await using store = await Store.open({ database: withMethods(inner, { commit }), owner: KILLED, leaseMs: LEASE_MS });
  const tell = (use: Use) => appendFileSync(usesOf(folder), `${JSON.stringify(use)}\n`);
  await playLife({ crew, plan, store, tell });
}
