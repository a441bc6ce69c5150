/**
 * @baton/store/ports: what the packages that execute runs need beside the names of `@baton/store`. It may change with any
 * version.
 */
export { damaged, toBatch } from "./batch.ts";
export type { Once } from "./database.ts";
export { runKey, sessionKey } from "./claim-key.ts";
export { type AgentCount, type Change, type Claim, NO_COUNTS, type Posted, type ToolCount } from "./record.ts";
export { isId } from "./documents/document-entry.ts";
export { DUE, type DueDocument } from "./documents/document-table.ts";
export type { ClaimOptions } from "./lease.ts";
export { ownerOf } from "./owner.ts";
export { openReader, readEvents } from "./reader.ts";
export { isPassing, isThere, unwritable } from "./refusal.ts";
export { type Whose, findRun } from "./run-search.ts";
export { toTitle } from "./session-title.ts";
export { findSound } from "./stored-record.ts";
export { type Source, Writer } from "./writer.ts";
