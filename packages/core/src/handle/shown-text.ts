/**
 * Shown text: what the user of a run reads, as it streams, from the run's events.
 *
 * Signals are held back, what agents write for the crew is left out, and replies never interleave: what the members
 * of a group write at the same time comes one reply after the other.
 */
import type { RunEvent } from "../words/event.ts";
import { toCrewPath } from "../words/position.ts";
import { beginCall, feedReply, finishReply, type ReplyHold, startReplyHold } from "./reply-hold.ts";
import { type Signalling as SignallingCrew, toWatches, type Watch } from "./signal-hold.ts";

/** The signals of an agent by the path of its crew and its id (`alpha/researcher`); undefined if they are not known. */
export type WatchOf = (path: string) => Watch | undefined;

/** As much of a crew as is needed to know its signals and those of the crews in it. */
interface Signalling extends SignallingCrew {
  readonly subCrews: ReadonlyMap<string, Signalling>;
}

/** The signals of every agent of a crew. */
export function toWatchOf(crew: Signalling): WatchOf {
  const watches = new Map(watchesOf(crew, ""));
  return (path) => watches.get(path);
}

function* watchesOf(crew: Signalling, path: string): Iterable<readonly [string, Watch]> {
  for (const [id, watch] of toWatches(crew)) yield [path + id, watch];
  for (const [name, sub] of crew.subCrews) yield* watchesOf(sub, `${path}${name}/`);
}

/** One reply of an agent, from its first text until all of it was shown. */
interface Reply {
  readonly step: string;
  readonly lane: string;
  readonly watch: Watch | undefined;
  readonly mayCall: boolean;
  /** Undefined if its signals are not known: then it is shown when its turn has ended. */
  hold: ReplyHold | undefined;
  /** Text that may be shown and was not. */
  text: string;
  /** Nothing of it was shown yet. */
  isNew: boolean;
  isOver: boolean;
}

const BETWEEN_REPLIES = "\n\n";

/** Where to begin, and what to hold back. */
export interface ShownOptions {
  readonly watchOf: WatchOf;
  /** Text up to this event is not shown. */
  readonly after: number;
}

/** Streams the text for the user from a run's events, which must begin with the first one. */
export async function* toShownText(
  events: AsyncIterable<RunEvent>,
  options: ShownOptions,
): AsyncGenerator<string, undefined> {
  const shown = new ShownText(options);
  for await (const event of events) {
    const text = shown.take(event);
    if (text !== "") yield text;
  }
  return undefined;
}

/** Text for the user, event by event. */
class ShownText {
  readonly #options: ShownOptions;
  /** Lanes in which an agent writes for the crew alone. */
  readonly #hidden = new Set<string>();
  /** In the order in which they began; only the first is shown. */
  readonly #replies: Reply[] = [];
  #hasShown = false;

  constructor(options: ShownOptions) {
    this.#options = options;
  }

  /** Takes the next event, and gives what may be shown now. */
  take(event: RunEvent): string {
    if (event.type === "turn.started" && event.crew === undefined) {
      if (event.audience === "crew") this.#hidden.add(event.lane);
      else this.#hidden.delete(event.lane);
    }
    if (event.type === "step.started") this.#open(event);
    if (event.type === "run.paused" || event.type === "run.ended") {
      for (const reply of this.#replies) reply.isOver = true;
    } else {
      const reply = this.#replies.find((one) => isOf(one, event));
      if (reply !== undefined) tell(reply, event);
    }
    return this.#flush();
  }

  #open({ seq, step, lane, agent, correction, tools }: Extract<RunEvent, { type: "step.started" }>): void {
    if (seq <= this.#options.after || this.#hidden.has(lane) || correction !== undefined) return;
    const watch = this.#options.watchOf(toCrewPath(lane) + agent);
    const mayCall = tools === true;
    const hold = watch === undefined ? undefined : startReplyHold(watch, { mayCall });
    this.#replies.push({ step, lane, watch, mayCall, hold, text: "", isNew: true, isOver: false });
  }

  #flush(): string {
    let shown = "";
    for (let first = this.#replies[0]; first !== undefined; first = this.#replies[0]) {
      shown += this.#show(first);
      if (!first.isOver) break;
      this.#replies.shift();
    }
    return shown;
  }

  #show(reply: Reply): string {
    const { text, isNew } = reply;
    if (text === "" || (isNew && text.trim() === "")) return "";
    const before = isNew && this.#hasShown ? BETWEEN_REPLIES : "";
    reply.text = "";
    reply.isNew = false;
    this.#hasShown = true;
    return before + text;
  }
}

/** Whether an event is about a reply; a turn's end is about one that waits for it. */
function isOf({ step, lane, hold, isOver }: Reply, event: RunEvent): boolean {
  if (event.type === "turn.ended") return event.lane === lane && hold === undefined && !isOver;
  return "step" in event && event.step === step;
}

function tell(reply: Reply, event: RunEvent): void {
  const { hold, watch } = reply;
  switch (event.type) {
    case "text.delta": {
      if (hold === undefined) return;
      const [next, shown] = feedReply(hold, event.text);
      reply.hold = next;
      reply.text += shown.text;
      return;
    }
    case "args.delta":
      if (hold !== undefined) [reply.hold] = beginCall(hold);
      return;
    case "step.retried":
      // Text that was shown stays; the reply begins again.
      if (watch !== undefined) reply.hold = startReplyHold(watch, reply);
      reply.text = "";
      reply.isNew = true;
      return;
    case "step.ended":
      // Text of a reply with calls is commentary.
      if (hold !== undefined) reply.text += finishReply(hold, { calls: event.calls.length }).text;
      reply.isOver = hold !== undefined || event.calls.length > 0;
      return;
    case "turn.ended":
      reply.text = event.content ?? event.text;
      reply.isOver = true;
      return;
    default:
  }
}
