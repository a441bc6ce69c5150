/**
 * Pending says: what was said to a run and is not in its log yet. A run reads its messages before the next step, so a
 * page shows them as waiting until then.
 */
import type { RunEvent } from "@baton/client";

/** A message that the log does not have. */
export interface PendingSay {
  readonly id: number;
  readonly text: string;
  /** `unsent` while this machine is offline; `waiting` until the next step; `unread` if the run ended before one. */
  readonly state: "unsent" | "waiting" | "unread";
}

/** A message that was added. */
export interface AddedSay {
  readonly drop: () => void;
  readonly mark: (state: PendingSay["state"]) => void;
}

/** The messages of one run that wait, in the order in which they were said. */
export class PendingSays {
  #list: readonly PendingSay[] = [];
  #made = 0;

  /** The messages that wait; another list after every change. */
  get list(): readonly PendingSay[] {
    return this.#list;
  }

  /** Adds a message. */
  add(text: string): AddedSay {
    const id = ++this.#made;
    this.#list = [...this.#list, { id, text, state: "waiting" }];
    return {
      drop: () => this.#drop(id),
      mark: (state) => {
        this.#list = this.#list.map((one) => (one.id === id ? { ...one, state } : one));
      },
    };
  }

  /** A message is in the log now, or the run has ended without it. */
  take(event: RunEvent): void {
    if (this.#list.length === 0) return;
    const said = saidIn(event);
    const same = this.#list.filter(({ text, state }) => state !== "unread" && text === said);
    // The log may have a message that was kept offline before its request is answered.
    const taken = same.find(({ state }) => state === "waiting") ?? same[0];
    if (taken !== undefined) this.#drop(taken.id);
    if (event.type === "run.ended") this.#list = this.#list.map((one) => ({ ...one, state: "unread" }));
  }

  #drop(dropped: number): void {
    this.#list = this.#list.filter(({ id }) => id !== dropped);
  }
}

/** Returns the message of a person in an event: to a run that worked, or to one that waited. */
function saidIn(event: RunEvent): string | undefined {
  if (event.type === "command.received" && event.command.type === "say") return event.command.text;
  if (event.type === "run.resumed") return event.input;
  return event.type === "question.answered" && typeof event.value === "string" ? event.value : undefined;
}
