/**
 * Delivery: what is sent to a run that is here, acknowledged when it is on disk.
 *
 * What is said to a run at work is kept in its record until the run has heard it, so that neither a crash nor a stop
 * nor a pause loses it.
 */
import { BatonError, type Command, type Image } from "@baton/core";
import type { ChangeQuestion } from "./change-question.ts";
import { toChangeOpen, toVerdict, writeVerdict } from "./change-verdict.ts";
import type { Hold } from "./hold.ts";
import type { Once } from "./once.ts";
import { isWholeCancel } from "./command-kind.ts";
import { readAll } from "./reader.ts";
import type { Store } from "./store.ts";
import { type Segment, type Sent, toClosing, type Work } from "./work.ts";
import type { Works } from "./works.ts";

type Say = Extract<Command, { type: "say" }>;

/** What comes with a message that a run goes on with. */
interface Going {
  readonly images?: readonly Image[] | undefined;
  readonly once?: Once | undefined;
}

/** Messages that a run may be behind before no more are taken. */
export const MAX_UNHEARD = 32;

/** Brings commands and messages to runs. */
export class Delivery {
  readonly #store: Store;
  readonly #works: Works;

  constructor(store: Store, works: Works) {
    this.#store = store;
    this.#works = works;
  }

  /**
   * Sends a command to a run that is here; a life that it begins is attended to. `busy` where the store cannot be
   * written: then nothing is done, or what was begun before that was known goes on and is written later.
   */
  async send(work: Work, command: Command): Promise<Sent> {
    const { change, log } = work;
    if (change !== undefined && work.commands > 0) {
      throw new BatonError("conflict", `question ${change.question} is being answered`);
    }
    const sent = this.#during(work, () => {
      this.#works.checkOpen();
      const isAtWork = log.record.status === "running";
      // What is at work is stopped, whatever the store can do.
      if (!isAtWork || command.type !== "cancel") this.#store.checkWritable();
      if (change !== undefined) return this.#decide(work, change, command);
      return command.type === "say" && isAtWork ? this.#say(work, command) : this.#obey(work, command);
    });
    return this.#store.orUnwritable(sent);
  }

  /** Goes on with a run that waits for a message. */
  async resume(work: Work, input: string, { images, once }: Going = {}): Promise<Segment> {
    const { change, id, log } = work;
    return this.#during(work, async () => {
      if (change !== undefined) throw toChangeOpen(id, change);
      this.#works.checkOpen();
      const segment = this.#works.attend(work, this.#works.engine.resume(id, input, images));
      log.carryOut(once);
      await log.stored();
      return segment;
    });
  }

  /** Says something to a run at work, which hears it between two steps. */
  async #say(work: Work, command: Say): Promise<Sent> {
    const { id, log } = work;
    if ((log.record.mail?.length ?? 0) >= MAX_UNHEARD) {
      throw new BatonError("busy", `run ${id} has not heard ${MAX_UNHEARD} messages yet; try again later`);
    }
    log.post(command.text);
    try {
      await this.#works.engine.command(id, command);
    } catch (error) {
      // A run that was left hears it when it goes on.
      if (!log.isSealed) {
        log.withdraw(command.text);
        throw error;
      }
    }
    await log.stored();
    if (work.segment === undefined) throw new BatonError("internal", `run ${id} is running and has no segment`);
    return { segment: work.segment };
  }

  async #obey(work: Work, command: Command): Promise<Sent> {
    const { log } = work;
    const commanded = await this.#works.command(work, command);
    await log.stored();
    // It was left before it felt the cancel, and goes on at the next start.
    if (isWholeCancel(command) && log.record.status !== "ended") throw toClosing();
    return commanded;
  }

  /** Goes on, or ends, as somebody says about changed tools. */
  async #decide(work: Work, change: ChangeQuestion, command: Command): Promise<Sent> {
    const { log, hold, id } = work;
    const verdict = toVerdict(id, change, command);
    const isAnswer = command.type === "answer";
    await writeVerdict(log, { change, verdict, isAnswer, events: await readAll(this.#store.database, id) });
    this.#works.forget(work);
    // The hold is the next one's now.
    work.hold = { ...hold, leave: () => Promise.resolve() };
    const again = await this.#adoptOrLeave(id, hold, verdict === "cancel" ? "ignore" : "ask");
    if (verdict === "cancel") return this.send(again, { type: "cancel", reason: "its tools have changed" });
    return { segment: again.segment ?? (await this.#wait(again)) };
  }

  async #adoptOrLeave(id: string, hold: Hold, change: "ask" | "ignore"): Promise<Work> {
    try {
      return await this.#works.adopt(id, hold, change);
    } catch (error) {
      await hold.leave();
      throw error;
    }
  }

  /** The last segment of a run that waits again, and is let go. */
  async #wait(work: Work): Promise<Segment> {
    const run = this.#works.engine.run(work.id);
    await this.#works.letGo(work);
    if (run === undefined) throw new BatonError("internal", `run ${work.id} was lost`);
    return { id: run.id, outcome: run.result, events: (after) => run.events({ after }) };
  }

  /** Carries out a command; one that fails leaves a run that waits as it was. */
  async #during<T>(work: Work, act: () => Promise<T>): Promise<T> {
    work.commands++;
    try {
      return await act();
    } finally {
      work.commands--;
      await this.#works.letGoIdle(work);
    }
  }
}
