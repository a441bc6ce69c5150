/**
 * Network: whether this machine has one, as the browser notices it.
 *
 * A connection of a machine that has lost its network says nothing for a long time; who follows one connects again.
 */

/** Calls back when the network goes or comes; returns how to stop. */
export function onNetwork(listener: () => void): () => void {
  window.addEventListener("offline", listener);
  window.addEventListener("online", listener);
  return () => {
    window.removeEventListener("offline", listener);
    window.removeEventListener("online", listener);
  };
}
