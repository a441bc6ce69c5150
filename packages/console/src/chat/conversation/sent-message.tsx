/**
 * Sent message: what a person said, at the right, as it was written.
 */
import { Image } from "lucide-react";
import { useApp } from "../../app-context.ts";

interface UserMessageProps {
  readonly text: string;
  readonly images: number;
}

/** A message of the user. */
export function SentMessage({ text, images }: UserMessageProps) {
  const { words } = useApp();
  return (
    <div className="user-message">
      {text !== "" && <p>{text}</p>}
      {images > 0 && (
        <p className="user-message-images">
          <Image size={14} aria-hidden />
          {words.chat.images(images)}
        </p>
      )}
    </div>
  );
}
