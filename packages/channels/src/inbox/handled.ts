/**
 * Handled: the decision about an update, written in one transaction with the fact that the update is done.
 */
import type { ChannelChat, Delivery } from "../state/channel-records.ts";
import type { ChatChange } from "../state/chat-book.ts";

/** The decision about an update. */
export interface Handled {
  readonly change?: ChatChange;
  /** A run whose answers go to the chat from now on. */
  readonly follow?: Delivery;
}

/** Says something to the chat. */
export function say(text: string, chat: Partial<Omit<ChannelChat, "id">> = {}): { readonly change: ChatChange } {
  return { change: { chat, rows: [{ text, entities: [] }] } };
}
