/**
 * Run story: a stored run from its log, as `baton run` showed it, with what people said in between.
 */
import type { RunEvent } from "@baton/core";
import { BLANK, type Line, toLine } from "../terminal/styled-line.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toPrintable } from "../terminal/printable.ts";
import type { Reporter } from "./reporter.ts";
import { PROMPT } from "../runs/run-display.ts";

/** Shows one event, after what a person said with it. */
export function tellEvent({ reporter, width }: Telling, event: RunEvent): void {
  const said = toSaid(event);
  if (said !== undefined) reporter.note(toSaidLines(said, width));
  reporter.event(event);
}

/** Where a story is told. */
export interface Telling {
  readonly reporter: Reporter;
  readonly width: number;
}

function toSaid(event: RunEvent): string | undefined {
  return event.type === "run.started" || event.type === "run.resumed" ? event.input : undefined;
}

function toSaidLines(said: string, width: number): readonly Line[] {
  const lines = wrap(toPrintable(said), width - PROMPT.length);
  return [BLANK, ...lines.map((line, index) => toLine([index === 0 ? PROMPT : "  ", "strong"], line))];
}
