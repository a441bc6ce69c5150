/**
 * Documents: the port for JSON that a product keeps for a user beside runs: memories, portfolios, alerts.
 *
 * Documents belong to one owner and see nothing of another. A collection is a lower-case name like `alerts`; it need
 * not be created. A host without a store has none: then every method rejects.
 */
import { type Failure, ToolError } from "../words/error.ts";
import type { Json } from "../words/json.ts";

/** Values that documents are listed by, by their names, as `{ symbol: "NVDA", createdAt: 1732233600 }`. */
export type DocumentIndex = Readonly<Record<string, string | number>>;

/** A document as it is written. It replaces the whole earlier version, with its index, text, vector, session and time. */
export interface NewDocument {
  /** Letters, digits and `_ : / . @ + = ^ -`, at most 256; unique within its collection. */
  readonly id: string;
  /** At most 1 MiB as JSON text. */
  readonly data: Json;
  /** The version that the writer has read, or 0 if there must be no document. Without it, the write overwrites. */
  readonly version?: number;
  readonly index?: DocumentIndex;
  /** Text that `search` finds it by; only its folded words are kept. */
  readonly text?: string;
  /** Vector that `nearest` finds it by. */
  readonly vector?: Float32Array | readonly number[];
  /** It is deleted with this session. */
  readonly session?: string;
  /** Time from the write until it expires. */
  readonly ttlMs?: number;
}

/** A document as it is read. */
export interface Document {
  readonly collection: string;
  readonly id: string;
  /** Grows with every write in the store, so a document that is deleted and written again never repeats one. */
  readonly version: number;
  readonly data: Json;
  readonly index?: DocumentIndex;
  readonly session?: string;
  readonly updatedAt: number;
  readonly expiresAt?: number;
  /** In a list, if the document is damaged: only its place and version are known, and `data` is null. */
  readonly error?: Failure;
}

/** Filter and order of a list of documents. */
export interface DocumentQuery {
  /** Only documents whose index has all of these values. */
  readonly where?: DocumentIndex;
  /** A name of the index: documents that have it, by its value (numbers before texts), then by id. Without it, by id. */
  readonly orderBy?: string;
  readonly order?: "ascending" | "descending";
  /** `next` of the page before. */
  readonly after?: string;
  /** 100 by default, at most 1,000. */
  readonly limit?: number;
}

/** Some documents of a list. */
export interface DocumentPage {
  readonly documents: readonly Document[];
  /** Where the next page begins; undefined on the last page. */
  readonly next?: string;
}

/** A document and how near it is. */
export interface NearDocument extends Document {
  /** The cosine of the angle between the two vectors: 1 is the same direction, -1 the opposite. */
  readonly similarity: number;
}

/** A search by words. */
export interface DocumentSearch {
  /** Its words; the last one may be the beginning of a word. Case and marks do not matter. */
  readonly text: string;
  /** `all` if every word must occur, `any` if one of them is enough. Default `all`. */
  readonly match?: "all" | "any";
  /** 10 by default, at most 1,000. */
  readonly limit?: number;
}

/** A search by similarity to a vector. */
export interface VectorSearch {
  /** Documents whose vectors have another number of dimensions are left out. */
  readonly vector: Float32Array | readonly number[];
  /** 10 by default, at most 1,000. */
  readonly limit?: number;
}

/** The documents of one owner. */
export interface Documents {
  readonly get: (collection: string, id: string) => Promise<Document | undefined>;
  /** Writes a document. Throws `conflict`, and writes nothing, if `version` is given and is not the document's. */
  readonly put: (collection: string, document: NewDocument) => Promise<Document>;
  /** Writes all of them or none; gives them in the same order. */
  readonly putAll: (collection: string, documents: readonly NewDocument[]) => Promise<readonly Document[]>;
  /** False if there is no such document. Throws `conflict` if a version is given and is not the document's. */
  readonly delete: (collection: string, id: string, version?: number) => Promise<boolean>;
  /** A page of the documents that the query asks for; without a query, of all. */
  readonly list: (collection: string, query?: DocumentQuery) => Promise<DocumentPage>;
  /** The documents in whose text the words occur, the best first; of very many, the best of the newest 2,000. */
  readonly search: (collection: string, search: DocumentSearch) => Promise<readonly Document[]>;
  /** The documents with the nearest vectors, the nearest first. */
  readonly nearest: (collection: string, search: VectorSearch) => Promise<readonly NearDocument[]>;
}

/** The documents of a host without a store: every method rejects with this reason. */
export function noDocuments(why: string): Documents {
  const refuse = (): Promise<never> => Promise.reject(new ToolError("permanent", why));
  return { get: refuse, put: refuse, putAll: refuse, delete: refuse, list: refuse, search: refuse, nearest: refuse };
}
