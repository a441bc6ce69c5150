/**
 * Recall: finds past messages and facts by the words of a query, the best first.
 *
 * The store's search finds and ranks them, by any of the words and, if it has embeddings, by meaning; lists of several
 * kinds are joined by reciprocal rank.
 */
import type { Document, Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { toWords } from "../../search/words.ts";
import { MEMORY } from "../collections.ts";
import type { MemoryEntry } from "../core/entry.ts";
import { parseSavedFact } from "./saved-facts.ts";
import { parseMessage } from "../session/session-messages.ts";

/** A span of time to search. */
export const TIMEFRAMES = ["last_hour", "last_day", "last_week", "last_month", "all"] as const;

const HOUR_MS = 3_600_000;
const REACH_MS = {
  last_hour: HOUR_MS,
  last_day: 24 * HOUR_MS,
  last_week: 7 * 24 * HOUR_MS,
  last_month: 31 * 24 * HOUR_MS,
  all: Infinity,
} as const;

/** The documents of each kind that are looked at. */
const CANDIDATES = 200;
const MAX_WORDS = 15;
/** Softens the difference between the first places of a list. */
const RANK_SOFTENING = 60;

/** Something that was found. */
export interface Recalled {
  readonly id: string;
  readonly role: "user" | "assistant" | "fact";
  readonly text: string;
  readonly at: string;
  readonly session?: string;
}

/** A fact or an entry of core memory that was found. */
export type FoundFact = Pick<MemoryEntry, "id" | "text" | "category" | "at">;

/** A search in time, with its limit. */
export interface RecallRequest {
  readonly query: string;
  readonly timeframe: (typeof TIMEFRAMES)[number];
  readonly limit: number;
  readonly nowMs: number;
}

/** Past messages and facts that have to do with the query; without words to look for, the newest. */
export async function recall(documents: Documents, request: RecallRequest): Promise<readonly Recalled[]> {
  const { query, timeframe, limit, nowMs } = request;
  const since = nowMs - REACH_MS[timeframe];
  const [messages, facts] = await Promise.all([
    find(documents, MEMORY.messages, query),
    find(documents, MEMORY.facts, query),
  ]);
  const found = joinByRank<Recalled>([messages.flatMap(toMessage), facts.flatMap(toFact)]);
  return found.filter(({ at }) => Date.parse(at) >= since).slice(0, limit);
}

/** Facts and entries of core memory that have to do with the query; without words to look for, the newest. */
export async function searchFacts(
  documents: Documents,
  core: readonly MemoryEntry[],
  { query, limit }: Pick<RecallRequest, "query" | "limit">,
): Promise<readonly FoundFact[]> {
  const facts = (await find(documents, MEMORY.facts, query)).flatMap((one) => parseSavedFact(one) ?? []);
  const stems = stemsOf(query);
  const known = core
    .map((entry) => ({ entry, shared: stemsOf(entry.text).intersection(stems).size }))
    .filter(({ shared }) => shared > 0 || stems.size === 0)
    .toSorted((one, other) => other.shared - one.shared)
    .map(({ entry }) => entry);
  const found = joinByRank([known, facts]).slice(0, limit);
  return found.map(({ id, text, category, at }) => ({ id, text, category, at }));
}

/** The stems of a text's words. */
export const stemsOf = (text: string): ReadonlySet<string> => new Set(toWords(text).map(({ stem }) => stem));

async function find(documents: Documents, collection: string, query: string): Promise<readonly Document[]> {
  const words = toWords(query).slice(0, MAX_WORDS);
  if (words.length === 0) {
    const newest = { orderBy: "at", order: "descending", limit: CANDIDATES } as const;
    return (await documents.list(collection, newest)).documents;
  }
  const text = [...words.map((word) => word.text), ...words.map(({ stem }) => stem)].join(" ");
  return documents.search(collection, { text, match: "any", limit: CANDIDATES });
}

/** Items of several lists, each the best first, as one; of equal places the newest first. */
function joinByRank<T extends Readonly<{ at: string }>>(lists: readonly (readonly T[])[]): readonly T[] {
  return lists
    .flatMap((list) => list.map((item, place) => ({ item, score: 1 / (RANK_SOFTENING + place) })))
    .toSorted((one, other) => other.score - one.score || Date.parse(other.item.at) - Date.parse(one.item.at))
    .map(({ item }) => item);
}

function toMessage(document: Document): readonly Recalled[] {
  const message = parseMessage(document);
  if (message === undefined) return [];
  const { id, role, text, at, session } = message;
  return [{ id, role, text, at, ...omitUndefined({ session }) }];
}

function toFact(document: Document): readonly Recalled[] {
  const entry = parseSavedFact(document);
  return entry === undefined ? [] : [{ id: entry.id, role: "fact", text: entry.text, at: entry.at }];
}
