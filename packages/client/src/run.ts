/**
 * Run: a run on a server as one handle for its whole life, with the words of core's `Run`.
 *
 * Its events come over as many connections as that takes; who resumes the run, and which server executes it, makes no
 * difference to the handle.
 */
import type { Command, Receipt, Run, RunEvent, RunResult } from "@baton/core";
import type { RunPort, WatchOf } from "@baton/core/engine";
import { fold } from "@baton/core/fold";
import { RunHandle } from "@baton/core/run-handle";
import { toResult } from "@baton/core/run-result";
import { toWatch } from "@baton/core/signal-hold";
import type { CrewDetail } from "./detail-answers.ts";
import type { FollowOptions } from "./follow.ts";

/** The client's methods that a handle uses. */
interface Ways {
  readonly follow: (run: string, options: FollowOptions) => AsyncGenerator<RunEvent, void, undefined>;
  /** The log as it is now, without pieces of text. */
  readonly events: (run: string) => Promise<readonly RunEvent[]>;
  readonly command: (run: string, command: Command) => Promise<Receipt | undefined>;
  readonly crew: (run: string) => Promise<Pick<CrewDetail, "agents" | "signals">>;
}

/** A handle of a run. Nothing is sent until one of its methods is called. */
export function createClientRun(id: string, ways: Ways): Run {
  return new RunHandle(new ServedRun(id, ways));
}

/** One run on a server. */
class ServedRun implements RunPort {
  readonly id: string;
  readonly #ways: Ways;

  constructor(id: string, ways: Ways) {
    this.id = id;
    this.#ways = ways;
  }

  async result(): Promise<RunResult> {
    return toResult(fold(await Array.fromAsync(this.events({}))));
  }

  async *events({ after = 0, until = "pause" }: FollowOptions): AsyncGenerator<RunEvent, undefined> {
    const past = until === "end" ? Infinity : await this.#pastPause();
    for await (const event of this.#ways.follow(this.id, { after, until: "end" })) {
      yield event;
      if (event.type === "run.paused" && event.seq > past) return;
    }
  }

  /** A pause beyond this one is the present pause, or the next. */
  async #pastPause(): Promise<number> {
    const events = await this.#ways.events(this.id);
    const pause = events.findLast(({ type }) => type === "run.paused")?.seq ?? 0;
    const isOver = events.some(({ type, seq }) => seq > pause && (type === "run.resumed" || type === "run.ended"));
    return isOver ? pause : pause - 1;
  }

  send(command: Command): Promise<Receipt | undefined> {
    return this.#ways.command(this.id, command);
  }

  async since(): Promise<number> {
    const events = await this.#ways.events(this.id);
    return (events.findLast(({ type }) => type === "run.started" || type === "run.resumed")?.seq ?? 1) - 1;
  }

  /** The server tells the signals of the run's own crew; what crews inside it say is shown when a turn has ended. */
  async watchOf(): Promise<WatchOf> {
    const { agents, signals } = await this.#ways.crew(this.id);
    const toSignals = (id: string) =>
      signals.flatMap(({ agent, signal }) => (agent === id && signal !== undefined ? [signal] : []));
    const watches = new Map(agents.map(({ id, signal_position }) => [id, toWatch(toSignals(id), signal_position)]));
    return (path) => watches.get(path);
  }
}
