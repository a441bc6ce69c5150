/**
 * Embeddings around documents: a text that is kept gets a vector, and a search finds by meaning beside words.
 *
 * A document with a text and no vector gets one. `search` joins full text and the nearest vectors by reciprocal rank. If
 * there is no vector, documents are kept without one and a search is full text alone; a document that was kept without
 * one is found by its words only, until it is written again.
 */
import { type Clock, type Document, type Documents, type NewDocument, SystemClock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import { checkLimit, MAX_LIMIT } from "../documents/document-listing.ts";
import { toWords } from "../documents/folded-text.ts";
import { FOUND_LIMIT, putBy } from "../documents/stored-documents.ts";
import { withMethods } from "../with-methods.ts";

/** Purpose of the texts: they are stored, or searched for. */
export interface EmbedRequest {
  readonly purpose: "document" | "query";
  readonly abort?: AbortSignal;
}

/** Gives one vector for each text; rejects if it cannot. */
export type Embed = (texts: readonly string[], request: EmbedRequest) => Promise<readonly Float32Array[]>;

/** The same, or undefined if there are no vectors now; never rejects. */
export type TryEmbed = (
  texts: readonly string[],
  purpose: EmbedRequest["purpose"],
) => Promise<readonly Float32Array[] | undefined>;

/** Time limit for vectors, and a callback for warnings. */
export interface TryEmbedOptions {
  readonly clock?: Clock;
  /** Called once when vectors begin to fail. */
  readonly warn?: (text: string) => void;
  /** Default 10,000. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** Pause after a failure: no vectors are asked for meanwhile. */
const PAUSE_MS = 5_000;

/** Asks for vectors and does without them if they fail, with one warning. */
export function tryEmbed(embed: Embed, options: TryEmbedOptions = {}): TryEmbed {
  const { clock = new SystemClock(), warn = () => {}, timeoutMs = TIMEOUT_MS } = options;
  let isFailing = false;
  let pausedUntil = -Infinity;
  const fail = (why: string): undefined => {
    if (!isFailing) warn(`${why}; documents are kept and found by their words alone until there are embeddings again`);
    isFailing = true;
    pausedUntil = clock.monotonic() + PAUSE_MS;
    return undefined;
  };
  return async (texts, purpose) => {
    if (clock.monotonic() < pausedUntil) return undefined;
    const aborting = new AbortController();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = clock.after(timeoutMs, () => {
      reject(new Error(`no embeddings within ${timeoutMs} ms`));
      aborting.abort();
    });
    try {
      const vectors = await Promise.race([embed(texts, { purpose, abort: aborting.signal }), late]);
      if (vectors.length !== texts.length) return fail(`${vectors.length} embeddings for ${texts.length} texts`);
      isFailing = false;
      return vectors;
    } catch (error) {
      return fail(toMessage(error));
    } finally {
      timer.cancel();
    }
  };
}

/** Documents with less in common, as a cosine, are not found by meaning. */
const MIN_SIMILARITY = 0.2;
/** Matches of each kind that are joined, at least: one that both lists have may be best though it is first in neither. */
const CANDIDATES = 50;
/** The usual constant of reciprocal rank fusion: the first places count, but not alone. */
const RANK_OFFSET = 60;

/** Documents that are found by meaning too. */
export function withEmbeddings(documents: Documents, embed: TryEmbed): Documents {
  const putAll: Documents["putAll"] = async (collection, many) =>
    documents.putAll(collection, await addVectors(many, embed));
  const findNear = async (collection: string, text: string, limit: number): Promise<readonly Document[]> => {
    const [vector] = (await embed([text], "query")) ?? [];
    if (vector === undefined) return [];
    const near = await documents.nearest(collection, { vector, limit });
    return near.flatMap(({ similarity, ...document }) => (similarity >= MIN_SIMILARITY ? [document] : []));
  };
  return withMethods(documents, {
    putAll,
    put: putBy(putAll),
    async search(collection, search) {
      const { text, limit = FOUND_LIMIT } = search;
      const count = Math.min(MAX_LIMIT, Math.max(CANDIDATES, checkLimit(limit)));
      // What cannot be searched for is refused before anybody is asked for its vector.
      const found = await documents.search(collection, { ...search, limit: count });
      if (toWords(text).length === 0) return found.slice(0, limit);
      return joinByRank([found, await findNear(collection, text, count)]).slice(0, limit);
    },
  });
}

async function addVectors(many: readonly NewDocument[], embed: TryEmbed): Promise<readonly NewDocument[]> {
  const places = many.flatMap(({ text, vector }, place) =>
    text !== undefined && vector === undefined && toWords(text).length > 0 ? [{ place, text }] : [],
  );
  if (places.length === 0) return many;
  const vectors = await embed(
    places.map(({ text }) => text),
    "document",
  );
  if (vectors === undefined) return many;
  const byPlace = new Map(places.map(({ place }, index) => [place, vectors[index]]));
  return many.map((document, place) => {
    const vector = byPlace.get(place);
    return vector === undefined ? document : { ...document, vector };
  });
}

/** Lists joined by reciprocal rank: what is near the front of several comes first; of equals, what the first list has. */
export function joinByRank(lists: readonly (readonly Document[])[]): readonly Document[] {
  const joined = new Map<string, { readonly document: Document; score: number }>();
  for (const list of lists) {
    for (const [rank, document] of list.entries()) {
      const entry = joined.get(document.id) ?? { document, score: 0 };
      entry.score += 1 / (RANK_OFFSET + rank + 1);
      joined.set(document.id, entry);
    }
  }
  const best = [...joined.values()].toSorted((one, other) => other.score - one.score);
  return best.map(({ document }) => document);
}
