/**
 * Chat dialect: a dialect that is made of chat events.
 *
 * It maps one chat event to JSON frames; making chat events from events and numbering the frames is shared by all.
 */
import type { RunEvent } from "@baton/core";
import type { ChatEvent } from "./chat-event.ts";
import type { Dialect, DialectContext } from "../dialect.ts";
import { type ChatProgress, toChatEvents, startChatProgress } from "./to-chat-events.ts";
import { toFrame, toNumbered } from "../to-frames.ts";

/** State that every chat dialect has. */
export interface ChatDialectState {
  readonly context: DialectContext;
  readonly progress: ChatProgress;
}

/** The state after one chat event, and the values to send as JSON. */
export type ChatFrames<State, Value> = readonly [State, readonly Value[]];

/** Definition of a chat dialect. */
export interface ChatDialectDefinition<State, Value> extends Omit<Dialect<State>, "start" | "next" | "interrupted"> {
  readonly start: (context: DialectContext, progress: ChatProgress) => State;
  /** `state.progress` is as the event leaves it. */
  readonly show: (state: State, chatEvent: ChatEvent, event: RunEvent) => ChatFrames<State, Value>;
  /** The name of a frame, if the protocol has names. */
  readonly nameOf?: (value: Value) => string;
  /** The error of an answer that is not whole: it must not look as if it were. */
  readonly interrupted: (why: string) => Value;
}

/** Builds a dialect from what it does with one chat event. */
export function defineChatDialect<State extends ChatDialectState, Value extends object = object>(
  definition: ChatDialectDefinition<State, Value>,
): Dialect<State> {
  const { start, show, nameOf, interrupted, ...rest } = definition;
  return {
    ...rest,
    start: (context) => start(context, startChatProgress(context)),
    next(before, event) {
      const [progress, chatEvents] = toChatEvents(before.progress, event);
      let state: State = progress === before.progress ? before : { ...before, progress };
      const values: Value[] = [];
      for (const chatEvent of chatEvents) {
        const [after, more] = show(state, chatEvent, event);
        state = after;
        values.push(...more);
      }
      return [state, toNumbered(event.seq, values, nameOf)];
    },
    interrupted: (why) => toFrame(interrupted(why), nameOf),
  };
}
