/**
 * Recall: finds past messages and facts by what a question is about, the best first.
 *
 * The store's search finds candidates, by any of the words and, if it has embeddings, by meaning; they are ranked by how
 * much of the question they have. Words that few candidates have count more.
 */
import type { Document, Documents } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { toWords, type Word } from "../../search/words.ts";
import { MEMORY } from "../collections.ts";
import type { MemoryEntry } from "../core/entry.ts";
import { parseSavedFact } from "./saved-facts.ts";
import { isRecallQuestion, toRecallQuery } from "./query-words.ts";
import { parseMessage } from "../session/session-messages.ts";

/** A span of time to search. */
export const TIMEFRAMES = ["last_hour", "last_day", "last_week", "last_month", "all"] as const;

/** A span of time to search. */
export type Timeframe = (typeof TIMEFRAMES)[number];

const HOUR_MS = 3_600_000;
const REACH_MS = {
  last_hour: HOUR_MS,
  last_day: 24 * HOUR_MS,
  last_week: 7 * 24 * HOUR_MS,
  last_month: 31 * 24 * HOUR_MS,
  all: Infinity,
} as const;

/** The number of documents that are ranked. */
const CANDIDATES = 200;
const MAX_SEARCHED = 30;
/** The weight of the store's order beside the words. */
const ORDER_WEIGHT = 0.5;

/** Something that was found. */
export interface Recalled {
  readonly id: string;
  readonly role: "user" | "assistant" | "fact";
  readonly text: string;
  readonly at: string;
  readonly session?: string;
}

/** A fact or an entry of core memory that was found. */
export interface FoundFact {
  readonly id: string;
  readonly text: string;
  readonly category: MemoryEntry["category"];
  readonly at: string;
  readonly score?: number;
}

/** A search in time, with its limit. */
export interface RecallRequest {
  readonly query: string;
  readonly timeframe: Timeframe;
  readonly limit: number;
  readonly nowMs: number;
}

/** Past messages and facts that have to do with the question; without words to look for, the newest. */
export async function recall(documents: Documents, request: RecallRequest): Promise<readonly Recalled[]> {
  const { query, timeframe, limit, nowMs } = request;
  const { words, role } = toRecallQuery(query);
  const since = nowMs - REACH_MS[timeframe];
  const found = [
    ...(await find(documents, MEMORY.messages, words)).flatMap(toMessageHit),
    ...(await find(documents, MEMORY.facts, words)).flatMap(toFactHit),
  ].filter(({ item }) => Date.parse(item.at) >= since);
  const ranked = rank(found, words).map(({ item }) => item);
  return (words.length === 0 ? ranked : narrow(ranked, role)).slice(0, limit);
}

/** Without earlier questions about the past, which have the words and not the answer; and by whose words are asked for. */
function narrow(items: readonly Recalled[], role: Recalled["role"] | undefined): readonly Recalled[] {
  const telling = items.filter((item) => item.role !== "user" || !isRecallQuestion(item.text));
  const asked = telling.filter((item) => item.role === role);
  return asked.length === 0 ? telling : telling.filter((item) => item.role === role || item.role === "fact");
}

/** Facts and entries of core memory that have to do with the question; without words to look for, the newest. */
export async function searchFacts(
  documents: Documents,
  core: readonly MemoryEntry[],
  { query, limit }: Pick<RecallRequest, "query" | "limit">,
): Promise<readonly FoundFact[]> {
  const { words } = toRecallQuery(query);
  const facts = (await find(documents, MEMORY.facts, words)).flatMap((one, place) => {
    const entry = parseSavedFact(one);
    return entry === undefined ? [] : [toHit(entry, place)];
  });
  const known = core.map((entry) => toHit(entry, CANDIDATES)).filter(({ text }) => hasSome(text, words));
  const ranked = rank([...known, ...facts], words);
  return ranked.slice(0, limit).map(({ item, score }) => (words.length === 0 ? item : { ...item, score }));
}

