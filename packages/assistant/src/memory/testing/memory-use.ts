/**
 * Memory use: how suites of memory call its tools, and what a store under test gives them.
 */
import type { Json } from "@baton/core";
import { type Clock, type Documents, Scope, SystemClock } from "@baton/core/ports";
import { callTool, toolContext, toolOf } from "@baton/core/testing";
import type { Database } from "@baton/store";
import { z } from "zod";
import { defineLearnTools } from "../learn-tools.ts";
import { defineMemoryTools } from "../memory-tools.ts";

/** An owner of documents. */
type Owner = Readonly<{ tenant: string; user: string }>;

/** A store under test. */
export interface MemoryUnderTest extends AsyncDisposable {
  documents(owner: Owner): Documents;
  deleteSession(owner: Owner, session: string): Promise<unknown>;
}

/** A user. */
export const LAN: Owner = { tenant: "acme", user: "lan" };
/** Another user of the same tenant. */
export const MINH: Owner = { tenant: "acme", user: "minh" };
const TOOLS = [...defineMemoryTools(), ...defineLearnTools()];
/** In milliseconds. */
export const HOUR = 3_600_000;
/** A time. */
export const AT = "2024-11-22T00:00:00.000Z";

/** The context of a call. */
interface Calling {
  readonly documents: Documents;
  readonly session?: string;
  readonly call?: string;
  readonly run?: string;
  /** When it is made. */
  readonly atMs?: number;
}

/** Calls a tool as a run would; gives its output and the notes it made. */
export async function use(
  tool: string,
  args: Json,
  { documents, atMs, session = "s", call = "1.1.1", run = "r" }: Calling,
) {
  const notes: Json[] = [];
  const base = toolContext([], { documents })(call);
  const scope = atMs === undefined ? base.scope : Scope.root({ clock: clockAt(atMs) });
  const note = (kind: string, data: Json) => {
    notes.push({ kind, data });
  };
  const context = { ...base, scope, session, run, key: `${run}/${call}`, note };
  const output: unknown = await callTool(toolOf(TOOLS, tool), args, context);
  return { output, notes };
}

function clockAt(atMs: number): Clock {
  const real = new SystemClock();
  const after: Clock["after"] = (delayMs, run) => real.after(delayMs, run);
  return {
    now: () => atMs,
    monotonic: real.monotonic,
    after,
    soon: real.soon,
    breathe: () => undefined,
    random: () => 0,
  };
}

/** Has something saved. */
export const save = (content: string, calling: Calling, category = "fact") =>
  use("saveToMemory", { content, category }, calling);

const ITEMS = z.object({ items: z.array(z.looseObject({ text: z.string(), role: z.string().optional() })) });

/** Recalls something. */
export async function recalled(query: string, calling: Calling, timeframe = "all"): Promise<readonly string[]> {
  const { output } = await use("recallMemory", { query, timeframe }, calling);
  return ITEMS.parse(output).items.map(({ text }) => text);
}

/** Has a turn kept. */
export const keep = (input: string, calling: Calling) =>
  use(
    "keepTurn",
    { run: calling.run ?? "r", session: calling.session ?? "s", input, answer: `About: ${input}` },
    calling,
  );

/** Returns the documents and sessions of a database; `close` is called after the database has closed. */
export function toMemoryUnderTest(database: Database, close: () => void = () => {}): MemoryUnderTest {
  return {
    documents: (owner) => database.documents(owner),
    deleteSession: (owner, session) => database.sessions.delete(owner, session),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      close();
    },
  };
}
