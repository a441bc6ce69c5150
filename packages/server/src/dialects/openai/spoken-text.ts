/**
 * Spoken text: what a run says to its user in its latest segment, as `POST /v1/chat/completions` answers it.
 */
import type { RunEvent } from "@baton/core";
import type { ChatEvent, ReplyPart, SegmentEnd } from "../chat/chat-event.ts";
import { type ChatProgress, startChatProgress, toChatEvents } from "../chat/to-chat-events.ts";
import type { DialectContext } from "../dialect.ts";
import { BLANK_LINE, isMemberReply, lastTextOf, toSpeaker } from "./openai.ts";

/** The text of one agent in one reply. */
type Spoken = Readonly<{ name: string; text: string }>;

/** Gathers what is said, event by event. */
export class SpokenText {
  #progress: ChatProgress;
  readonly #texts = new Map<string, Spoken>();
  #end: SegmentEnd | undefined;
  #last = "";

  constructor(context: DialectContext) {
    this.#progress = startChatProgress(context);
  }

  /** The end of the segment, once it is there. */
  get end(): SegmentEnd | undefined {
    return this.#end;
  }

  /** The text of the last turn. */
  get last(): string {
    return this.#last;
  }

  /** The number of the segment. */
  get segment(): number {
    return this.#progress.segment;
  }

  add(event: RunEvent): void {
    const [next, chatEvents] = toChatEvents(this.#progress, event);
    this.#progress = next;
    for (const chatEvent of chatEvents) {
      if (chatEvent.type === "segment.opened") [this.#end, this.#last] = [undefined, ""];
      if (chatEvent.type === "turn.closed") this.#last = lastTextOf(this.#last, chatEvent);
      if (chatEvent.type === "segment.closed") this.#end = chatEvent;
      note(this.#texts, chatEvent);
    }
  }

  /** All that was said, as the stream says it. */
  get text(): string {
    const { agents } = this.#progress;
    let before = "";
    const parts = Array.from(this.#texts.values(), ({ name, text }) => {
      const part = before === "" ? text : toSpeaker(agents, name, before) + text;
      before = name;
      return part;
    });
    return parts.join(BLANK_LINE);
  }
}

/** Replies in the order in which they began. */
function note(texts: Map<string, Spoken>, chatEvent: ChatEvent): void {
  switch (chatEvent.type) {
    case "segment.opened":
      texts.clear();
      return;
    case "text.added":
      if (chatEvent.part.lane === "") addText(texts, chatEvent);
      return;
    case "turn.closed":
      if (isMemberReply(chatEvent)) texts.set(chatEvent.turn, chatEvent);
      return;
    case "step.dropped":
      texts.delete(chatEvent.part.id);
      return;
    default:
  }
}

type Added = Readonly<{ part: Pick<ReplyPart, "id" | "name">; text: string }>;

function addText(texts: Map<string, Spoken>, { part: { id, name }, text }: Added): void {
  texts.set(id, { name, text: (texts.get(id)?.text ?? "") + text });
}
