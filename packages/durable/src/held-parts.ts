/**
 * Held parts: what the runs that this process holds have in common.
 */
import type { Engine } from "@baton/core";
import type { CrewList } from "./crew-list.ts";
import type { CrewShelf } from "./crew-shelf.ts";
import type { SessionName } from "./run-lock.ts";
import type { Store } from "@baton/store";
import type { Writing } from "./stored-run-log.ts";

/** What a held run needs of its engine. */
export interface HeldParts {
  readonly store: Store;
  readonly engine: Engine;
  readonly crews: CrewList;
  readonly shelf: CrewShelf;
  readonly writing: Writing;
  /** Keeps a promise until it settles, so that it has an owner. */
  own(promise: Promise<unknown>): void;
  /** Throws once the engine stops. */
  checkOpen(): void;
  /** Whether running runs are being stopped. */
  isLeaving(): boolean;
  /** Looks for commands to the runs that are held, from now on. */
  watchInbox(): void;
  /** An id for a posted command. */
  readonly newPostId: () => string;
  /** Reports what keeps a run from continuing. */
  warn(text: string): void;
  /** A run is held no longer. */
  forget(run: { readonly id: string }): void;
  /** Begins a run that was queued with the end of another one. */
  begin(id: string): Promise<unknown>;
  /** Continues with what waits in a session that is free. */
  advance(session: SessionName): Promise<unknown>;
}
