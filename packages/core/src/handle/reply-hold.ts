/**
 * Reply hold: what is shown of a streamed reply, as an answer or as commentary.
 *
 * The text of a reply that calls tools says what the agent is about to do, and nobody knows that before the call begins.
 * So the first characters of a reply that may call tools are kept back; if a call begins first, they are commentary. What
 * is shown goes through the signal hold.
 */
import { feed, finish, type Hold, startHold, type Watch } from "./signal-hold.ts";
import { takeChars } from "../words/text.ts";

/** Number of characters of a reply that are kept back while it may still call tools. */
const MAX_HELD_CHARS = 160;

/** A reply as it streams. */
export interface ReplyHold {
  readonly hold: Hold;
  /** Text whose meaning is open. */
  readonly held: string;
  /** `open`: it may be commentary. */
  readonly kind: "open" | "answer" | "commentary";
}

/** Text that may be shown now: as an answer, or as commentary. */
export type ShownReply = Readonly<{ text: string; commentary: string }>;

type Told = readonly [ReplyHold, ShownReply];

const NOTHING: ShownReply = { text: "", commentary: "" };

/** Before the first word of a reply; `mayCall`: its agent is offered tools. */
export function startReplyHold(watch: Watch, { mayCall }: Readonly<{ mayCall: boolean }>): ReplyHold {
  return { hold: startHold(watch), held: "", kind: mayCall ? "open" : "answer" };
}

/** Takes the next piece of the reply. */
export function feedReply(reply: ReplyHold, text: string): Told {
  if (reply.kind !== "open") return pass(reply, text);
  const held = reply.held + text;
  const isShort = held.length <= MAX_HELD_CHARS || takeChars(held, MAX_HELD_CHARS).end === held.length;
  return isShort ? [{ ...reply, held }, NOTHING] : pass({ ...reply, held: "", kind: "answer" }, held);
}

/** A call begins: text that was not shown yet is commentary. */
export function beginCall(reply: ReplyHold): Told {
  if (reply.kind !== "open") return [reply, NOTHING];
  return pass({ ...reply, held: "", kind: "commentary" }, reply.held);
}

/** The reply has ended, with so many calls. */
export function finishReply(reply: ReplyHold, { calls }: Readonly<{ calls: number }>): ShownReply {
  const [decided, before] = calls > 0 ? beginCall(reply) : pass({ ...reply, held: "", kind: toEnd(reply) }, reply.held);
  const rest = finish(decided.hold);
  return decided.kind === "commentary"
    ? { text: "", commentary: before.commentary + rest }
    : { text: before.text + rest, commentary: "" };
}

const toEnd = ({ kind }: ReplyHold): ReplyHold["kind"] => (kind === "open" ? "answer" : kind);

function pass(reply: ReplyHold, text: string): Told {
  const [hold, shown] = feed(reply.hold, text);
  const next = hold === reply.hold ? reply : { ...reply, hold };
  return [next, next.kind === "commentary" ? { text: "", commentary: shown } : { text: shown, commentary: "" }];
}
