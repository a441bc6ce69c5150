/**
 * @baton/store: where runs, sessions, documents and keys are kept: databases, the log, the lease of a process.
 *
 * A `Store` is on a `Database`: `MemoryDatabase` here, others by their names. What executes runs on it is `@baton/durable`.
 */
export { parseEvent } from "./batch.ts";
export { requestKey } from "./claim-key.ts";
export type { Database, KeyRecord, RequestRecord, Retention, RunFilter, RunRecord } from "./database.ts";
export type { ForkOrigin, RunStatus, SessionPlace, SessionRecord, SessionRuns, Transferred } from "./database.ts";
export { type DocumentLayer, type DocumentLayers, withDocumentLayers } from "./document-layer.ts";
export { MemoryDatabase } from "./memory-database.ts";
export { MemoryLedger } from "./memory-ledger.ts";
export { LOCAL, type Owner } from "./owner.ts";
export { readAll } from "./reader.ts";
export { newRunId, toShortId } from "./run-id.ts";
export { Store, type StoreOptions } from "./store.ts";
