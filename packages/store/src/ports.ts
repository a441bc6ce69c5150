/**
 * @baton/store/ports: what the packages that execute runs need beside the names of `@baton/store`. It may change with any
 * version.
 */
export { damagedLogError, toBatch } from "./batch.ts";
export type { ClaimedRequest } from "./database.ts";
export { runKey, sessionKey } from "./claim-key.ts";
export { type AgentCount, type Change, type Claim, NO_COUNTS, type InboxCommand, type ToolCount } from "./record.ts";
export { isId } from "./documents/document-entry.ts";
export { DUE, type DueDocument } from "./documents/document-table.ts";
export type { ClaimOptions } from "./lease.ts";
export { ownerOf } from "./owner.ts";
export { openReader, readEvents, readLines } from "./reader.ts";
export { isTransient, runExistsError, unwritableError } from "./store-errors.ts";
export { type OwnerFilter, findRun } from "./search/find-run.ts";
export { toSessionTitle } from "./session-title.ts";
export { findUndamaged } from "./stored-record.ts";
export { type WriteSource, Writer } from "./writer.ts";
export { withMethods } from "./with-methods.ts";
