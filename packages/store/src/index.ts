/**
 * @baton/store: where runs, sessions, documents and keys are kept: databases, the log, the lease of a process.
 *
 * A `Store` is on a `Database`: see `@baton/store/sqlite` (a file, or memory) and `@baton/store/postgres`. What executes runs on it is `@baton/durable`.
 */
export { parseEvent } from "./batch.ts";
export { requestKey } from "./claim-key.ts";
export type { Database } from "./database.ts";
export { RUN_TEXT_FIELDS } from "./search/run-text-fields.ts";
export type { FeedbackRecord, SessionEdit } from "./record.ts";
export type { KeyRecord, RequestRecord, Retention, RunFilter, RunRecord } from "./record.ts";
export type { ForkOrigin, RunStatus, SessionPlace, SessionRecord, SessionRuns, TransferCounts } from "./record.ts";
export { type DocumentLayer, type DocumentLayers, withDocumentLayers } from "./documents/document-layer.ts";
export { MemoryLedger } from "./memory-ledger.ts";
export { LOCAL, type Owner } from "./owner.ts";
export { readAll } from "./reader.ts";
export { newRunId, toShortId } from "./run-id.ts";
export { Store, type StoreOptions } from "./store.ts";
