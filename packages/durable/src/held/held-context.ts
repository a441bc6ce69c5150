/**
 * Held context: the parts of the engine that all held runs share.
 */
import type { Engine } from "@baton/core";
import type { CrewList } from "../engine/crew-list.ts";
import type { CrewDefinitions } from "../engine/crew-definitions.ts";
import type { Placement } from "../placement/placement.ts";
import type { Store } from "@baton/store";
import type { LogContext } from "../log/stored-run-log.ts";

/** The parts of its engine that a held run needs. */
export interface HeldContext {
  readonly store: Store;
  readonly engine: Engine;
  readonly crews: CrewList;
  readonly definitions: CrewDefinitions;
  readonly writing: LogContext;
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
