/**
 * Chat context: how the parts of an exchange go on with the conversation.
 */
import { createContext, useContext } from "react";
import type { CrewDisplay } from "../turn/crew-display.ts";
import type { OpenedCall } from "../turn/run-context.ts";

/** The conversation that an exchange is in. */
export interface Chat {
  readonly display: CrewDisplay;
  /** Sends a message into the conversation. */
  readonly ask: (text: string) => void;
  /** Shows a call where it stands. */
  readonly showCall: (shown: OpenedCall) => void;
  /** The call that was asked for last. */
  readonly shownCall: OpenedCall | undefined;
}

/** Where the chat is given. */
export const ChatContext = createContext<Chat | undefined>(undefined);

/** The chat that a part is in. */
export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === undefined) throw new Error("a part of a conversation is used outside of it");
  return chat;
}
