/**
 * Hold: what gives this process the right to write to a run: the run's own claim, or its session's.
 */
import { BatonError } from "@baton/core";
import { runKey } from "./claim-key.ts";
import type { Claim, SessionRecord } from "./database.ts";
import type { Store } from "./store.ts";

/** The right to write. */
export interface Hold {
  readonly claim: Claim;
  /** The claim is taken with the first thing that is written. */
  readonly isNew: boolean;
  /** The session whose claim it is. */
  readonly session?: SessionRecord;
  /** Gives the right back; once. */
  leave(): Promise<void>;
}

/** Somebody may be giving it back right now. */
const TRIES = 10;
const WAIT_MS = 50;

/** Takes a run that has no session and is not at work; throws `conflict` where another process has it. */
export async function holdRun(store: Store, id: string): Promise<Hold> {
  for (let tries = 0; tries < TRIES; tries++) {
    const claim = await store.lease.claim(runKey(id));
    if (claim !== undefined) return { claim, isNew: false, leave: () => giveBack(store, claim) };
    await new Promise<void>((resolve) => {
      store.clock.after(WAIT_MS, resolve);
    });
  }
  throw new BatonError("conflict", `run ${id} is at work in another process; send this to that one`);
}

/** The hold of a run that is about to begin. */
export function holdNew(store: Store, id: string): Hold {
  const claim = store.lease.next(runKey(id));
  return { claim, isNew: true, leave: () => giveBack(store, claim) };
}

/** A claim that cannot be given back now is given back with one of the next renewals. */
export async function giveBack(store: Store, claim: Claim): Promise<void> {
  await store.lease.release(claim).catch(() => undefined);
}
