/**
 * Stored run view: shows a stored run from its log, with what the user said, all at once or at the speed it happened.
 *
 * When it is played, pauses and long waits are shortened.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "@baton/core";
import { Keyboard } from "../terminal/keyboard.ts";
import { TypedText } from "../terminal/typed-text.ts";
import { isInteractive } from "../terminal/output.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toPrintable } from "../terminal/printable.ts";
import { BLANK, type Line, styleLine } from "../terminal/styled-line.ts";
import { PROMPT_SIGN } from "../terminal/user-prompt.ts";
import type { Reporter } from "./reporter.ts";

/** The reporter that shows events, and its width. */
export interface StoredRunOutput {
  readonly reporter: Reporter;
  readonly width: number;
}

/** The longest wait at a pause, and the longest wait elsewhere. */
const MAX_PAUSE_MS = 1_000;
const MAX_GAP_MS = 30_000;

/** Shows one event, after the text that the user sent with it. */
export function showEvent({ reporter, width }: StoredRunOutput, event: RunEvent): void {
  const hasInput = event.type === "run.started" || event.type === "run.resumed";
  if (hasInput && event.input !== undefined) reporter.print(toInputLines(event.input, width));
  reporter.event(event);
}

/** Shows events at a multiple of their original speed; gives false if Ctrl-C ended it. */
export async function playEvents(
  events: readonly RunEvent[],
  output: StoredRunOutput,
  speed: number,
): Promise<boolean> {
  using keyboard = isInteractive() ? new Keyboard(new TypedText()) : undefined;
  const end = new AbortController();
  const stop = (): void => end.abort();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  process.stdout.on("error", stop);
  try {
    let before: RunEvent | undefined;
    for (const event of events) {
      await wait(toGapMs(before, event) / speed, end.signal);
      if (end.signal.aborted) return false;
      showEvent(output, event);
      before = event;
    }
    return true;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    process.stdout.off("error", stop);
    output.reporter.flush();
    keyboard?.[Symbol.dispose]();
  }
}

function toInputLines(input: string, width: number): readonly Line[] {
  const lines = wrap(toPrintable(input), width - PROMPT_SIGN.length);
  return [BLANK, ...lines.map((line, index) => styleLine([index === 0 ? PROMPT_SIGN : "  ", "strong"], line))];
}

function toGapMs(before: RunEvent | undefined, event: RunEvent): number {
  if (before === undefined) return 0;
  return Math.min(event.at - before.at, before.type === "run.paused" ? MAX_PAUSE_MS : MAX_GAP_MS);
}

async function wait(waitMs: number, abort: AbortSignal): Promise<void> {
  if (waitMs < 1) return;
  await sleep(waitMs, undefined, { signal: abort }).catch(() => undefined);
}
