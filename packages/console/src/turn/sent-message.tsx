/**
 * Sent message: what a person said, at the right, as it was written, with its pictures.
 */
import { useState } from "react";
import { useApp } from "../app-context.ts";
import { Dialog } from "../ui/layers/dialog.tsx";
import { useShownRun } from "./run-context.ts";
import "./sent-message.css";

interface SentMessageProps {
  readonly text: string;
  readonly images: number;
  /** The event that has the message. */
  readonly seq: number;
}

/** A message of the user. */
export function SentMessage({ text, images, seq }: SentMessageProps) {
  return (
    <div className="user-message">
      {text !== "" && <p>{text}</p>}
      {images > 0 && <Pictures seq={seq} />}
    </div>
  );
}

/** A message that the server does not have yet. */
export function SendingMessage({ text }: Pick<SentMessageProps, "text">) {
  const { words } = useApp();
  return (
    <div className="sending-message">
      <SentMessage text={text} images={0} seq={0} />
      <p role="status">{words.chat.sending}</p>
    </div>
  );
}

function Pictures({ seq }: { readonly seq: number }) {
  const { words } = useApp();
  const { store } = useShownRun();
  const [shown, setShown] = useState<number>();
  const event = store.events.find((one) => one.seq === seq);
  const images = event?.type === "run.started" || event?.type === "run.resumed" ? (event.images ?? []) : [];
  const pictures = images.map(({ mediaType, data, altText }, at) => ({
    src: data.startsWith("http") ? "" : `data:${mediaType};base64,${data}`,
    alt: altText ?? words.chat.picture(at + 1),
  }));
  const large = shown === undefined ? undefined : pictures[shown];
  return (
    <ul className="user-message-images">
      {pictures.map(({ src, alt }, at) => (
        <li key={at}>
          <button type="button" data-tip={alt} onClick={() => setShown(at)}>
            <img src={src} alt={alt} />
          </button>
        </li>
      ))}
      {large !== undefined && (
        <Dialog label={large.alt} className="picture-dialog" onClose={() => setShown(undefined)}>
          <img src={large.src} alt={large.alt} />
        </Dialog>
      )}
    </ul>
  );
}
