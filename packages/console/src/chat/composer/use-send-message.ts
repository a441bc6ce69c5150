/**
 * Use send message: sends messages from any page, and goes to the conversation that they are in.
 */
import type { StartedRun } from "@baton/client";
import { type RefObject, useEffect, useState } from "react";
import { useApp } from "../../app-context.ts";
import { useStarted } from "../../feed/feed-context.tsx";
import type { ComposerHandle } from "./composer.tsx";
import type { ChosenImage } from "./images.ts";
import { type Sender, useSender } from "./use-sender.ts";

/** Sends a message to a crew; as long as it is not known to which, the message waits. */
export type SendTo = (crew: string | undefined, text: string, images: readonly ChosenImage[]) => void;

/** The state of sending, and the function that sends. */
export interface MessageSending {
  readonly sender: Sender;
  readonly sendTo: SendTo;
  /** The message that is being sent, or waits for its crew to be known. */
  readonly outgoing: string | undefined;
}

interface EarlyMessage {
  readonly text: string;
  readonly images: readonly ChosenImage[];
}

/** Sends messages of a composer, into a conversation or as a new one. */
export function useSendMessage(
  composer: RefObject<ComposerHandle | null>,
  { session, crew: known, model }: Readonly<Record<"session" | "crew" | "model", string | undefined>>,
): MessageSending {
  const { navigate } = useApp();
  const sender = useSender();
  const started = useStarted();
  const [early, setEarly] = useState<EarlyMessage>();
  const [text, setText] = useState<string>();
  const sendTo: SendTo = (crew, message, images) => {
    setText(message);
    if (crew === undefined) return setEarly({ text: message, images });
    const onStarted = ({ id, session_id: made }: StartedRun): void => {
      composer.current?.clear();
      if (made === undefined) return navigate({ page: "run", id });
      started.add({ id, crew, input: message, session: made });
      return navigate({ page: "chat", session: made });
    };
    const how = { ...(session === undefined ? {} : { session }), ...(model === undefined ? {} : { model }) };
    sender.send({ crew, text: message, images, onStarted, ...how });
  };
  useEffect(() => {
    if (known === undefined || early === undefined) return;
    setEarly(undefined);
    sendTo(known, early.text, early.images);
  }, [known, early]);
  const isSending = early !== undefined || sender.sending.state === "sending" || sender.sending.state === "kept";
  return { sender, sendTo, outgoing: isSending ? text : undefined };
}
