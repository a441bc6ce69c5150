/**
 * Held parts: what the runs that this process holds have in common.
 */
import type { Engine } from "@baton/core";
import type { CrewList } from "../engine/crew-list.ts";
import type { CrewShelf } from "../engine/crew-definitions.ts";
import type { Placement } from "../placement/placement.ts";
import type { Store } from "@baton/store";
import type { Writing } from "../log/stored-run-log.ts";

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
  readonly checkOpen: () => void;
  /** Whether running runs are being stopped. */
  isLeaving(): boolean;
  /** An id for a posted command. */
  readonly newPostId: () => string;
  /** Reports what keeps a run from continuing. */
  warn(text: string): void;
  readonly placement: Placement;
}
