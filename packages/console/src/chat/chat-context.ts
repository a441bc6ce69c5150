/**
 * Chat context: what every part of an exchange needs: the run's crew, its names and colours, and how to ask on.
 */
import type { CrewDetail } from "@baton/client";
import { createContext, useContext } from "react";
import { type AgentColors, toAgentColors } from "../graph/agent-color.ts";
import { buildSignalWatches, type Watches } from "./answer/shown-text.ts";

/** A crew as its words are shown. */
export interface CrewDisplay {
  /** Undefined until it is loaded. */
  readonly crew: CrewDetail | undefined;
  readonly colors: AgentColors;
  readonly names: ReadonlyMap<string, string>;
  readonly watches: Watches;
}

/** The context of the parts of an exchange. */
export interface Chat {
  readonly display: CrewDisplay;
  /** Sends a message into the conversation. */
  readonly ask: (text: string) => void;
  /** Shows a call where it stands. */
  readonly showCall: (call: string) => void;
  /** The call that was asked for last. */
  readonly shownCall: string | undefined;
}

/** Names, colours and signals of a crew; of one that is not known yet there are none. */
export function crewDisplayOf(crew: CrewDetail | undefined): CrewDisplay {
  if (crew === undefined) return { crew, colors: new Map(), names: new Map(), watches: new Map() };
  return {
    crew,
    colors: toAgentColors(crew),
    names: new Map(crew.agents.map(({ id, name }) => [id, name])),
    watches: buildSignalWatches(crew),
  };
}

/** The name of an agent for people. */
export function nameOf({ names }: CrewDisplay, agent: string): string {
  return names.get(agent) ?? agent;
}

/** Where the chat is given. */
export const ChatContext = createContext<Chat | undefined>(undefined);

/** The chat that a part is in. */
export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === undefined) throw new Error("a part of a conversation is used outside of it");
  return chat;
}
