/**
 * Use send message: sends messages from any page, and goes to the conversation that they are in.
 */
import type { StartedRun } from "@baton/client";
import type { RefObject } from "react";
import { useApp } from "../../app-context.ts";
import { useStarted } from "../../feed/feed-context.tsx";
import type { ComposerHandle } from "./composer.tsx";
import type { ChosenImage } from "./images.ts";
import { type Sender, useSender } from "./use-sender.ts";

/** Sends a message to a crew; nothing is sent as long as it is not known to which. */
export type SendTo = (crew: string | undefined, text: string, images: readonly ChosenImage[]) => void;

/** The state of sending, and the function that sends. */
export interface MessageSending {
  readonly sender: Sender;
  readonly sendTo: SendTo;
}

/** Sends messages of a composer, into a conversation or as a new one. */
export function useSendMessage(composer: RefObject<ComposerHandle | null>, session?: string): MessageSending {
  const { navigate } = useApp();
  const sender = useSender();
  const started = useStarted();
  const sendTo: SendTo = (crew, text, images) => {
    if (crew === undefined) return;
    const onStarted = ({ id, session_id: made }: StartedRun): void => {
      composer.current?.clear();
      if (made === undefined) return navigate({ page: "run", id });
      started.add({ id, crew, input: text, session: made });
      return navigate({ page: "chat", session: made });
    };
    sender.send({ crew, text, images, onStarted, ...(session === undefined ? {} : { session }) });
  };
  return { sender, sendTo };
}
