/**
 * Say times: how long a run worked and, apart from it, how long it waited, the same on every page.
 */
import type { Words } from "../words/words.ts";

/** One text for each; none for a wait of no length. */
export function sayTimes(
  { activeMs, waitedMs }: Readonly<Record<"activeMs" | "waitedMs", number>>,
  { run }: Words,
  duration: (ms: number) => string,
): readonly string[] {
  return [run.active(duration(activeMs)), ...(waitedMs > 0 ? [run.waited(duration(waitedMs))] : [])];
}
