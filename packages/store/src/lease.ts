/**
 * Lease: how long this process is known to live, and the claims it holds meanwhile.
 *
 * A process that was frozen for longer may find its claims taken; its writes are then refused, whatever it believes.
 */
import type { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { toBatonError } from "@baton/core/util";
import type { Database } from "./database.ts";
import type { Claim } from "./record.ts";

/** Renewals within the time of one lease. */
const RENEWALS = 3;

/** Who, and for how long: a process that says nothing for longer counts as dead. */
interface LeaseOptions {
  readonly owner: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly leaseMs: number;
}

/** Options of taking a claim. */
export interface ClaimOptions {
  /** Also from an owner that is alive: the placement has decided that it must not continue. */
  readonly takesOver?: boolean;
}

/** This process among those that use the database. */
export class Lease {
  readonly owner: string;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  /** Claims that could not be released yet: while this process lives, no other process can take them. */
  readonly #owed = new Set<Claim>();
  #numbers = 0;
  #problem: BatonError | undefined;
  #renewing: Promise<void> | undefined;
  #stop: (() => void) | undefined;

  constructor({ owner, database, clock, leaseMs }: LeaseOptions) {
    this.owner = owner;
    this.#database = database;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  /** Why the database could not be reached when this process last renewed its lease. */
  get problem(): BatonError | undefined {
    return this.#problem;
  }

  /** Begins to say, again and again, that this process lives. */
  async begin(): Promise<void> {
    await this.#database.claims.renew(this.owner, this.#leaseMs);
    this.#wait();
  }

  /** A claim that is taken with what is written first. */
  next(key: string): Claim {
    return { key, owner: this.owner, number: ++this.#numbers };
  }

  /** Takes the claim on a key, unless a live process owns it. */
  async claim(key: string, how: ClaimOptions = {}): Promise<Claim | undefined> {
    // A claim that this process has not released yet would look like another owner's.
    for (const owed of this.#owed) if (owed.key === key) await this.#giveBack(owed);
    const claim = this.next(key);
    try {
      if (how.takesOver !== true) return (await this.#database.claims.take(claim)) ? claim : undefined;
      await this.#database.claims.takeOver(claim);
      return claim;
    } catch (error) {
      // It may have been taken all the same.
      this.#owed.add(claim);
      throw error;
    }
  }

  /** Gives a claim back, now or as soon as the database can be written again. */
  async release(claim: Claim): Promise<void> {
    this.#owed.add(claim);
    await this.#giveBack(claim);
  }

  /** Gives everything back; if that cannot be written, others may take it when the lease is over. */
  async end(): Promise<void> {
    this.#stop?.();
    this.#stop = undefined;
    await this.#renewing;
    await this.#database.claims.leave(this.owner).catch(() => undefined);
  }

  #wait(): void {
    const timer = this.#clock.after(this.#leaseMs / RENEWALS, () => {
      this.#renewing = this.#renew();
    });
    this.#stop = () => timer.cancel();
  }

  async #renew(): Promise<void> {
    try {
      await this.#database.claims.renew(this.owner, this.#leaseMs);
      this.#problem = undefined;
      for (const claim of this.#owed) await this.#giveBack(claim);
    } catch (error) {
      this.#problem = toBatonError(error, "internal");
      // The next one may succeed; until then others may take what is ours, and the fence holds.
    }
    if (this.#stop !== undefined) this.#wait();
  }

  async #giveBack(claim: Claim): Promise<void> {
    await this.#database.claims.release(claim);
    this.#owed.delete(claim);
  }
}
