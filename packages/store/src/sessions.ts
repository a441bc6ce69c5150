/**
 * Sessions: conversations that several runs share, one run at a time, in all processes.
 *
 * A second run waits its turn, first come first served; beyond 32 waiting it is refused. In this process by a line,
 * among processes by a claim.
 */
import { BatonError, type Message } from "@baton/core";
import { type Scope, Semaphore } from "@baton/core/ports";
import { damaged } from "./batch.ts";
import { sessionKey } from "./claim-key.ts";
import type { Claim, SessionRecord } from "./database.ts";
import { giveBack, type Hold } from "./hold.ts";
import type { Owner } from "./owner.ts";
import { isPassing } from "./refusal.ts";
import type { Store } from "./store.ts";

/** The right to run in a session. */
export interface Turn extends Hold {
  readonly session: SessionRecord;
  /** What was said so far. */
  history(): Promise<readonly Message[]>;
}

/** Which conversation, and whose. */
export interface SessionName extends Owner {
  readonly id: string;
}

const MAX_WAITING = 32;
/** How often a claim that another process holds is asked for again. */
const POLL_MS = 100;
/** How often one that is left to others is. */
const LEFT_MS = 1_000;

/** The sessions somebody here is in or waits for. */
export class Sessions {
  readonly #lines = new Map<string, Semaphore>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Throws where too many wait already. */
  checkRoom(name: SessionName): void {
    const { id } = name;
    if ((this.#lines.get(sessionKey(name, id))?.waiting ?? 0) < MAX_WAITING) return;
    throw new BatonError(
      "busy",
      `session ${id} has ${MAX_WAITING} requests waiting: try again later, cancel one of them, or use another session`,
    );
  }

  /** The right to run, if nobody has it. */
  async tryEnter(name: SessionName, scope: Scope): Promise<Turn | undefined> {
    const key = sessionKey(name, name.id);
    if (this.#lines.has(key)) return undefined;
    return this.#enter(name, { scope, isPatient: false });
  }

  /** The right to run; waits for it as long as the scope lives, and leaves it to others where it may not stay. */
  async enter(name: SessionName, scope: Scope, mayStay?: Waiting["mayStay"]): Promise<Turn> {
    const turn = await this.#enter(name, { scope, isPatient: true, mayStay });
    if (turn === undefined) throw unawaited(name);
    return turn;
  }

  /** The same, past all who wait here: to end what they wait for. */
  async pass(name: SessionName, scope: Scope): Promise<Turn> {
    const held = await this.#claim(name, { scope, isPatient: true });
    if (held === undefined) throw unawaited(name);
    return this.#toTurn(held, () => {});
  }

  async #enter(name: SessionName, waiting: Waiting): Promise<Turn | undefined> {
    const key = sessionKey(name, name.id);
    const line = this.#lines.get(key) ?? new Semaphore(1);
    this.#lines.set(key, line);
    const release = await line.acquire(waiting.scope);
    const leaveLine = (): void => {
      release();
      if (line.free > 0) this.#lines.delete(key);
    };
    try {
      const held = await this.#claim(name, waiting);
      if (held !== undefined) return this.#toTurn(held, leaveLine);
      leaveLine();
      return undefined;
    } catch (error) {
      leaveLine();
      throw error;
    }
  }

  async #claim(name: SessionName, { scope, isPatient, mayStay }: Waiting): Promise<Held | undefined> {
    for (;;) {
      let failure: unknown;
      let waitMs = POLL_MS;
      try {
        const claim = await this.#store.lease.claim(sessionKey(name, name.id));
        const session = claim === undefined ? undefined : await this.#read(name, claim, mayStay);
        if (claim !== undefined && session !== undefined) return { claim, session };
        if (claim !== undefined) waitMs = LEFT_MS;
        if (!isPatient) return undefined;
      } catch (error) {
        // Who waits anyway outlives a store that fails for a while.
        if (!isPatient || !isPassing(error)) throw error;
        failure = error;
      }
      await scope.sleep(waitMs).catch((reason: unknown) => {
        // Nobody had the session: the store kept who waited for so long from it.
        const isLate = reason instanceof BatonError && reason.code === "timeout";
        throw isLate ? (failure ?? reason) : reason;
      });
    }
  }

  #toTurn({ claim, session }: Held, leaveLine: () => void): Turn {
    const { id } = session;
    const { database } = this.#store;
    let isLeft = false;
    return {
      claim,
      isNew: false,
      session,
      history: async () => (await database.messages(session, id)).map((text) => parseMessage(text, id)),
      leave: async () => {
        if (isLeft) return;
        isLeft = true;
        await giveBack(this.#store, claim);
        leaveLine();
      },
    };
  }

  /** The session's record; where that cannot be read, or the session is others', the claim is given back. */
  async #read(name: SessionName, claim: Claim, mayStay: Waiting["mayStay"]): Promise<SessionRecord | undefined> {
    const { tenant, user, id } = name;
    const now = this.#store.clock.now();
    try {
      if (mayStay === undefined || (await mayStay()))
        return (await this.#store.database.session(name, id)) ?? { id, tenant, user, createdAt: now, updatedAt: now };
      await giveBack(this.#store, claim);
      return undefined;
    } catch (error) {
      await giveBack(this.#store, claim);
      throw error;
    }
  }
}

/** A session that is claimed. */
interface Held {
  readonly claim: Claim;
  readonly session: SessionRecord;
}

interface Waiting {
  readonly scope: Scope;
  readonly isPatient: boolean;
  /** Asked when it is claimed: false where others must go on in it first. */
  readonly mayStay?: (() => Promise<boolean>) | undefined;
}

function unawaited({ id }: SessionName): BatonError {
  return new BatonError("internal", `nobody waited for session ${id}`);
}

function parseMessage(text: string, session: string): Message {
  const value: unknown = JSON.parse(text);
  if (isMessage(value)) return value;
  throw damaged(session, "a message of its session is none");
}

/** What was written was a message, and the database gives back what was written. */
function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "role" in value && "content" in value;
}
