/**
 * Chat dialect: a dialect that is made of beats.
 *
 * It maps one beat to JSON frames; making beats from events and numbering the frames is shared by all.
 */
import type { RunEvent } from "@baton/core";
import type { Beat } from "./chat-event.ts";
import type { Dialect, DialectContext } from "../dialect.ts";
import { type Narration, narrate, startNarration } from "./to-chat-events.ts";
import { toFrame, toNumbered } from "../to-frames.ts";

/** What every chat dialect remembers. */
export interface ChatDialectState {
  readonly context: DialectContext;
  readonly narration: Narration;
}

/** What one beat leads to: values to be sent as JSON. */
export type Shown<State, Value> = readonly [State, readonly Value[]];

/** How a chat dialect is written. */
export interface ChatDialectDefinition<State, Value> extends Omit<Dialect<State>, "start" | "next" | "interrupted"> {
  readonly start: (context: DialectContext, narration: Narration) => State;
  /** `state.narration` is as the event leaves it. */
  readonly tell: (state: State, beat: Beat, event: RunEvent) => Shown<State, Value>;
  /** The name of a frame, if the protocol has names. */
  readonly nameOf?: (value: Value) => string;
  /** The error of an answer that is not whole: it must not look as if it were. */
  readonly interrupted: (why: string) => Value;
}

/** Builds a dialect from what it does with one beat. */
export function defineChatDialect<State extends ChatDialectState, Value extends object = object>(
  definition: ChatDialectDefinition<State, Value>,
): Dialect<State> {
  const { start, tell, nameOf, interrupted, ...rest } = definition;
  return {
    ...rest,
    start: (context) => start(context, startNarration(context)),
    next(before, event) {
      const [narration, beats] = narrate(before.narration, event);
      let state: State = narration === before.narration ? before : { ...before, narration };
      const values: Value[] = [];
      for (const beat of beats) {
        const [after, more] = tell(state, beat, event);
        state = after;
        values.push(...more);
      }
      return [state, toNumbered(event.seq, values, nameOf)];
    },
    interrupted: (why) => toFrame(interrupted(why), nameOf),
  };
}
