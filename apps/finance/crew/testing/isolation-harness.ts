/**
 * Isolation harness: the assistant as it is served, on one store, for tests that look at everything one user can reach. Its
 * documents are found by meaning too, and all that its tools keep for anybody is recorded.
 *
 * Stopping it lets everything end that follows an answer.
 */
import { join } from "node:path";
import { type ResultCache, MemoryCache } from "@baton/assistant";
import type { Json, Model } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { readCrew } from "@baton/crewfile";
import { KeyRing, startServer } from "@baton/server";
import { type Database, LOCAL, Store, withDocumentLayers } from "@baton/store";
import { tryEmbed, withEmbeddings } from "@baton/store/semantic";
import { openMarket } from "../../market/chain/open-market.ts";
import { deferTools } from "../../tools/frame/deferred-tools.ts";
import assistant from "../assistant.ts";
import { guardTools } from "../guarded-tools.ts";
import { openLasting } from "@baton/store/testing";

/** Headers of the key with which a request is sent. */
export type As = Readonly<Record<string, string>>;

/** Status and text of a response. */
export type Sent = Readonly<{ status: number; text: string }>;

/** The served assistant. */
export interface IsolationHarness {
  readonly chat: (as: As, text: string, session: string) => Promise<string>;
  readonly send: (as: As, method: string, path: string) => Promise<Sent>;
  /** Opens a stream without end, does something, and gives what came until it has the words. */
  readonly watch: (as: As, path: string, asked: Watched) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Work that is done while a stream is open, and the words that end the wait for the stream. */
type Watched = Readonly<{ meanwhile: () => Promise<unknown>; until: string }>;

const DIMENSIONS = 32;

/** A vector of a text: how often each letter occurs in it. */
async function embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
  return texts.map((text) => {
    const vector = new Float32Array(DIMENSIONS).fill(0.01);
    for (const letter of text.toLowerCase()) {
      const at = (letter.codePointAt(0) ?? 0) % DIMENSIONS;
      vector[at] = (vector[at] ?? 0) + 1;
    }
    return vector;
  });
}

/** A database whose documents have vectors. */
export function openShared(): Database {
  const vectors = tryEmbed(embed);
  return withDocumentLayers(openLasting(), {
    wrap: (documents) => withEmbeddings(documents, vectors),
    layers: [],
  });
}

/** A key of a user of the tenant `acme`. */
export async function makeKey(database: Database, user: string): Promise<As> {
  const ring = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  return { Authorization: `Bearer ${(await ring.create("acme", ["run", "read"], { user })).key}` };
}

/** Transfers the data from before the first key to a user. */
export const adoptLocal = (database: Database, user: string) =>
  database.owners.transfer(LOCAL, { tenant: "acme", user });

/** A cache that shows all it was given. */
export function recordingCache(cached: string[]): ResultCache {
  const inner = new MemoryCache();
  return {
    get: (key) => inner.get(key),
    delete: (key) => inner.delete(key),
    set: (key, value: Json, ttlMs) => {
      cached.push(`${key} ${JSON.stringify(value)}`);
      return inner.set(key, value, ttlMs);
    },
  };
}

/** Serves the assistant on 127.0.0.1; `cache` is what its tools share. */
export async function serveAssistant(database: Database, cache: ResultCache): Promise<IsolationHarness> {
  const { crew, findings } = await readCrew(join(import.meta.dirname, ".."), { providers: ["auto"] });
  if (crew === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  const market = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: new SystemClock() });
  const open = async () => market;
  const tools = guardTools(deferTools(open, { cache }), open);
  const served = { ...crew, tools: new Map(tools.map((tool) => [tool.name, tool])) };
  const store = await Store.open({ database });
  const server = await startServer({
    store,
    crews: [{ id: crew.name, crew: served, findings: [], kind: "assistant" }],
    model: (_, { programs }) => toOffline(programs.get("offline")),
    routes: assistant.routes,
    dialects: assistant.dialects,
    port: 0,
    rateLimits: "off",
    logLevel: "silent",
  });
  const request = async (as: As, path: string, init: RequestInit): Promise<Sent> => {
    const headers = { "Content-Type": "application/json", Accept: "application/json", ...as };
    const answer = await fetch(server.url + path, { ...init, headers });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    send: (as, method, path) => request(as, path, { method }),
    chat: async (as, text, session) => {
      const body = JSON.stringify({ question_input: text, session_id: session });
      const { status, text: frames } = await request(as, "/api/v2/chat", { method: "POST", body });
      if (status !== 200) throw new Error(`${text}: ${status} ${frames}`);
      return frames;
    },
    watch: async (as, path, { meanwhile, until }) => {
      const aborting = new AbortController();
      const answer = await fetch(server.url + path, { headers: as, signal: aborting.signal });
      const done = meanwhile();
      let text = "";
      const decoder = new TextDecoder();
      for await (const bytes of answer.body ?? []) {
        text += decoder.decode(bytes, { stream: true });
        if (text.includes(until)) break;
      }
      await done;
      aborting.abort();
      return text;
    },
    stop: async () => {
      await server.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

function toOffline(program: Model | undefined): Model {
  if (program === undefined) throw new Error("the crew has no program `offline`");
  return { ...program, name: "code/offline" };
}
