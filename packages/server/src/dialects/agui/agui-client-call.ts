/**
 * AG-UI client call: a call of a client's tool as AG-UI's events.
 *
 * Clients execute every call of their tools that they find in a run without a result. So a call is shown when the
 * client is to execute it, after its approval, and the client's own answer is not shown to it again.
 */
import type { Json } from "@baton/core";
import { showCall, toWholeCall } from "./agui-call.ts";
import type { AguiEvent } from "./agui-event.ts";
import type { ChatEvent, ChatEventOf, ChatToolCall } from "../chat/chat-event.ts";

interface Held {
  readonly call: ChatToolCall;
  readonly args: Json;
  /** The segment of the run in which its reply was shown. */
  readonly segment: number;
}

/** Open calls of the client's tools. */
export interface ClientCalls {
  /** Calls that are not shown yet, by their ids. */
  readonly held: ReadonlyMap<string, Held>;
  /** Calls whose result the client has given. */
  readonly answered: ReadonlySet<string>;
}

type Shown = readonly [ClientCalls, readonly AguiEvent[]];
type QuestionBeat = ChatEventOf<"question.opened" | "question.answered">;

/** Before the first call. */
export const NO_CLIENT_CALLS: ClientCalls = { held: new Map(), answered: new Set() };

/** Tells what becomes of a call; undefined if the chat event is not about a client's tool. */
export function showClientCall(calls: ClientCalls, chatEvent: ChatEvent, segment: number): Shown | undefined {
  if (chatEvent.type === "question.opened" || chatEvent.type === "question.answered")
    return chatEvent.asked.opened.kind === "tool" ? showQuestion(calls, chatEvent, segment) : undefined;
  if (!("call" in chatEvent) || !chatEvent.call.isClient) return undefined;
  const { call } = chatEvent;
  if (chatEvent.type === "call.opened") {
    const held = new Map(calls.held).set(call.id, { call, args: chatEvent.args, segment });
    return [{ ...calls, held }, []];
  }
  if (chatEvent.type !== "call.closed") return [calls, []];
  if (calls.answered.has(call.id)) return [{ ...calls, answered: calls.answered.difference(new Set([call.id])) }, []];
  const known = calls.held.get(call.id);
  const [shown, events] = show(calls, known, segment);
  return [shown, [...events, ...showCall(chatEvent)]];
}

function showQuestion(calls: ClientCalls, { type, asked }: QuestionBeat, segment: number): Shown {
  const { call = "", opened } = asked;
  if (type === "question.answered") return [{ ...calls, answered: calls.answered.union(new Set([call])) }, []];
  const known = calls.held.get(call);
  // A permission may have changed the arguments.
  return show(calls, known && { ...known, args: opened.args ?? known.args }, segment);
}

function show(calls: ClientCalls, known: Held | undefined, segment: number): Shown {
  if (known === undefined) return [calls, []];
  const { call, args } = known;
  const held = new Map(calls.held);
  held.delete(call.id);
  // Clients look for calls in new messages: added to the reply of an earlier segment, it would not be seen.
  const part = known.segment === segment ? call.part : call.id;
  return [{ ...calls, held }, toWholeCall({ ...call, part }, args)];
}