interface Hit<T> {
  readonly item: T;
  readonly text: string;
  /** Its rank in the store's search. */
  readonly place: number;
}

const toHit = ({ id, text, category, at }: MemoryEntry, place: number): Hit<FoundFact> => {
  return { item: { id, text, category, at }, text, place };
};

function toMessageHit(document: Document, place: number): readonly Hit<Recalled>[] {
  const message = parseMessage(document);
  if (message === undefined) return [];
  const { id, role, text, at, session } = message;
  return [{ item: { id, role, text, at, ...omitUndefined({ session }) }, text, place }];
}

function toFactHit(document: Document, place: number): readonly Hit<Recalled>[] {
  const entry = parseSavedFact(document);
  if (entry === undefined) return [];
  const { id, text, at } = entry;
  return [{ item: { id, role: "fact", text, at }, text, place }];
}

async function find(documents: Documents, collection: string, words: readonly Word[]): Promise<readonly Document[]> {
  if (words.length === 0) {
    const newest = { orderBy: "at", order: "descending", limit: CANDIDATES } as const;
    return (await documents.list(collection, newest)).documents;
  }
  const text = toForms(words).slice(0, MAX_SEARCHED).join(" ");
  return documents.search(collection, { text, match: "any", limit: CANDIDATES });
}

/** The words as they may be written: as they are first, then with the endings of English. */
function toForms(words: readonly Word[]): readonly string[] {
  const plain = words.flatMap(({ text, stem }) => [text, stem]);
  const inflected = ENDINGS.flatMap((ending) =>
    words.flatMap(({ text, stem }) => (LATIN.test(stem) && text.length >= MIN_INFLECTED ? [`${stem}${ending}`] : [])),
  );
  return [...new Set([...plain, ...inflected])];
}

const ENDINGS = ["s", "e", "es", "ed", "ing"] as const;
const LATIN = /^[a-z]+$/;
const MIN_INFLECTED = 3;
/** From so many letters on, the beginning of a word is enough to find it. */
const MIN_BEGINNING = 4;

const hasSome = (text: string, words: readonly Word[]): boolean =>
  words.length === 0 || matchesOf(text, words).length > 0;

/** The words of the question that a text has. */
function matchesOf(text: string, words: readonly Word[]): readonly string[] {
  const found = toWords(text);
  const stems = new Set(found.map(({ stem }) => stem));
  return words.flatMap(({ stem }) => {
    const isThere = stems.has(stem) || (stem.length >= MIN_BEGINNING && found.some((word) => begins(word, stem)));
    return isThere ? [stem] : [];
  });
}

const begins = ({ text }: Word, stem: string): boolean => text.startsWith(stem);

/** The last word of a search also finds words that begin like it, which need not have to do with it. */
function isChance(text: string, words: readonly Word[]): boolean {
  const found = toWords(text);
  return words.some(({ text: word, stem }) => found.some((one) => begins(one, word) || begins(one, stem)));
}

type Ranked<T> = Readonly<{ item: T; score: number }>;

function rank<T extends Readonly<{ at: string; id: string }>>(
  hits: readonly Hit<T>[],
  words: readonly Word[],
): readonly Ranked<T>[] {
  const matched = hits
    .map((hit) => ({ hit, matches: matchesOf(hit.text, words) }))
    .filter(({ hit, matches }) => matches.length > 0 || !isChance(hit.text, words));
  const weights = new Map(
    words.map(({ stem }) => {
      const having = matched.filter(({ matches }) => matches.includes(stem)).length;
      return [stem, Math.log(1 + hits.length / Math.max(1, having))];
    }),
  );
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const scored = matched.map(({ hit, matches }) => {
    const share = matches.reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0) / (total || 1);
    const order = words.length === 0 ? 0 : ORDER_WEIGHT * Math.max(0, 1 - hit.place / CANDIDATES);
    return { item: hit.item, score: Number((share + order).toFixed(4)) };
  });
  return scored.toSorted(
    (one, other) => other.score - one.score || Date.parse(other.item.at) - Date.parse(one.item.at),
  );
}
