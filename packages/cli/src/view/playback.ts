/**
 * Playback: a stored run shown again as it happened, faster or slower, until it is over or somebody has had enough.
 *
 * The time that people took to answer, and pauses in which nothing ran, are shortened.
 */
import type { RunEvent } from "@baton/core";
import { setTimeout as sleep } from "node:timers/promises";
import { Keyboard } from "../terminal/keyboard.ts";
import { tellEvent, type Telling } from "./run-story.ts";
import { isInteractive } from "../terminal/output.ts";

/** What a wait for a person is cut to, and any other. */
const MAX_WAIT_MS = 1_000;
const MAX_GAP_MS = 30_000;

/** Shows the events so many times faster; false where it was ended before. */
export async function play(events: readonly RunEvent[], telling: Telling, speed: number): Promise<boolean> {
  using keyboard = isInteractive() ? new Keyboard() : undefined;
  const end = new AbortController();
  const stop = (): void => end.abort();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  process.stdout.on("error", stop);
  try {
    let before: RunEvent | undefined;
    for (const event of events) {
      await wait(toGapMs(before, event) / speed, end.signal);
      if (end.signal.aborted) return false;
      tellEvent(telling, event);
      before = event;
    }
    return true;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    process.stdout.off("error", stop);
    telling.reporter.settle();
    keyboard?.[Symbol.dispose]();
  }
}

function toGapMs(before: RunEvent | undefined, event: RunEvent): number {
  if (before === undefined) return 0;
  return Math.min(event.at - before.at, before.type === "run.paused" ? MAX_WAIT_MS : MAX_GAP_MS);
}

async function wait(waitMs: number, abort: AbortSignal): Promise<void> {
  if (waitMs < 1) return;
  await sleep(waitMs, undefined, { signal: abort }).catch(() => undefined);
}
