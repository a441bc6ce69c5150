/**
 * Send or keep: what is sent while this machine is offline is kept, and sent once when it is online again.
 *
 * Only a request that the browser did not even try is kept: the server never got it, so it cannot arrive twice.
 */
import { ClientError } from "@baton/client";

/** Sends, or keeps it for later and then says whether that failed. */
export async function sendOrKeep(
  send: () => Promise<unknown>,
  onLater: (failure?: unknown) => void,
): Promise<"sent" | "kept"> {
  try {
    await send();
    return "sent";
  } catch (thrown) {
    if (!isOffline(thrown)) throw thrown;
    const again = (): void => {
      sendOrKeep(send, onLater).then((how) => how === "sent" && onLater(), onLater);
    };
    window.addEventListener("online", again, { once: true });
    return "kept";
  }
}

function isOffline(thrown: unknown): boolean {
  return thrown instanceof ClientError && thrown.code === "network" && !navigator.onLine;
}
