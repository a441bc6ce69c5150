/**
 * Lost feed bar: on pages that the feed keeps up to date, says that the connection is lost and when it is tried again.
 */
import { OfflineBar } from "../ui/offline-bar.tsx";
import { useLostFeed } from "./feed-context.tsx";

/** Nothing as long as the feed is connected. */
export function LostFeedBar() {
  const { lost, tryNow } = useLostFeed();
  return lost === undefined ? null : <OfflineBar {...lost} onTry={tryNow} />;
}
