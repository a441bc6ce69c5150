/**
 * Memory data: all that handles of a memory database share.
 */
import { type Clock, type Ledger, SystemClock } from "@baton/core/ports";
import type { Batch, Claim, Conversation, KeyRecord, Posted, RunRecord, SessionRecord } from "./database.ts";
import { MemoryDocuments } from "./memory-documents.ts";
import { MemoryLedger } from "./memory-ledger.ts";
import { MemoryRequests } from "./memory-requests.ts";

/** What handles share. */
export class MemoryData {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly runs = new Map<string, RunRecord>();
  readonly logs = new Map<string, Batch[]>();
  /** By the key of their claim, as are the messages, then by run. */
  readonly sessions = new Map<string, SessionRecord>();
  readonly messages = new Map<string, Map<string, Conversation>>();
  /** By run, then by id. */
  readonly inbox = new Map<string, Map<string, Posted>>();
  readonly requests = new MemoryRequests();
  readonly documents: MemoryDocuments;
  readonly definitions = new Map<string, string>();
  readonly keys = new Map<string, KeyRecord>();
  readonly claims = new Map<string, Claim>();
  readonly leases = new Map<string, number>();
  readonly watchers = new Map<string, Set<() => void>>();
  readonly allWatchers = new Set<() => void>();

  constructor(clock: Clock = new SystemClock()) {
    this.clock = clock;
    this.ledger = new MemoryLedger(clock);
    this.documents = new MemoryDocuments(() => clock.now());
  }
}

/** Whether a living process holds a claim. */
export function isHeld({ claims, leases, clock }: MemoryData, key: string): boolean {
  return (leases.get(claims.get(key)?.owner ?? "") ?? -Infinity) > clock.now();
}

/** Whether this claim is held. */
export function isHeldBy({ claims }: MemoryData, { key, owner, number }: Claim): boolean {
  const held = claims.get(key);
  return held?.owner === owner && held.number === number;
}
