/**
 * Process group: a process together with all that it started.
 */

/** Sends a signal to a group; one that has ended is left alone. */
export function killGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}
